"""In what a ruling differs from what a case expects: what was expected, what came, and what there is to explain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bridgelaws.casebook.expectations import Expectation, Expected, ExpectedPlays
from bridgelaws.engine.program import Value
from bridgelaws.lawbook.vocabulary import OFFER
from bridgelaws.located import PathTo
from bridgelaws.ruling.making import FORBIDS, LISTED
from bridgelaws.ruling.ruling import Finding, Option, Plays, Question, Ruling


@dataclass(frozen=True)
class Matter:
    """A fact to explain, as far as it is known: why it came, or why these clauses (or any) did not give it."""

    kind: str
    fields: Mapping[str, Value]
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """One thing that is not as the case expects. `not_asked` are questions that did not come."""

    path: PathTo
    message: str
    expected: str
    got: str
    came: tuple[Matter, ...] = ()
    missing: tuple[Matter, ...] = ()
    not_asked: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def disappointments(expectation: Expectation, ruling: Ruling) -> list[tuple[PathTo, str]]:
    """The differences in a line each."""
    return [(each.path, each.message) for each in differences(expectation, ruling)]


def differences(expectation: Expectation, ruling: Ruling) -> list[Difference]:
    """Everything in which the ruling differs from what was expected."""
    found = [each for expected in expectation.findings for each in _wrong_finding(expected, ruling)]
    found += [each for expected in expectation.never for each in _unwanted(expected, ruling)]
    for plays in expectation.plays:
        found += _wrong_plays(plays, ruling)
    if expectation.options is not None:
        found += _wrong_options(expectation, ruling)
    if expectation.questions is not None:
        found += _wrong_questions(expectation.path, expectation.questions, ruling)
    for conflict in ruling.conflicts:
        matters = (_matter(conflict.first), _matter(conflict.second))
        found.append(Difference(expectation.path, conflict.text, "no contradiction", conflict.text, matters))
    return found


def _matter(finding: Finding) -> Matter:
    return Matter(finding.kind, finding.fields)


def _wrong_finding(expected: Expected, ruling: Ruling) -> Iterator[Difference]:
    found = [each for each in ruling.findings if expected.describes(each.kind, each.fields)]
    if not found:
        got = "; ".join(each.text for each in ruling.findings if each.kind == expected.kind) or "nothing of that kind"
        matter = Matter(expected.kind, expected.fields, expected.clauses)
        yield Difference(expected.path, f"expected {expected}, got {got}", str(expected), got, missing=(matter,))
    elif not any(set(expected.clauses) <= set(each.clauses) for each in found):
        clauses = sorted({clause for each in found for clause in each.clauses})
        named = ", ".join(clauses)
        lacking = tuple(clause for clause in expected.clauses if clause not in clauses)
        yield Difference(
            expected.path,
            f"expected {expected}, but it came from {named}",
            str(expected),
            f"it from {named}",
            tuple(_matter(each) for each in found),
            (Matter(expected.kind, expected.fields, lacking),) if lacking else (),
        )
    elif expected.force and all(each.force != expected.force for each in found):
        wanted, got = f"{expected} with force {expected.force}", found[0].force
        yield Difference(
            expected.path, f"expected {wanted}, got {got}", wanted, f"it with force {got}", (_matter(found[0]),)
        )


def _unwanted(expected: Expected, ruling: Ruling) -> Iterator[Difference]:
    for each in ruling.findings:
        if expected.describes(each.kind, each.fields) and set(expected.clauses) <= set(each.clauses):
            got = f"{each.text} ({each.clause})"
            message = f"{expected} must not come, but it did: {got}"
            yield Difference(expected.path, message, f"never {expected}", got, (_matter(each),))


def _wrong_plays(expected: ExpectedPlays, ruling: Ruling) -> Iterator[Difference]:
    got = next((each for each in ruling.plays if each.player == expected.player), None)
    if (got is not None) != expected.listed:
        yield _wrongly_listed(expected, listed=got is not None)
    if got is None or not expected.listed:
        return
    if expected.may is not None and frozenset(got.may) != expected.may:
        yield _wrong_cards(expected, got, "may", got.may, expected.may)
    if expected.may_not is not None:
        forbidden = {each.card: frozenset(each.clauses) for each in got.may_not}
        if forbidden.keys() != expected.may_not.keys():
            yield _wrong_cards(expected, got, "may not", forbidden, expected.may_not)
        for card in sorted(forbidden.keys() & expected.may_not.keys()):
            if not expected.may_not[card] <= forbidden[card]:
                yield _wrong_ground(expected, card, forbidden[card], expected.may_not[card])


def _wrongly_listed(expected: ExpectedPlays, *, listed: bool) -> Difference:
    is_so, wanted = ("", "not ") if listed else ("not ", "")
    matter = (Matter(LISTED, {"player": expected.player}),)
    return Difference(
        expected.path,
        f"the plays of {expected.player} are {is_so}listed",
        f"the plays of {expected.player} {wanted}listed",
        f"they are {is_so}listed",
        matter if listed else (),
        () if listed else matter,
    )


def _wrong_ground(expected: ExpectedPlays, card: str, got: frozenset[str], wanted: frozenset[str]) -> Difference:
    """A card that is forbidden as expected, but by other clauses."""
    clauses, named = (", ".join(sorted(each)) for each in (got, wanted))
    return Difference(
        expected.path,
        f"{card} is forbidden by {clauses}, expected {named}",
        f"{card} forbidden by {named}",
        f"it is forbidden by {clauses}",
        (_forbidding(expected.player, card),),
        (_forbidding(expected.player, card, tuple(sorted(wanted - got))),),
    )


def _wrong_cards(
    expected: ExpectedPlays, got: Plays, verb: str, cards: Iterable[str], wanted: Iterable[str]
) -> Difference:
    """Cards that are forbidden and should not be, or the other way about, under `may` or under `may not`."""
    odd = set(cards) ^ set(wanted)
    forbidden = {each.card for each in got.may_not}
    clauses = expected.may_not or {}
    return Difference(
        expected.path,
        f"{expected.player} {verb} play {_cards(cards)}, expected {_cards(wanted)}",
        f"{expected.player} {verb} play {_cards(wanted)}",
        f"{_cards(cards)}",
        tuple(_forbidding(expected.player, card) for card in sorted(odd & forbidden)),
        tuple(
            _forbidding(expected.player, card, tuple(sorted(clauses[card])))
            for card in sorted(odd & clauses.keys() - forbidden)
        ),
    )


def _forbidding(player: str, card: str, clauses: tuple[str, ...] = ()) -> Matter:
    return Matter(FORBIDS, {"player": player, "card": card}, clauses)


def _wrong_options(expectation: Expectation, ruling: Ruling) -> Iterator[Difference]:
    expected = expectation.options or ()
    open_now = [option for group in ruling.options for option in group.options]
    for each in expected:
        if not any(_describes(each, option) for option in open_now):
            got = "; ".join(option.text for option in open_now) or "none"
            matter = Matter(OFFER + each.kind, each.fields, each.clauses)
            wanted = f"the option {each}"
            yield Difference(each.path, f"expected {wanted}, got {got}", wanted, got, missing=(matter,))
    for option in open_now:
        if not any(_describes(each, option) for each in expected):
            kind, values = next(iter(option.choice.items()))
            got = f"{option.text} ({', '.join(option.clauses)})"
            message = f"an option that was not expected: {got}"
            yield Difference(expectation.path, message, "no such option", got, (Matter(OFFER + kind, values),))


def _describes(expected: Expected, option: Option) -> bool:
    kind, values = next(iter(option.choice.items()))
    return expected.describes(kind, values) and set(expected.clauses) <= set(option.clauses)


def _wrong_questions(path: PathTo, expected: tuple[str, ...], ruling: Ruling) -> Iterator[Difference]:
    asked = {f"{each.kind}.{each.field}": each for each in ruling.questions}
    got = [f"{each.kind}.{each.field}" for each in ruling.questions]
    if sorted(got) != sorted(expected):
        wanted, came = ", ".join(expected) or "no question", ", ".join(got) or "none"
        message = f"expected {wanted} to be asked, got {came}"
        odd = tuple(told for name, each in asked.items() if name not in expected for told in _what_turns_on(each))
        lacking = tuple(name for name in expected if name not in asked)
        yield Difference(path, message, f"{wanted} to be asked", came, not_asked=lacking, remarks=odd)


def _what_turns_on(question: Question) -> Iterator[str]:
    """A question is asked because its answers differ: what follows from each."""
    yield question.ask
    for answer in question.answers[:4]:
        yield f"  {answer.phrase}: {answer.outcome}"


def _cards(cards: Iterable[str]) -> str:
    return " ".join(sorted(cards)) or "none"
