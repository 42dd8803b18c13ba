"""What the rules of an edition say of their conclusions: looked up once, since every ruling needs it again."""

from __future__ import annotations

from weakref import WeakKeyDictionary, proxy

from bridgelaws.engine.conclusions import Derivation
from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.edition_in_force import EditionInForce, Wording
from bridgelaws.lawbook.vocabulary import OFFER, fill
from bridgelaws.ruling.ruling import Finding

# Of each; a board has some hundred different ones.
_MOST_KEPT = 4000


class Sayings:
    """Of one edition: how its rules put what they conclude, on what they rest, and the reasons they give."""

    def __init__(self, law: EditionInForce) -> None:
        self._law = proxy(law)
        self._put: dict[tuple[int, str], tuple[Wording, ...]] = {}
        self._derived: dict[int, tuple[str, ...]] = {}
        self._filled: dict[tuple[str, Derivation], str] = {}
        self._orders: dict[Fact, tuple[bool, int, object]] = {}
        self._announced: dict[tuple[Fact, tuple[int, ...], tuple[str, ...], str], Finding] = {}

    def put(self, rule: int, kind: str) -> tuple[Wording, ...]:
        """How the rule puts what it concludes of a kind: it may conclude it more than once."""
        found = self._put.get((rule, kind))
        if found is None:
            heads = self._law.program.rules[rule].then
            wordings = zip(self._law.wordings(rule), heads, strict=False)
            found = self._put[rule, kind] = tuple(each for each, head in wordings if head.kind == kind)
        return found

    def order(self, fact: Fact) -> tuple[bool, int, object]:
        """Findings before offers, each in the order of the vocabulary: kinds, then the values of their fields."""
        found = self._orders.get(fact)
        if found is None:
            if len(self._orders) >= _MOST_KEPT:
                self._orders.clear()
            vocabulary = self._law.vocabulary
            kind = vocabulary[fact.kind.removeprefix(OFFER)]
            found = fact.kind != kind.name, vocabulary.places[kind.name], kind.order(fact.values)
            self._orders[fact] = found
        return found

    def finding(self, fact: Fact, rules: tuple[int, ...], beneath: tuple[str, ...], force: str) -> Finding:
        """What the rules announce, with their clauses and those beneath; tables have much in common, so it is kept."""
        key = (fact, rules, beneath, force)
        found = self._announced.get(key)
        if found is None:
            if len(self._announced) >= _MOST_KEPT:
                self._announced.clear()
            kind = self._law.vocabulary[fact.kind]
            clauses = tuple(dict.fromkeys((*map(self._law.number, rules), *beneath)))
            text = kind.announcement(fact)
            found = self._announced[key] = Finding(fact.kind, kind.written(fact), text, clauses, force, fact)
        return found

    def because(self, template: str, derivation: Derivation) -> str:
        """The reason that a rule gives, with its variables filled in; the same is given in many worlds."""
        found = self._filled.get((template, derivation))
        if found is None:
            if len(self._filled) >= _MOST_KEPT:
                self._filled.clear()
            values = dict(zip(self._law.program.rules[derivation.rule].variables, derivation.binding, strict=False))
            types = self._law.variable_types(derivation.rule)
            found = fill(template, {name: (types[name], values[name]) for name in types})
            self._filled[template, derivation] = found
        return found

    def derived(self, rule: int) -> tuple[str, ...]:
        """The derived kinds on which the rule rests."""
        found = self._derived.get(rule)
        if found is None:
            atoms = self._law.program.rules[rule].when.atoms
            kinds = (atom.kind for atom in atoms if self._law.vocabulary[atom.kind].source == "derived")
            found = self._derived[rule] = tuple(kinds)
        return found


_SAYINGS: WeakKeyDictionary[EditionInForce, Sayings] = WeakKeyDictionary()


def sayings_of(law: EditionInForce) -> Sayings:
    found = _SAYINGS.get(law)
    if found is None:
        found = _SAYINGS[law] = Sayings(law)
    return found
