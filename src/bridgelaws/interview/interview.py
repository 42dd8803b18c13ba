"""The interview: answers in, prompts out, and every earlier answer at hand to go back to or to change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.errors import CaseError, Diagnostic, RefusedAnswer
from bridgelaws.interview.incidents import Incidents
from bridgelaws.interview.prompt import Prompt, Step
from bridgelaws.interview.record import Record
from bridgelaws.interview.rulings import Rulings, Situation, case_on_record
from bridgelaws.interview.steps import next_step
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import case_facts


@dataclass(frozen=True)
class Given:
    """An answer that was given: to which prompt, in the words of a program and aloud, and what was on record before."""

    prompt: Prompt
    value: str
    said: str
    means: str
    before: Record = field(repr=False)


@dataclass(frozen=True)
class Interview:
    """How far an interview has come. Nothing in it ever changes: each answer gives a new one.

    `later` are answers that were given after one that is being changed; they are given again where they are asked for.

    >>> interview = Interview.begin(Lawbook.load("2017"))
    >>> interview.prompt.ask
    'What happened?'
    >>> interview.answer("card exposed").answer("E").answer("D8").prompt.ask
    'What is the contract?'
    """

    rulings: Rulings
    incidents: Incidents
    record: Record = field(default_factory=Record)
    given: tuple[Given, ...] = ()
    later: tuple[Given, ...] = ()

    @classmethod
    def begin(cls, book: Lawbook) -> Interview:
        return cls(Rulings(book), Incidents(book.law))

    @cached_property
    def _step(self) -> Step | None:
        return next_step(self.rulings, self.incidents, self.record)

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now; nothing when the interview is over."""
        return self._step.prompt if self._step else None

    @property
    def book(self) -> Lawbook:
        return self.rulings.book

    @property
    def situation(self) -> Situation:
        return self.rulings.situation(self.record)

    @property
    def ruling(self) -> Ruling:
        """The ruling on what was told so far, with the questions that are still open in the order to ask them."""
        return replace(self.situation.ruling, questions=self.situation.questions)

    @property
    def has_begun(self) -> bool:
        """Whether anything that happened was told."""
        return bool(self.record.reports)

    def answer(self, text: str) -> Interview:
        """The interview after this answer; a `RefusedAnswer` if the answer or the table it makes cannot be."""
        return self._answered(text, self.later)._given_again()

    def _answered(self, text: str, later: tuple[Given, ...]) -> Interview:
        if self._step is None:
            raise RefusedAnswer("nothing is asked any more", "go back, or start over")
        taken = self._step.take(" ".join(text.split()))
        self._check(taken.record)
        given = Given(self._step.prompt, taken.value, taken.said, taken.means, self.record)
        return replace(self, record=taken.record, given=(*self.given, given), later=later)

    def back(self) -> Interview:
        """The interview before the last answer."""
        if not self.given:
            raise RefusedAnswer("this is the beginning", "answer, or quit")
        return replace(self, record=self.given[-1].before, given=self.given[:-1], later=())

    def change(self, number: int) -> Interview:
        """The interview before the answer with this number, counted from 1, to answer it anew."""
        if not 1 <= number <= len(self.given):
            known = f"from 1 to {len(self.given)}" if self.given else "and there is none yet"
            raise RefusedAnswer(f"there is no answer {number} to change", f"answers are numbered {known}")
        place = number - 1
        return replace(self, record=self.given[place].before, given=self.given[:place], later=self.given[place + 1 :])

    def restart(self) -> Interview:
        return replace(self, record=Record(), given=(), later=())

    def case_data(self) -> dict[str, Any]:
        """The case so far in plain values, with its edition and a title."""
        data = self.record.case_data()
        head = {"edition": self.book.edition}
        if self.record.reports:
            title = self._title()
            head = {"title": title[:1].upper() + title[1:], **head}
        return {**head, **data}

    def _title(self) -> str:
        facts = case_facts(case_on_record(self.record), self.book.law.vocabulary).facts
        vocabulary = self.book.law.vocabulary
        return next(
            vocabulary[fact.kind].announcement(fact) for fact in facts if vocabulary[fact.kind].source == "report"
        )

    def _check(self, record: Record) -> None:
        """Refuse an answer that makes an impossible table, or takes away what was offered to choose from."""
        try:
            case_facts(case_on_record(record), self.book.law.vocabulary)
            if record.choices:
                self.rulings.situation(record)
        except CaseError as wrong:
            raise RefusedAnswer([Diagnostic(each.message, hint=each.hint) for each in wrong.diagnostics]) from None

    def _given_again(self) -> Interview:
        """The interview with the later answers given again, for as long as it is they that are asked for."""
        interview = self
        while interview.later and interview.prompt is not None:
            key = interview.prompt.key
            again = next((each for each in interview.later if each.prompt.key == key), None)
            if again is None:
                break
            rest = tuple(each for each in interview.later if each is not again)
            try:
                interview = interview._answered(again.value, rest)
            except RefusedAnswer:
                return replace(interview, later=rest)
        return interview
