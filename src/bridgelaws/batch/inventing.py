"""Random cases: what might be reported at a random table, in the words of a vocabulary, and what was then chosen.

Kinds and fields are drawn by their types: a new report of a draft is drawn like all others, without a line of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.batch.dealing import Hands, Position, as_told, random_position
from bridgelaws.batch.dice import Dice
from bridgelaws.book import Lawbook, lawbooks
from bridgelaws.engine.program import Value
from bridgelaws.errors import UsageError
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.vocabulary import Field, Kind, Vocabulary
from bridgelaws.notation import CARDS, SEATS, SUITS, partner, side_of
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case

_REPORTS = {0: 1, 1: 14, 2: 4, 3: 1}
_OPEN_SHARE = 0.3
_OPTIONAL_SHARE = 0.4
_ELECTED_SHARE = 0.05
_GOES_ON_SHARE = 0.5
# The ruling is worked out for every way to fill in what is left open, so only a little is.
_MOST_WAYS = 20

CaseData = dict[str, Any]


def random_cases(count: int, seed: int, law: Law) -> Iterator[CaseData]:
    """So many cases that every edition of the law can rule on. The same seed gives the same cases, on every machine.

    A choice is taken only from what every edition offers there, since one that the law does not offer is an error.
    """
    if seed < 0:
        raise UsageError(f"there is no seed {seed}", "a seed is 0 or more")
    source = _Source(law.vocabulary, _unprompted(law), tuple(lawbooks(law, "compiled").values()))
    return (source.case(seed, number) for number in range(1, count + 1))


def _unprompted(law: Law) -> tuple[Kind, ...]:
    """The reports that people make of themselves, not only when a rule asks for them; all if there are no such."""
    asked = {
        given.kind
        for clause in law.clauses
        for version in clause.versions
        for rule in version.rules
        for given in rule.ask
    }
    reports = tuple(law.vocabulary.of_source("report"))
    return tuple(kind for kind in reports if kind.name not in asked) or reports


@dataclass(frozen=True)
class _Source:
    vocabulary: Vocabulary
    reports: Sequence[Kind]
    books: Sequence[Lawbook]

    def case(self, seed: int, number: int) -> CaseData:
        dice = Dice(seed, number)
        position = random_position(dice)
        table, known = as_told(dice, position)
        reporter = _Reporter(dice, position, known)
        case: CaseData = {"title": f"Random case {number} of seed {seed}"}
        if table:
            case["table"] = table
        kinds = self._kinds(dice)
        case["reports"] = [{kind.name: reporter.report(kind)} for kind in kinds]
        elected = {
            kind.name: {name: reporter.value(each, {}) for name, each in kind.fields.items()}
            for kind in self.vocabulary.of_source("regulation")
            if dice.chance(_ELECTED_SHARE)
        }
        if elected:
            case["regulations"] = elected
        return self._gone_on(dice, case, position) if kinds and dice.chance(_GOES_ON_SHARE) else case

    def _kinds(self, dice: Dice) -> list[Kind]:
        """One kind, or several: half of the time more of the same, as when two cards were dropped."""
        if not self.reports:
            return []
        kinds: list[Kind] = []
        for _ in range(dice.weighted(_REPORTS)):
            kinds.append(kinds[-1] if kinds and dice.chance(0.5) else dice.pick(self.reports))
        return kinds

    def _gone_on(self, dice: Dice, case: CaseData, position: Position) -> CaseData:
        """The case after someone answered a question that a ruling asks, and took an option that all rulings offer."""
        ruling = self.books[-1].rule(Case.from_data(case))
        asked = [
            [each.report for each in question.answers if _is_his(each.report, position)]
            for question in ruling.questions
        ]
        questions = [answers for answers in asked if answers]
        if questions and dice.chance(0.5):
            ((kind, values),) = dice.pick(dice.pick(questions)).items()
            others = [each for each in case["reports"] if not _left_open(each, kind, values)]
            case = {**case, "reports": [*others, {kind: dict(values)}]}
            ruling = self.books[-1].rule(Case.from_data(case))
        if not ruling.options:
            return case
        read = Case.from_data(case)
        offered = [_offered(book.rule(read)) for book in self.books]
        shared = [each for each in offered[-1] if all(each in others for others in offered)]
        return {**case, "choices": [dice.pick(shared)]} if shared else case


def _is_his(report: Mapping[str, Mapping[str, Value]], position: Position) -> bool:
    """Whether a card that the report names is one of the player's, if it names both."""
    ((_, values),) = report.items()
    player, card = values.get("player"), values.get("card")
    return not (player and card) or card in (*position.held[str(player)], *position.played(str(player)))


def _left_open(report: Mapping[str, Mapping[str, Value]], kind: str, values: Mapping[str, Value]) -> bool:
    """Whether this is the report that the answer fills in."""
    return kind in report and all(values.get(name) == value for name, value in report[kind].items())


def _offered(ruling: Ruling) -> list[dict[str, dict[str, Value]]]:
    return [option.to_json()["choice"] for group in ruling.options for option in group.options]


@dataclass
class _Reporter:
    """Fills in reports from the table: a player, a card of his, the suit led, the trick."""

    dice: Dice
    position: Position
    known: Hands
    ways: int = 1
    used: set[str] = field(default_factory=set)

    def report(self, kind: Kind) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for name, each in kind.fields.items():
            if self._given(each):
                values[name] = each.type.written(self.value(each, values))
        return values

    def _given(self, each: Field) -> bool:
        if each.may_be_left_open:
            return self.dice.chance(_OPTIONAL_SHARE)
        # Who it was and which card are known before anyone calls the Director; how and why often are not.
        asked_later = each.type.name in ("yes_no", "one_of") and self.ways * len(each.type.domain) <= _MOST_WAYS
        if asked_later and self.dice.chance(_OPEN_SHARE):
            self.ways *= len(each.type.domain)
            return False
        return True

    def value(self, each: Field, before: Mapping[str, Value]) -> Value:
        """A value of the field's type that the table suggests, after the fields that stand before it."""
        seats = [value for value in before.values() if value in SEATS]
        owner = str(seats[-1]) if seats else None
        by_type: dict[str, Callable[[str | None], Value]] = {
            "seat": self._seat,
            "card": self._card,
            "suit": self._suit,
            "count": self._trick,
            "side": self._side,
        }
        return by_type[each.type.name](owner) if each.type.name in by_type else self.dice.pick(each.type.domain)

    def _seat(self, other: str | None) -> str:
        """A second seat is another one; the first is often the one whose turn it is, or a defender."""
        if other:
            return self.dice.pick([seat for seat in SEATS if seat != other])
        declarer, turn = self.position.declarer, self.position.turn
        if turn and self.dice.chance(0.3):
            return turn
        defenders = [seat for seat in SEATS if declarer and side_of(seat) != side_of(declarer)]
        return self.dice.pick(defenders if defenders and self.dice.chance(0.5) else SEATS)

    def _card(self, owner: str | None) -> str:
        """A card of the player that nobody has reported yet; if the report names no player, most likely dummy's."""
        seat = owner or self._unnamed()
        held, played = self.known.get(seat) or self.position.held[seat], self.position.played(seat)
        found = played[:2] if played and (not held or self.dice.chance(0.2)) else held
        card = self.dice.pick([card for card in found if card not in self.used] or found or CARDS)
        self.used.add(card)
        return card

    def _unnamed(self) -> str:
        declarer, turn = self.position.declarer, self.position.turn
        if declarer and self.dice.chance(0.7):
            return partner(declarer)
        return turn or self.dice.pick(SEATS)

    def _suit(self, _: str | None) -> str:
        trick = self.position.in_progress
        return trick[1][0][0] if trick and self.dice.chance(0.6) else self.dice.pick(SUITS)

    def _trick(self, _: str | None) -> int:
        now = min(self.position.now, 13)
        return now if self.dice.chance(0.6) else 1 + self.dice.below(now)

    def _side(self, owner: str | None) -> str:
        return side_of(owner or self.dice.pick(SEATS))
