"""The engines agree with each other, and with a referee that is too plain to be wrong."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from naive import TooManyFacts, naive_run
from programs import cases

from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.conclusions import Conclusions, Derivation, Engine
from bridgelaws.engine.durable import DurableEngine
from bridgelaws.engine.program import Atom, Comparator, Condition, Constant, Fact, Head, Program, Rule, Test, Variable
from bridgelaws.errors import EngineError

X, Y, Z = Variable(0), Variable(1), Variable(2)
HAS_DURABLE = sys.version_info < (3, 13) and importlib.util.find_spec("durable") is not None
MakeEngine = Callable[[Program], Engine]

# durable-rules calls it before every action, and Python 3.12 warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:datetime.datetime.utcfromtimestamp:DeprecationWarning")


@pytest.fixture(
    params=[CompiledEngine, pytest.param(DurableEngine, marks=pytest.mark.durable)], ids=["compiled", "durable"]
)
def make(request: pytest.FixtureRequest) -> MakeEngine:
    engine: MakeEngine = request.param
    return engine


def plain(conclusions: Conclusions) -> tuple[dict[str, set[object]], dict[Fact, set[Derivation]]]:
    """The conclusions without their order; nothing may come twice."""
    for found in (*conclusions.facts.values(), *conclusions.derivations.values()):
        assert len(found) == len(set(found))
    return (
        {kind: set(values) for kind, values in conclusions.facts.items() if values},
        {fact: set(derivations) for fact, derivations in conclusions.derivations.items()},
    )


def program(*rules: Rule) -> Program:
    """The rules with the columns that they show."""
    columns: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        patterns: list[Atom | Head] = [*rule.when.atoms, *rule.then]
        patterns += [atom for exception in rule.unless for atom in exception.atoms]
        for pattern in patterns:
            columns[pattern.kind] = tuple(f"f{place}" for place in range(len(pattern.terms)))
    return Program(columns, rules)


def rule(when: Condition, then: Head, *unless: Condition, name: str = "r") -> Rule:
    used = [term.index for atom in when.atoms for term in atom.terms if isinstance(term, Variable)]
    inner = [term.index for each in unless for atom in each.atoms for term in atom.terms if isinstance(term, Variable)]
    count = max([-1, *used, *inner]) + 1
    return Rule(name, tuple(f"v{place}" for place in range(count)), len(set(used)), when, unless, (then,))


def concluded(engine: Engine, kind: str, *facts: Fact) -> set[object]:
    conclusions = engine.run(facts)
    assert plain(conclusions) == plain(naive_run(engine.program, facts))
    return {fact.values for fact in conclusions.of(kind)}


def assert_rules_are_those_of_the_reasons(conclusions: Conclusions) -> None:
    fired: dict[str, list[list[int]]] = {}
    for kind, rows in conclusions.facts.items():
        for row in rows:
            rules = sorted({each.rule for each in conclusions.reasons(Fact(kind, row))})
            fired.setdefault(kind, []).append(rules)
            assert not rules or list(conclusions.derivations.rules(Fact(kind, row))) == rules
    for kind, rules_of_facts in fired.items():
        alike = conclusions.derivations.rules_alike(kind)
        if all(rules_of_facts):
            assert (alike is not None) == all(each == rules_of_facts[0] for each in rules_of_facts)
            assert alike is None or list(alike) == rules_of_facts[0]


@settings(max_examples=600, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_all_engines_agree_on_random_programs(case: tuple[Program, list[Fact]]) -> None:
    random_program, facts = case
    try:
        expected = plain(naive_run(random_program, facts, most=80))
    except TooManyFacts:
        assume(False)
    # A plan is one function from its second run on, as otherwise one in much use; or at once, as for a single ruling.
    engine: Engine
    for often, noted in ((2, False), (2, True), (1, True)):
        engine = CompiledEngine(random_program, often=often, noted=noted)
        assert plain(engine.run(facts)) == expected
        half = len(facts) // 2
        beside = engine.beside(facts[:half])
        for _ in range(4):
            found = beside(facts[half:])
            assert plain(found) == expected
            assert_rules_are_those_of_the_reasons(found)
    if HAS_DURABLE:
        engine = DurableEngine(random_program)
        assert plain(engine.run(facts)) == expected
        assert plain(engine.run(facts[::-1])) == expected


def test_one_fact_may_match_two_patterns(make: MakeEngine) -> None:
    pairs = rule(Condition((Atom("a", (X,)), Atom("a", (Y,)))), Head("pair", (X, Y)))
    assert concluded(make(program(pairs)), "pair", Fact("a", (1,)), Fact("a", (2,))) == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_a_variable_that_stands_twice_in_a_pattern_has_one_value(make: MakeEngine) -> None:
    twice = rule(Condition((Atom("a", (X, X)),)), Head("same", (X,)))
    facts = [Fact("a", values) for values in (("x", "x"), ("x", "y"), ("y", None), (None, None))]
    assert concluded(make(program(twice)), "same", *facts) == {("x",)}


@pytest.mark.parametrize("comparator", ["equal", "not", "above", "below", "at_least", "at_most", "one_of"])
def test_no_test_holds_of_a_value_nobody_gave(make: MakeEngine, comparator: Comparator) -> None:
    tested = rule(Condition((Atom("a", (X,)),), (Test(X, comparator, (Constant(1),)),)), Head("holds", (X,)))
    compared = rule(Condition((Atom("a", (X,)), Atom("a", (Y,))), (Test(X, comparator, (Y,)),)), Head("both", (X, Y)))
    engine = make(program(tested, compared))
    assert concluded(engine, "holds", Fact("a", (None,))) == set()
    assert concluded(engine, "both", Fact("a", (None,)), Fact("a", (1,))) <= {(1, 1)}


def test_a_column_left_out_of_a_pattern_matches_a_value_nobody_gave(make: MakeEngine) -> None:
    any_value = rule(Condition((Atom("a", (None, X)),)), Head("found", (X,)))
    assert concluded(make(program(any_value)), "found", Fact("a", (None, 1))) == {(1,)}


def test_a_value_nobody_gave_can_be_concluded_and_still_equals_nothing(make: MakeEngine) -> None:
    makes = rule(Condition((Atom("a", (X,)),)), Head("b", (X, None)))
    reads = rule(Condition((Atom("b", (X, Y)),)), Head("c", (X,)))
    engine = make(program(makes, reads))
    assert concluded(engine, "b", Fact("a", (1,))) == {(1, None)}
    assert concluded(engine, "c", Fact("a", (1,))) == set()


@pytest.mark.parametrize(
    ("comparator", "expected"),
    [("above", {(3,)}), ("below", {(1,)}), ("at_least", {(2,), (3,)}), ("at_most", {(1,), (2,)})],
)
def test_a_test_may_name_a_variable_of_a_later_pattern(
    make: MakeEngine, comparator: Comparator, expected: set[object]
) -> None:
    when = Condition((Atom("a", (X,)), Atom("limit", (Y,))), (Test(X, comparator, (Y,)),))
    engine = make(program(rule(when, Head("found", (X,)))))
    facts = [Fact("limit", (2,)), *(Fact("a", (value,)) for value in (1, 2, 3))]
    assert concluded(engine, "found", *facts) == expected


def test_numbers_are_ordered_as_numbers(make: MakeEngine) -> None:
    above = rule(Condition((Atom("a", (X,)),), (Test(X, "above", (Constant(9),)),)), Head("found", (X,)))
    facts = [Fact("a", (value,)) for value in (-10, 8, 9, 10, 100, 2**62)]
    assert concluded(make(program(above)), "found", *facts) == {(10,), (100,), (2**62,)}


def test_one_of_may_mix_values_and_variables(make: MakeEngine) -> None:
    when = Condition((Atom("a", (X,)), Atom("b", (Y,))), (Test(X, "one_of", (Y, Constant("k"), Constant("m"))),))
    engine = make(program(rule(when, Head("found", (X, Y)))))
    facts = [Fact("b", ("b",)), *(Fact("a", (value,)) for value in "abkm")]
    assert concluded(engine, "found", *facts) == {("b", "b"), ("k", "b"), ("m", "b")}


def test_a_rule_without_patterns_stands_unless_an_exception_holds(make: MakeEngine) -> None:
    always = rule(Condition(()), Head("open", (Constant(True),)), Condition((Atom("shut", (X,)),)))
    engine = make(program(always))
    assert concluded(engine, "open") == {(True,)}
    assert concluded(engine, "open", Fact("shut", (None,))) == {(True,)}
    assert concluded(engine, "open", Fact("shut", (1,))) == set()


def test_an_exception_reads_a_completed_kind(make: MakeEngine) -> None:
    # The rules stand in the wrong order, and what the exception reads is the end of a recursion.
    edge, path = Atom("edge", (X, Y)), Atom("path", (X, Y))
    cut_off = rule(
        Condition((Atom("node", (X,)), Atom("node", (Y,)))), Head("cut_off", (X, Y)), Condition((path,)), name="cut off"
    )
    longer = rule(Condition((path, Atom("edge", (Y, Z)))), Head("path", (X, Z)), name="longer")
    first = rule(Condition((edge,)), Head("path", (X, Y)), name="first")
    engine = make(program(cut_off, longer, first))
    nodes = "abcd"
    facts = [*(Fact("node", (node,)) for node in nodes), *(Fact("edge", pair) for pair in itertools.pairwise(nodes))]
    assert concluded(engine, "path", *facts) == {(a, b) for a, b in itertools.product(nodes, nodes) if a < b}
    assert concluded(engine, "cut_off", *facts) == {(a, b) for a, b in itertools.product(nodes, nodes) if a >= b}


def test_an_exception_blocks_only_the_binding_for_which_it_holds(make: MakeEngine) -> None:
    lower = Condition((Atom("card", (Y,)),), (Test(Y, "below", (X,)),))
    lowest = rule(Condition((Atom("card", (X,)),)), Head("lowest", (X,)), lower)
    engine = make(program(lowest))
    for order in itertools.permutations([5, 3, 9, 7]):
        assert concluded(engine, "lowest", *(Fact("card", (card,)) for card in order)) == {(3,)}


def test_a_given_fact_that_is_concluded_too_has_its_derivation(make: MakeEngine) -> None:
    engine = make(program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))))
    conclusions = engine.run([Fact("a", (1,)), Fact("b", (1,)), Fact("b", (2,))])
    assert {fact: list(reasons) for fact, reasons in conclusions.derivations.items()} == {
        Fact("b", (1,)): [Derivation(0, (1,))]
    }
    assert set(conclusions.facts["b"]) == {(1,), (2,)}


def test_a_run_leaves_nothing_to_the_next(make: MakeEngine) -> None:
    engine = make(program(rule(Condition((Atom("a", (X,)), Atom("b", (X,)))), Head("c", (X,)))))
    assert concluded(engine, "c", Fact("a", (1,)), Fact("b", (1,))) == {(1,)}
    assert concluded(engine, "c", Fact("b", (1,))) == set()
    assert concluded(engine, "c") == set()


HOSTILE = [
    '"',
    "'",
    '"}, {"$all": 1}',
    "__import__('os').abort()",
    "{0.__class__}",
    "\\",
    "\n",
    "\0",
    "♠é\u2028",
    "",
    "$m",
    "id",
    "sid",
    "x" * 70_000,
    "x" * 70_000 + "y",
    "\ud800",
]


def test_hostile_text_runs_no_code_and_compares_exactly(make: MakeEngine) -> None:
    kinds = {text: f"{text}!" for text in HOSTILE}
    rules = [
        rule(
            Condition((Atom(text, (X,)), Atom(text, (Y,))), (Test(X, "not", (Y,)), Test(Y, "not", (Constant(text),)))),
            Head(kinds[text], (X, Y, Constant(text))),
            Condition((Atom("except", (X, Constant(text))),)),
            name=text,
        )
        for text in HOSTILE
    ]
    engine = make(program(*rules))
    facts = [*(Fact(kind, (value,)) for kind in HOSTILE for value in HOSTILE), Fact("except", ("id", '"'))]
    found = engine.run(facts)
    for kind, head in kinds.items():
        expected = {
            (x, y, kind) for x, y in itertools.permutations(HOSTILE, 2) if y != kind and not (kind == '"' and x == "id")
        }
        assert set(found.facts[head]) == expected


def test_threads_may_share_an_engine(make: MakeEngine) -> None:
    lower = Condition((Atom("card", (Y,)),), (Test(Y, "below", (X,)),))
    lowest = rule(Condition((Atom("card", (X,)),)), Head("lowest", (X,)), lower)
    named = rule(Condition((Atom("lowest", (X,)), Atom("name", (X, Y)))), Head("named", (Y,)))
    engine = make(program(lowest, named))

    def ask(low: int) -> set[object]:
        cards = [Fact("card", (card,)) for card in range(low + 4, low - 1, -1)]
        names = [Fact("name", (card, f"card {card}")) for card in range(60)]
        return {fact.values for fact in engine.run([*cards, *names]).of("named")}

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(ask, list(range(40)) * 3))
    finally:
        sys.setswitchinterval(before)
    assert answers == [{(f"card {low}",)} for low in list(range(40)) * 3]


def many_rules(count: int) -> Iterator[Rule]:
    """Rules that all read the same two kinds, and differ in what they conclude."""
    for number in range(count):
        when = Condition((Atom("a", (X,)), Atom("b", (X, Y))), (Test(Y, "not", (Constant(number),)),))
        yield rule(
            when,
            Head(f"h{number % 9}", (X,)),
            Condition(
                (
                    Atom(
                        "b",
                        (X, Constant(-number)),
                    ),
                )
            ),
        )


def test_plans_become_one_function_until_there_are_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CompiledEngine(
        program(
            rule(Condition((Atom("a", (X,)),)), Head("b", (X,))),
            rule(Condition((Atom("c", (X,)),)), Head("d", (X,))),
        ),
        often=2,
    )
    monkeypatch.setattr("bridgelaws.engine.compiled._MOST_LINES", 1)
    for given_facts in ([Fact("a", (1,))], [Fact("c", (1,))], [Fact("a", (1,)), Fact("c", (1,))]):
        for _ in range(3):
            assert plain(engine.run(given_facts)) == plain(naive_run(engine.program, given_facts))
    assert engine.source.count("def together(") == 1


TABLES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.none() | st.integers(0, 9)), max_size=14)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(TABLES, st.sets(st.integers(0, 9), max_size=4)), min_size=2, max_size=5))
def test_long_tables_are_looked_up_right_whether_or_not_a_value_comes_twice(
    given_tables: list[tuple[list[tuple[int, int, int | None]], set[int]]],
) -> None:
    asked = Atom("asked", (X,))
    rules = program(
        rule(Condition((asked, Atom("b", (X, Y, None)))), Head("by the first", (X, Y))),
        rule(Condition((asked, Atom("b", (Y, X, Z)))), Head("by the second", (X, Y, Z))),
        rule(Condition((asked,)), Head("not first", (X,)), Condition((Atom("b", (X, None, None)),))),
        rule(Condition((asked,)), Head("not second", (X,)), Condition((Atom("b", (None, X, None)),))),
        rule(Condition((asked,)), Head("not third", (X,)), Condition((Atom("b", (None, None, X)),))),
        rule(Condition((asked,)), Head("not before", (X,)), Condition((Atom("b", (Y, X, X)), Atom("b", (Y, X, None))))),
        rule(
            Condition((asked, Atom("b", (Y, None, None)))), Head("beside", (X, Y)), Condition((Atom("b", (Y, X, Z)),))
        ),
    )
    for often, noted in ((2, False), (2, True), (1, True)):
        engine = CompiledEngine(rules, often=often, noted=noted)
        # A table that tells its rows apart, so that the plan is written for such; those that are drawn need not.
        tables = [([(number, number % 4, number) for number in range(7)], {3, 8}), *given_tables]
        for rows, numbers in [*tables[:1], *tables]:
            facts = [Fact("b", row) for row in rows] + [Fact("asked", (number,)) for number in sorted(numbers)]
            assert plain(engine.run(facts)) == plain(naive_run(rules, facts))


@pytest.mark.parametrize("noted", [False, True])
def test_what_was_written_for_few_facts_concludes_the_same_of_many(noted: bool) -> None:
    """Of a kind that is given, of one that is concluded, and of one that only an exception reads."""
    rules = program(
        rule(Condition((Atom("a", (X,)), Atom("b", (X, Y)))), Head("c", (X, Y))),
        rule(Condition((Atom("a", (X,)), Atom("c", (Y, X)))), Head("d", (X, Y))),
        rule(Condition((Atom("a", (X,)), Atom("b", (X, Y)))), Head("e", (X,)), Condition((Atom("d", (X, Z)),))),
        rule(Condition((Atom("d", (X, Y)), Atom("c", (X, Z)))), Head("f", (X, Y, Z))),
    )
    engine = CompiledEngine(rules, often=2, noted=noted)
    few = [Fact("a", (1,)), Fact("a", (2,)), Fact("b", (1, 2)), Fact("b", (2, 3))]
    pairs = [Fact("b", (number // 8, number % 8)) for number in range(64)]
    numbers = [Fact("a", (number,)) for number in range(60)]
    for facts in (few, few, few + pairs, few + numbers, [*pairs, *numbers], few):
        assert plain(engine.run(facts)) == plain(naive_run(rules, facts))
        beside = engine.beside(few)
        for _ in range(4):
            found = beside(facts)
            assert plain(found) == plain(naive_run(rules, [*few, *facts]))
            assert_rules_are_those_of_the_reasons(found)
    assert engine.source.count("def together(") == 1


def test_plans_that_do_the_same_are_one_function() -> None:
    used = rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))
    engine = CompiledEngine(Program({"a": ("f",), "b": ("f",), "c": ("f",), "d": ("f",)}, (used,)), often=2)
    for more in ("c", "d"):
        facts = [Fact("a", (1,)), Fact(more, (2,))]
        for _ in range(3):
            assert plain(engine.run(facts)) == plain(naive_run(engine.program, facts))
    assert engine.source.count("def together(") == 1


def test_a_kind_may_stand_in_a_thousand_rules(make: MakeEngine) -> None:
    engine = make(program(*many_rules(1000)))
    facts = [Fact("a", (1,)), Fact("b", (1, 7)), Fact("a", (2,)), Fact("b", (2, -8))]
    assert plain(engine.run(facts)) == plain(naive_run(engine.program, facts))


@pytest.mark.durable
class TestDurable:
    def test_true_is_not_one(self) -> None:
        engine = DurableEngine(program(rule(Condition((Atom("a", (Constant(1),)),)), Head("one", (Constant(1),)))))
        assert not engine.run([Fact("a", (True,))]).derivations
        assert engine.run([Fact("a", (1,))]).derivations

    def test_no_pattern_can_make_durable_rules_read_past_its_buffer(self) -> None:
        # It does so when the last test between two facts fails, and then most often seems to work.
        apart = Condition((Atom("a", (X,)), Atom("a", (Y,))), (Test(X, "not", (Y,)),))
        engine = DurableEngine(
            program(rule(apart, Head("b", (X, Y)), Condition((Atom("c", (X, Y)), Atom("c", (Y, X))))))
        )
        definition = engine._network(frozenset({"a", "c"})).ruleset.get_definition()
        joined = [pattern for native in definition.values() for each in native["all"][1:] for pattern in each.values()]
        assert len(joined) == 1 + 3
        assert all(pattern["$and"][-1] == {"$gte": {"one": {"p0": "one"}}} for pattern in joined)

    def test_a_number_too_large_to_order_is_an_error_and_the_engine_goes_on(self) -> None:
        engine = DurableEngine(program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))))
        for _ in range(3):
            with pytest.raises(EngineError, match="cannot put 9223372036854775808 in order"):
                engine.run([Fact("a", (1,)), Fact("a", (2**63,))])
        assert concluded(engine, "b", Fact("a", (2**63 - 1,))) == {(2**63 - 1,)}

    def test_the_native_state_is_deleted_after_each_run_even_a_failed_one(self) -> None:
        engine = DurableEngine(program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))))
        engine.run([Fact("a", (1,))])
        with pytest.raises(EngineError):
            engine.run([Fact("a", (2**63,))])
        for state in ("s0", "s1"):
            with pytest.raises(Exception, match="error code: 309"):  # no such state
                engine._network(frozenset({"a"})).ruleset.get_state(state)

    def test_an_exception_in_an_action_is_raised(self, monkeypatch: pytest.MonkeyPatch) -> None:
        engine = DurableEngine(program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))))
        content = importlib.import_module("durable.engine").Content

        def fail(error: BaseException) -> Callable[[object, str], None]:
            def get(_: object, name: str) -> None:
                raise error if name == "id" else AttributeError(name)

            return get

        with monkeypatch.context() as patch:
            patch.setattr(content, "__getattr__", fail(ValueError("lost")))
            with pytest.raises(EngineError, match="lost"):
                engine.run([Fact("a", (1,))])
            patch.setattr(content, "__getattr__", fail(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                engine.run([Fact("a", (1,))])
        assert concluded(engine, "b", Fact("a", (1,))) == {(1,)}

    def test_durable_rules_refusing_a_fact_is_raised(self, monkeypatch: pytest.MonkeyPatch) -> None:
        engine = DurableEngine(program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,)))))
        observed = importlib.import_module("durable.engine").MessageObservedException

        def refuse(message: dict[str, object]) -> int:
            raise observed(message)

        with monkeypatch.context() as patch:
            ruleset = engine._network(frozenset({"a"})).ruleset
            real = ruleset.assert_fact
            patch.setattr(ruleset, "assert_fact", lambda m: real(m) if m["id"] == "0" else refuse(m))
            with pytest.raises(EngineError, match="does not take a fact"):
                engine.run([Fact("a", (1,))])
        assert concluded(engine, "b", Fact("a", (1,))) == {(1,)}

    def test_a_rule_of_sixteen_patterns_runs_and_of_seventeen_is_refused(self) -> None:
        chain = [Atom("next", (Variable(place), Variable(place + 1))) for place in range(17)]
        facts = [Fact("next", (place, place + 1)) for place in range(18)]
        long = rule(Condition(tuple(chain[:16])), Head("far", (X, Variable(16))))
        assert concluded(DurableEngine(program(long)), "far", *facts) == {(0, 16), (1, 17), (2, 18)}
        with pytest.raises(EngineError, match="rule 'too long' joins 17 facts; durable-rules joins 16"):
            DurableEngine(program(rule(Condition(tuple(chain)), Head("far", (X,)), name="too long"))).run(facts)

    def test_more_kinds_than_the_network_holds_are_refused(self) -> None:
        rules = [rule(Condition((Atom(f"k{number}", (X,)),)), Head("h", (X,))) for number in range(501)]
        facts = [Fact(f"k{number}", (number,)) for number in range(501)]
        engine = DurableEngine(program(*rules))
        assert concluded(engine, "h", *facts[1:]) == {(number,) for number in range(1, 501)}
        with pytest.raises(EngineError, match="the rules read 501 kinds; durable-rules has room for 500"):
            engine.run(facts)

    def test_a_program_that_durable_rules_refuses_is_an_error(self) -> None:
        tests = tuple(Test(Y, "not", (X,)) for _ in range(40))
        too_many = rule(Condition((Atom("a", (X,)), Atom("a", (Y,))), tests), Head("b", (X, Y)))
        with pytest.raises(EngineError, match="durable-rules does not take the program"):
            DurableEngine(program(too_many)).run([Fact("a", (1,))])

    def test_a_network_has_only_what_the_facts_can_reach_and_few_are_kept(self) -> None:
        blocked = rule(Condition((Atom("a", (X,)),)), Head("b", (X,)), Condition((Atom("never", (X,)),)))
        further = rule(Condition((Atom("b", (X,)), Atom("c", (X,)))), Head("d", (X,)))
        engine = DurableEngine(program(blocked, further, rule(Condition((Atom("e", (X,)),)), Head("f", (X,)))))
        sizes = {}
        for kinds in ("a", "ac", "ae", "ace"):
            facts = [Fact(kind, (1,)) for kind in kinds]
            assert plain(engine.run(facts)) == plain(naive_run(engine.program, facts))
            sizes[kinds] = len(engine._network(frozenset(kinds)).ruleset.get_definition())
        assert sizes == {"a": 2, "ac": 3, "ae": 3, "ace": 4}  # with the rule that does nothing
        for number in range(20):
            engine.run([Fact("a", (1,)), Fact(f"other{number}", ())])
        assert len(engine._networks) == 8
        assert concluded(engine, "b", Fact("a", (1,)), Fact("never", (1,))) == set()

    def test_a_dropped_engine_gives_its_network_back(self) -> None:
        one = program(rule(Condition((Atom("a", (X,)),)), Head("b", (X,))))
        engine = DurableEngine(one)
        handle = engine._network(frozenset({"a"})).ruleset._handle
        native = importlib.import_module("durable_rules_engine")
        del engine
        with pytest.raises(Exception, match="error code: 111"):  # no such network
            native.delete_ruleset(handle)


def test_without_durable_rules_the_engine_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "durable", None)
    monkeypatch.setitem(sys.modules, "durable.engine", None)
    with pytest.raises(EngineError) as caught:
        DurableEngine(program())
    (problem,) = caught.value.diagnostics
    assert problem.message == "durable-rules is not installed"
    assert "below 3.13" in problem.hint and "pip install durable-rules" in problem.hint
