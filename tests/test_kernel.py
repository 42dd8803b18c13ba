"""The legal-card kernel written by hand forbids what the rules forbid, on tables that show every reason there is."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from benchmarks import kernel
from benchmarks.kernel import agree, by_engine, by_hand, kernel_program, positions
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.program import Fact
from bridgelaws.lawbook.law import EditionLaw, load_law
from bridgelaws.ruling.making import FORBIDS

POSITIONS = 900
SEED = 3


@cache
def law() -> EditionLaw:
    return load_law().edition(kernel.EDITION)


@cache
def engine() -> CompiledEngine:
    return CompiledEngine(kernel_program(law()))


@cache
def found() -> list[list[Fact]]:
    return positions(POSITIONS, SEED)


def test_the_code_by_hand_forbids_what_the_rules_forbid() -> None:
    assert agree(POSITIONS, SEED) == found()


def test_the_other_laws_forbid_nothing_more_on_these_tables() -> None:
    """A lead that declarer had forbidden is a revoke, which then goes back: Law 62 is no part of the kernel."""
    whole = CompiledEngine(law().program)
    lawful = [facts for facts in found() if not whole.run(facts).facts.get("revoked")]
    assert len(lawful) > 0.95 * len(found())
    assert [by_engine(whole, facts) for facts in lawful] == [by_engine(engine(), facts) for facts in lawful]


def test_every_rule_that_forbids_a_card_does_so_somewhere() -> None:
    # All hands are known on these tables, so nobody is asked what suits he has or had.
    forbidding = {
        place
        for place, rule in enumerate(engine().program.rules)
        if FORBIDS in {head.kind for head in rule.then}
        and not {"had_the_suit", "has_suit", "has_other_suit"} & {kind for kind, _ in rule.kinds_read()}
    }
    fired: Counter[int] = Counter()
    for facts in found():
        conclusions = engine().run(facts)
        fired.update({why.rule for fact in conclusions.of(FORBIDS) for why in conclusions.reasons(fact)})
    assert set(fired) == forbidding
    assert min(fired.values()) >= 3


def test_players_are_unable_to_comply_for_every_reason_of_law_59() -> None:
    whole = CompiledEngine(law().program)
    reasons = {values[1] for facts in found() for values in whole.run(facts).facts.get("unable_to_comply", ())}
    assert reasons == {"no_card_of_the_suit", "only_forbidden_suits", "must_follow_suit"}


def test_major_and_minor_penalty_cards_lie_there_and_some_are_gone() -> None:
    kinds = Counter(kind for facts in found() for kind in engine().run(facts).facts)
    for kind in ("major_penalty_card", "minor_penalty_card", "picked_up", "penalty_card_played", "lead_waits"):
        assert kinds[kind] >= 3, kind


def test_the_order_of_the_facts_does_not_matter() -> None:
    assert [by_hand(facts[::-1]) for facts in found()] == [by_hand(facts) for facts in found()]


def test_only_the_honours_come_from_another_law() -> None:
    clauses = {rule: each.provision.clause.id for rule, each in zip(law().program.rules, law().rules, strict=True)}
    elsewhere = {clauses[rule] for rule in engine().program.rules if not clauses[rule].startswith(kernel.LAWS)}
    assert elsewhere == {"00-definitions/honour"}


@pytest.mark.parametrize(
    "name, wrong",
    [("_LOWEST_HONOUR", 11), ("_UNINTENTIONAL", frozenset()), ("_PARTNER", {seat: seat for seat in "NESW"})],
)
def test_a_slip_in_the_code_by_hand_is_noticed(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, name, wrong)
    with pytest.raises(AssertionError, match="position"):
        agree(POSITIONS, SEED)
