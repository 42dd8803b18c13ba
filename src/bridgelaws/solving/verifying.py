"""Whether a law is sound within bounds: no dead rule, no contradiction, a ruling for every incident, a card to play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bridgelaws.book import Lawbook
from bridgelaws.compare.diff import clause_changes
from bridgelaws.engine.program import Condition, Rule
from bridgelaws.errors import BridgelawsError, EngineError, LawError, nearest
from bridgelaws.lawbook.editions import LeftOpen
from bridgelaws.lawbook.law import EditionLaw, Law
from bridgelaws.lawbook.vocabulary import ASK
from bridgelaws.ruling.making import FORBIDS, LISTED
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import (
    Exchange,
    behind,
    difference_search,
    exchange_for,
    silence_search,
    without_reports,
)
from bridgelaws.solving.given import given_kinds
from bridgelaws.solving.parallel import in_parallel
from bridgelaws.solving.replaying import essence, replayed, rule_differently, table_of
from bridgelaws.solving.said import Said
from bridgelaws.solving.sameness import concludes_the_same
from bridgelaws.solving.searching import OutOfTime, Search, clock
from bridgelaws.solving.shrinking import shrunk
from bridgelaws.solving.symbols import applied, predicate, symbol
from bridgelaws.solving.tables import answered, legal_choices, sensible_reports
from bridgelaws.solving.translating import Translation
from bridgelaws.solving.witnesses import NoWitness, Witness, witness
from bridgelaws.table.case import Case

# Seconds for one question, for many of them together, and for the whole difference of two laws.
PATIENCE_A_CHECK = 20.0
PATIENCE_TOGETHER = 120.0
PATIENCE_FOR_SAME = 60.0
# Of which, for the quick proof that there is none.
PATIENCE_FOR_A_PROOF = 20.0


@dataclass(frozen=True)
class Target:
    """Something to look for: what to call it, and the lines that make `target(name)` hold where it is so."""

    name: str
    lines: tuple[str, ...]
    kinds: frozenset[str]
    about: Mapping[str, Any] = field(default_factory=dict)


def rule_targets(law: EditionLaw) -> Iterator[Target]:
    """For each rule that it fires, and for each of its exceptions that it holds where the rule would fire."""
    translation = Translation(given_kinds(law.vocabulary))
    for place, rule in enumerate(law.program.rules):
        kinds = frozenset(kind for kind, _ in rule.kinds_read())
        name = f"fires {place}"
        yield Target(
            name, tuple(translation.fires(str(place), rule, _target(name))), kinds, {"rule": place, "exception": None}
        )
        for number, exception in enumerate(rule.unless):
            held = Rule("", rule.variables, len(rule.variables), _both(rule.when, exception), (), ())
            name = f"held {place} {number}"
            lines = tuple(translation.fires(f"{place}_{number}_held", held, _target(name)))
            yield Target(name, lines, kinds, {"rule": place, "exception": number})


def _both(first: Condition, second: Condition) -> Condition:
    return Condition(first.atoms + second.atoms, first.tests + second.tests)


def _target(name: str) -> str:
    return f"target({symbol(name)})"


def contradiction_targets(law: EditionLaw) -> Iterator[Target]:
    """Findings that the vocabulary says contradict each other, about the same players and cards."""
    for kind in law.vocabulary.of_source("ruling"):
        for other in kind.contradicts:
            second = law.vocabulary[other]
            shared = set(kind.fields) & set(second.fields)
            atoms = [
                applied(predicate(each.name), [_shared(column, shared) for column in each.columns])
                for each in (kind, second)
            ]
            name = f"{kind.name} and {other}"
            line = f"{_target(name)} :- {', '.join(atoms)}."
            yield Target(name, (line,), frozenset((kind.name, other)), {"kinds": [kind.name, other]})


def _shared(column: str, shared: Collection[str]) -> str:
    return f"F_{column}" if column in shared else "_"


def stuck_target(law: EditionLaw) -> Target:
    """A player whose turn it is, all of whose cards are known, and who may play none of them."""
    name = "no card to play"
    # "Some card may be played" is what must not hold.
    free = f"free(P) :- {_of('holds', law, player='P', card='C')}, not {_of(FORBIDS, law, player='P', card='C')}."
    line = (
        f"{_target(name)} :- fk_to_play(P,_), fk_hand_complete(P), {_of('holds', law, player='P')}, "
        f"{_of(LISTED, law, player='P')}, not free(P)."
    )
    kinds = frozenset(("to_play", "hand_complete", "holds", LISTED, FORBIDS))
    return Target(name, (free, line), kinds)


def silence_targets(law: EditionLaw) -> Iterator[Target]:
    """Incidents, that is reports that no rule asks for, of which the law may say nothing at all."""
    asked = asked_for(law)
    for kind in law.vocabulary.of_source("report"):
        if kind.name not in asked and without_reports(law, kind.name):
            yield Target(f"nothing follows from {kind.name}", (), frozenset((kind.name,)), {"silent": kind.name})


def _of(kind: str, law: EditionLaw, **terms: str) -> str:
    return applied(predicate(kind), [terms.get(column, "_") for column in law.vocabulary[kind].columns])


def asked_for(law: EditionLaw) -> frozenset[str]:
    """The reports that answer a question of some rule; the others are what a Director's call begins with."""
    asked = (head.kind for rule in law.program.rules for head in rule.then if head.kind.startswith(ASK))
    return frozenset(kind.removeprefix(ASK) for kind in asked)


def target_search(law: EditionLaw, target: Target, bounds: Bounds) -> Search:
    """A search for tables that reach the target, with reports that a Director could be told."""
    if "silent" in target.about:
        sensible = sensible_reports(law.vocabulary, asked_for(law), target.kinds)
        return silence_search(law, target.about["silent"], bounds, sensible)
    rules = law.program.rules
    needed = behind(rules, target.kinds)
    translation = Translation(given_kinds(law.vocabulary))
    lines: list[str] = []
    for place, rule in enumerate(rules):
        if any(head.kind in needed for head in rule.then) or target.about.get("rule") == place:
            lines += translation.rule(str(place), rule)
    lines += [*target.lines, f":- not {_target(target.name)}."]
    lines += sensible_reports(law.vocabulary, asked_for(law), needed)
    lines += answered(law.program, law.vocabulary)
    lines += legal_choices(law.vocabulary, needed)
    return Search(law.vocabulary, bounds, lines, needed)


@dataclass(frozen=True)
class Problem:
    """Something wrong with a law: what it is, and if there is one, a table that shows it, with the ruling there."""

    check: str
    text: str
    case: dict[str, Any] | None = None
    ruling: Ruling | None = None

    def to_json(self) -> dict[str, Any]:
        ruling = self.ruling.to_json() if self.ruling else None
        return {"check": self.check, "text": self.text, "case": self.case, "ruling": ruling}


@dataclass(frozen=True)
class Checked:
    """What became of one question: a problem, or nothing; and the bounds within which that holds for every table."""

    name: str
    problem: Problem | None
    within: Bounds | None


def questions(law: EditionLaw, covered: Collection[tuple[int, int | None]] = ()) -> list[Target]:
    """All that is to be asked of a law. Rules and exceptions that a case reaches need no search."""
    dead = [each for each in rule_targets(law) if (each.about["rule"], each.about["exception"]) not in covered]
    return [*contradiction_targets(law), stuck_target(law), *silence_targets(law), *dead]


def left_open(law: Law) -> dict[str, LeftOpen]:
    """What the law leaves open, by the names of the questions; an error if it names one that is never asked."""
    cuts = [law.edition(name) for name in law.editions]
    asked = {each.name for cut in cuts for each in (*contradiction_targets(cut), *silence_targets(cut))}
    asked.add(stuck_target(cuts[0]).name)
    unknown = [
        each.document.problem(each.path, f"verify asks no question '{each.question}'", nearest(each.question, asked))
        for each in law.left_open
        if each.question not in asked
    ]
    if unknown:
        raise LawError(unknown)
    return {each.question: each for each in law.left_open}


def check(law: EditionLaw, target: Target, *, bounds: Bounds, beyond: Bounds | None = None) -> Checked:
    """Look for a table. A rule that no table reaches is a problem; a contradiction that a table reaches is one too.

    Smaller bounds come first, after those within which nothing was found before.
    """
    until = clock() + PATIENCE_A_CHECK
    within = beyond
    for stage in _stages(bounds, beyond):
        try:
            found = target_search(law, target, stage).find(until)
        except OutOfTime:
            return Checked(target.name, None, within)
        if found is not None:
            problem = None if "rule" in target.about else _shown(law, target, found.case)
            return Checked(target.name, problem, bounds)
        within = stage
    return Checked(target.name, _dead(law, target, bounds) if "rule" in target.about else None, bounds)


def _stages(bounds: Bounds, beyond: Bounds | None) -> list[Bounds]:
    stages = list(bounds.growing())
    return stages[stages.index(beyond) + 1 :] if beyond else stages


def check_together(law: EditionLaw, targets: Sequence[Target], *, bounds: Bounds) -> list[Checked]:
    """The same for many questions at once: where no table answers any of them, one search tells it of all."""
    until = clock() + PATIENCE_TOGETHER
    unanswered = {each.name: each for each in targets}
    answered: list[Checked] = []
    within: Bounds | None = None
    with suppress(OutOfTime):
        for stage in bounds.growing():
            while unanswered and (found := target_search(law, _any_of(unanswered.values()), stage).find(until)):
                for name in [str(values[0]) for values in found.atoms["target"] if values[0] in unanswered]:
                    problem = _shown(law, unanswered.pop(name), found.case)
                    answered.append(Checked(name, problem, bounds))
            within = stage
    return [*answered, *(Checked(name, None, within) for name in unanswered)]


def _any_of(targets: Iterable[Target]) -> Target:
    name = "one of these"
    asked = list(targets)
    lines = [line for each in asked for line in each.lines]
    lines.append(f"{_target(name)} :- {', '.join(('target(X)', f'X != {symbol(name)}'))}.")
    return Target(name, tuple(lines), frozenset().union(*(each.kinds for each in asked)))


def check_all(law: EditionLaw, targets: Sequence[Target], bounds: Bounds) -> Iterator[Checked]:
    """Each question answered, on all cores, in any order.

    Contradictions and the want of a card are looked for all together; only what that leaves open is asked one by one.
    """
    whole = [each for each in targets if each.lines and "rule" not in each.about]
    jobs = [whole, *([each] for each in targets if each not in whole)] if len(whole) > 1 else [[t] for t in targets]
    unfinished: list[Checked] = []
    for answers in in_parallel(partial(_check, law, bounds=bounds), jobs):
        for each in answers:
            if len(answers) > 1 and each.within != bounds:
                unfinished.append(each)
            else:
                yield each
    by_name = {each.name: each for each in whole}
    again = [(by_name[each.name], each.within) for each in unfinished]
    yield from in_parallel(lambda each: check(law, each[0], bounds=bounds, beyond=each[1]), again)


def _check(law: EditionLaw, targets: Sequence[Target], *, bounds: Bounds) -> list[Checked]:
    if len(targets) > 1:
        return check_together(law, targets, bounds=bounds)
    return [check(law, target, bounds=bounds) for target in targets]


def _dead(law: EditionLaw, target: Target, bounds: Bounds) -> Problem:
    rule = law.rules[target.about["rule"]]
    number = target.about["exception"]
    what = "never fires" if number is None else f"never meets its exception {number + 1}"
    return Problem(
        "dead rule" if number is None else "dead exception", f"{rule.number} '{rule.rule.name}' {what} within {bounds}"
    )


def _shown(law: EditionLaw, target: Target, data: dict[str, Any]) -> Problem:
    """The problem with a small table, replayed."""
    case = shrunk(data, lambda each: _shows(law, target, each), law.vocabulary)
    if case is None:
        raise EngineError(f"the solver says '{target.name}', and the engine does not, on this table: {data}")
    names = {"kinds": "contradiction", "silent": "no ruling"}
    check_name = next((name for about, name in names.items() if about in target.about), "no card to play")
    return Problem(check_name, target.name, case, replayed(law, Case.from_data(case)))


def _shows(law: EditionLaw, target: Target, data: dict[str, Any]) -> bool:
    try:
        ruling = Lawbook(law).rule(Case.from_data(data))
    except BridgelawsError:
        return False
    if "silent" in target.about:
        untold = Lawbook(law).rule(Case.from_data({name: each for name, each in data.items() if name != "reports"}))
        return "reports" in data and not ruling.questions and essence(ruling) == essence(untold)
    if "kinds" in target.about:
        return any({each.first.kind, each.second.kind} == set(target.about["kinds"]) for each in ruling.conflicts)
    return any(each.complete and not each.may and each.may_not and not each.undecided for each in ruling.plays)


def same_rulings(old: EditionLaw, new: EditionLaw, bounds: Bounds, cases: Iterable[Case] = ()) -> Witness | NoWitness:
    """A table on which two versions of the law rule differently, or the word that there is none within the bounds.

    The cases at hand are tried first: each of them is a table that somebody thought of.
    """
    forth, _ = exchange_for(clause_changes(old, new).values(), old, new)
    if not forth:
        return NoWitness(bounds, proven=True)
    found = known_difference(Said(old), forth, new, map(table_of, cases))
    if found is not None:
        return witness(found, old, new)
    until = clock() + PATIENCE_FOR_SAME
    if concludes_the_same(old, forth, bounds, clock() + PATIENCE_FOR_A_PROOF):
        return NoWitness(bounds, proven=True)
    for stage in bounds.growing():
        try:
            table = difference_search(old, forth, stage).find(until)
        except OutOfTime:
            return NoWitness(bounds, proven=False)
        if table is not None:
            case = shrunk(table.case, lambda data: rule_differently(old, new, data), old.vocabulary)
            if case is None:
                raise EngineError(
                    f"the solver finds a difference, and the engine does not, on this table: {table.case}"
                )
            return witness(case, old, new)
    return NoWitness(bounds, proven=True)


def known_difference(
    old: Said, exchange: Exchange, new: EditionLaw, tables: Iterable[dict[str, Any]]
) -> dict[str, Any] | None:
    """The first of the tables on which the exchange, which makes the new law of the old, changes the ruling."""
    after = Said(new)
    for table in tables:
        if old.is_near(table, exchange):
            before, then = old.on(table), after.on(table)
            if before and then and before.essence != then.essence:
                return table
    return None
