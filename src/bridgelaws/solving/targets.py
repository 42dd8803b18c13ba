"""What `verify` asks of a law, each question as lines for the solver."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bridgelaws.engine.program import Condition, Rule
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.lawbook.vocabulary import ASK
from bridgelaws.notation import SEATS
from bridgelaws.ruling.making import FORBIDS, LISTED
from bridgelaws.solving.differing import without_reports
from bridgelaws.solving.given import given_kinds
from bridgelaws.solving.symbols import applied, predicate, symbol
from bridgelaws.solving.translating import Translation


@dataclass(frozen=True)
class Target:
    """Something to look for: what to call it, and the lines that make `target(name)` hold where it is so.

    The lines read these kinds; where it is so there is a fact of each kind in `musts`. What is looked for in parts is
    looked for by its `goals`, the atoms of which one holds where it is so.
    """

    name: str
    lines: tuple[str, ...]
    kinds: frozenset[str]
    about: Mapping[str, Any] = field(default_factory=dict, hash=False)
    musts: frozenset[str] = frozenset()
    goals: tuple[str, ...] = ()


def rule_targets(law: EditionLaw) -> Iterator[Target]:
    """For each rule that it fires, and for each of its exceptions that it holds where the rule would fire."""
    translation = Translation(given_kinds(law.vocabulary))
    for place, rule in enumerate(law.program.rules):
        kinds = frozenset(kind for kind, _ in rule.kinds_read())
        name = f"fires {place}"
        yield Target(
            name, tuple(translation.fires(str(place), rule, reached(name))), kinds, {"rule": place, "exception": None}
        )
        for number, exception in enumerate(rule.unless):
            held = Rule("", rule.variables, len(rule.variables), _both(rule.when, exception), (), ())
            name = f"held {place} {number}"
            lines = tuple(translation.fires(f"{place}_{number}_held", held, reached(name)))
            yield Target(name, lines, kinds, {"rule": place, "exception": number})


def _both(first: Condition, second: Condition) -> Condition:
    return Condition(first.atoms + second.atoms, first.tests + second.tests)


def reached(name: str) -> str:
    """The atom that holds where the target of this name is so."""
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
            line = f"{reached(name)} :- {', '.join(atoms)}."
            kinds = frozenset((kind.name, other))
            yield Target(name, (line,), kinds, {"kinds": [kind.name, other]}, kinds, (reached(name),))


def _shared(column: str, shared: Collection[str]) -> str:
    return f"F_{column}" if column in shared else "_"


def stuck_target(law: EditionLaw) -> Target:
    """A player whose turn it is, all of whose cards are known, and who may play none of them."""
    name = "no card to play"
    # "Some card may be played" is what must not hold.
    free = f"free(P) :- {_of('holds', law, player='P', card='C')}, not {_of(FORBIDS, law, player='P', card='C')}."
    stuck = (
        f"stuck(P) :- fk_to_play(P,_), fk_hand_complete(P), {_of('holds', law, player='P')}, "
        f"{_of(LISTED, law, player='P')}, not free(P)."
    )
    kinds = frozenset(("to_play", "hand_complete", "holds", LISTED, FORBIDS))
    # Player by player the search ends much sooner.
    players = tuple(f"stuck({symbol(seat)})" for seat in SEATS)
    return Target(
        name,
        (free, stuck, f"{reached(name)} :- stuck(_)."),
        kinds,
        musts=frozenset((LISTED, FORBIDS)),
        goals=players,
    )


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
