"""Rules are put in an order in which a kind is complete before an exception reads it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from programs import cases

from bridgelaws.engine.program import Atom, Condition, Fact, Group, Head, Program, Rule, Stratum
from bridgelaws.engine.stratify import NotStratified, stratify


def rule(name: str, when: str, then: str, unless: str = "") -> Rule:
    """A rule on kinds without columns: what it reads, what it concludes, what its exceptions read."""
    exceptions = tuple(Condition((Atom(kind, ()),)) for kind in unless)
    return Rule(
        name, (), 0, Condition(tuple(Atom(kind, ()) for kind in when)), exceptions, tuple(Head(k, ()) for k in then)
    )


def test_a_program_without_rules_has_no_strata() -> None:
    assert stratify(()) == ()


def test_rules_without_exceptions_make_one_stratum_in_the_order_of_need() -> None:
    (stratum,) = stratify([rule("third", "c", "d"), rule("second", "b", "c"), rule("first", "a", "b")])
    assert list(stratum.rules) == [2, 1, 0]
    assert not any(group.recursive for group in stratum.groups)


def test_an_exception_waits_for_every_rule_that_concludes_what_it_reads() -> None:
    strata = stratify([rule("last", "a", "z", unless="c"), rule("one", "b", "c"), rule("other", "a", "bc")])
    assert [set(stratum.rules) for stratum in strata] == [{1, 2}, {0}]


def test_each_exception_on_an_exception_is_a_stratum_higher() -> None:
    strata = stratify([rule("c", "a", "d", unless="c"), rule("b", "a", "c", unless="b"), rule("a", "a", "b")])
    assert [list(stratum.rules) for stratum in strata] == [[2], [1], [0]]


def test_rules_that_need_each_other_run_together() -> None:
    strata = stratify(
        [rule("there", "b", "c"), rule("back", "c", "b"), rule("itself", "d", "d"), rule("none", "a", "e")]
    )
    assert strata == (Stratum((Group((0, 1), True), Group((2,), True), Group((3,), False))),)


@pytest.mark.parametrize(
    ("rules", "cycle"),
    [
        ([rule("alone", "a", "b", unless="b")], {"alone"}),
        ([rule("one", "a", "b", unless="c"), rule("two", "a", "c", unless="b")], {"one", "two"}),
        (
            [
                rule("apart", "a", "e"),
                rule("one", "a", "b", unless="d"),
                rule("two", "b", "c"),
                rule("three", "ce", "d"),
            ],
            {"one", "two", "three"},
        ),
    ],
    ids=["its own exception", "two exceptions", "through other rules"],
)
def test_a_cycle_through_an_exception_names_its_rules(rules: list[Rule], cycle: set[str]) -> None:
    with pytest.raises(NotStratified) as caught:
        _ = Program({}, tuple(rules)).strata
    assert {rules[number].name for number in caught.value.cycle} == cycle


def test_the_cycle_goes_from_each_rule_to_one_that_it_needs() -> None:
    rules = [rule("three", "c", "d"), rule("one", "a", "b", unless="d"), rule("two", "b", "c"), rule("by", "b", "x")]
    with pytest.raises(NotStratified) as caught:
        stratify(rules)
    cycle = caught.value.cycle
    for number, needed in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        made = {head.kind for head in rules[needed].then}
        assert made & {kind for kind, _ in rules[number].kinds_read()}


@settings(max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_every_rule_comes_once_and_after_what_it_needs(case: tuple[Program, list[Fact]]) -> None:
    rules = case[0].rules
    strata = stratify(rules)
    assert sorted(number for stratum in strata for number in stratum.rules) == list(range(len(rules)))
    complete: set[str] = set()
    waiting = {head.kind for each in rules for head in each.then}
    left = list(range(len(rules)))
    for stratum in strata:
        assert all(
            kind in complete or kind not in waiting
            for number in stratum.rules
            for kind, negated in rules[number].kinds_read()
            if negated
        )
        for group in stratum.groups:
            left = [number for number in left if number not in group.rules]
            still_made = {head.kind for number in left for head in rules[number].then}
            read = {kind for number in group.rules for kind, _ in rules[number].kinds_read()}
            assert not read & still_made
            own = {head.kind for number in group.rules for head in rules[number].then}
            assert group.recursive == bool(own & read)
        complete = waiting - {head.kind for number in left for head in rules[number].then}
