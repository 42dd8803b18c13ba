"""Searches for the tables that reach a target, with reports that a Director could be told."""

from __future__ import annotations

from bridgelaws.engine.program import Program
from bridgelaws.lawbook.law import EditionLaw
from bridgelaws.solving.bounds import Bounds
from bridgelaws.solving.differing import behind, silence_search
from bridgelaws.solving.given import Given, given_kinds
from bridgelaws.solving.searching import Search
from bridgelaws.solving.splitting import Part, Splitting
from bridgelaws.solving.tables import answered, legal_choices, sensible_reports
from bridgelaws.solving.targets import Target, asked_for, reached
from bridgelaws.solving.translating import Translation

# Of the solver's own settings the one that ends soonest where there is nothing to find.
QUICK_PROOFS = ("--config=tweety",)
ANY_TARGET = "any_target"


def target_search(law: EditionLaw, target: Target, bounds: Bounds) -> Search:
    """A search for tables that reach the target, whatever is given."""
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
    lines += [*target.lines, f":- not {reached(target.name)}."]
    lines += sensible_reports(law.vocabulary, asked_for(law), needed)
    lines += answered(law.program, law.vocabulary)
    lines += legal_choices(law.vocabulary, needed)
    return Search(law.vocabulary, bounds, lines, needed)


def part_search(splitting: Splitting, part: Part, bounds: Bounds) -> Search:
    """A search among the tables of a part with so many reports as the bounds allow, no less, for its targets' goals."""
    law, given = splitting.law, given_kinds(splitting.law.vocabulary)
    rules = splitting.rules(part)
    translation = Translation(given)
    # Numbered as they come: a rule elsewhere that is new changes nothing here.
    lines = [line for number, rule in enumerate(rules.values()) for line in translation.rule(str(number), rule)]
    lines += [line for target in part.targets for line in target.lines]
    lines.append(f"{ANY_TARGET} :- target(_).")
    lines += sensible_reports(law.vocabulary, asked_for(law), part.given)
    lines += answered(Program(law.program.columns, tuple(rules.values())), law.vocabulary)
    lines += legal_choices(law.vocabulary, part.given)
    for kind in part.given:
        lines.append(f":- not given_{kind}. given_{kind} :- {', '.join(Given(law.vocabulary[kind]).about({}))}.")
    if part.given:
        every = "; ".join(f"1,{given[kind].counted()}" for kind in part.given)
        lines.append(f":- #sum {{ {every} }} < {bounds.reports}.")
    return Search(law.vocabulary, bounds, lines, part.given, QUICK_PROOFS)
