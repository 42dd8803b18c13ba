"""When one rule always fires with another: a sound comparison of their conditions after renaming variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bridgelaws.lawbook.clauses import Conclusion, FieldTest, LawRule, Literal, Name, Operand, Pattern
from bridgelaws.lawbook.possible import column_type, column_values, contradiction, passing
from bridgelaws.lawbook.vocabulary import Vocabulary

Binding = Mapping[str, Operand]


def covers(general: LawRule, special: LawRule, vocabulary: Vocabulary) -> bool:
    """Whether the general rule gives all that the special one gives, whenever that fires."""
    return any(_fires_with(general, special, binding, vocabulary) for binding in _same_conclusions(general, special))


def conflicting(first: LawRule, second: LawRule, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Two kinds that contradict each other, both concluded of the same thing whenever the second rule fires."""
    for one in first.then:
        for other in second.then:
            if (
                other.kind not in vocabulary[one.kind].contradicts
                and one.kind not in vocabulary[other.kind].contradicts
            ):
                continue
            shared = one.fields.keys() & other.fields.keys()
            binding = _same_fields(one, other, shared, {})
            if binding is not None and _fires_with(first, second, binding, vocabulary):
                return one.kind, other.kind
    return None


def defeats_itself(rule: LawRule, vocabulary: Vocabulary) -> int | None:
    """The exception that holds whenever the conditions do."""
    for place, exception in enumerate(rule.unless):
        if any(True for _ in _implied(exception, rule.when, _itself(rule), vocabulary)):
            return place
    return None


def _fires_with(general: LawRule, special: LawRule, binding: Binding, vocabulary: Vocabulary) -> bool:
    return any(
        all(_excused(exception, found, special, vocabulary) for exception in general.unless)
        for found in _implied(general.when, special.when, binding, vocabulary)
    )


def _excused(exception: Sequence[Pattern], binding: Binding, special: LawRule, vocabulary: Vocabulary) -> bool:
    """Whether this exception of the general rule can hold only where one of the special rule holds too."""
    renamed = tuple(_renamed(pattern, binding) for pattern in exception)
    given = (*special.when, *renamed)
    if contradiction(given, vocabulary) is not None:
        return True
    return any(True for other in special.unless for _ in _implied(other, given, _itself(special), vocabulary))


def _itself(rule: LawRule) -> Binding:
    return {name: Name(name) for pattern in rule.when for name, _ in pattern.names()}


def _renamed(pattern: Pattern, binding: Binding) -> Pattern:
    """The pattern in the words of the other rule; a variable of the exception alone gets a name that no rule has."""
    return replace(
        pattern,
        tests=tuple(
            replace(test, operands=tuple(_put_in(each, binding, mark="'") for each in test.operands))
            for test in pattern.tests
        ),
    )


def _put_in(operand: Operand, binding: Binding, mark: str = "") -> Operand:
    return binding.get(operand.name, Name(mark + operand.name)) if isinstance(operand, Name) else operand


def _same_conclusions(general: LawRule, special: LawRule) -> Iterator[Binding]:
    """Every way in which the conclusions of the special rule are among those of the general one."""
    wanted = [(key, each) for key in ("then", "offer", "ask") for each in getattr(special, key)]

    def each_way(place: int, binding: Binding) -> Iterator[Binding]:
        if place == len(wanted):
            yield binding
            return
        key, conclusion = wanted[place]
        for candidate in getattr(general, key):
            same = (candidate.kind, candidate.force, candidate.because) == (
                conclusion.kind,
                conclusion.force,
                conclusion.because,
            )
            if same and candidate.fields.keys() == conclusion.fields.keys():
                extended = _same_fields(candidate, conclusion, conclusion.fields.keys(), binding)
                if extended is not None:
                    yield from each_way(place + 1, extended)

    yield from each_way(0, {})


def _same_fields(
    general: Conclusion, special: Conclusion, fields: set[str] | frozenset[str] | Sequence[str], binding: Binding
) -> Binding | None:
    for name in fields:
        extended = _bound(general.fields[name], special.fields[name], binding)
        if extended is None:
            return None
        binding = extended
    return binding


def _bound(general: Operand, special: Operand, binding: Binding) -> Binding | None:
    """The binding under which the general operand is the special one, if there is one."""
    if isinstance(general, Literal):
        return binding if general == special else None
    if general.name in binding:
        return binding if binding[general.name] == special else None
    return {**binding, general.name: special}


def _implied(
    general: Sequence[Pattern], special: Sequence[Pattern], binding: Binding, vocabulary: Vocabulary
) -> Iterator[Binding]:
    """Every binding under which facts that meet the special patterns meet the general ones as well."""
    pairs: list[tuple[Pattern, Pattern]] = []

    def each_way(place: int, binding: Binding) -> Iterator[Binding]:
        if place == len(general):
            if all(_tests_implied(one, other, binding, vocabulary) for one, other in pairs):
                yield binding
            return
        for candidate in special:
            if candidate.kind == general[place].kind:
                pairs.append((general[place], candidate))
                for found in _bindings(_binders(general[place]), candidate, binding):
                    yield from each_way(place + 1, found)
                pairs.pop()

    yield from each_way(0, binding)


def _binders(pattern: Pattern) -> list[FieldTest]:
    return [test for test in pattern.tests if _binds(test)]


def _binds(test: FieldTest) -> bool:
    return test.comparator == "equal" and isinstance(test.operands[0], Name)


def _bindings(tests: Sequence[FieldTest], special: Pattern, binding: Binding) -> Iterator[Binding]:
    if not tests:
        yield binding
        return
    for other in special.tests:
        if other.comparator == "equal" and other.column == tests[0].column:
            found = _bound(tests[0].operands[0], other.operands[0], binding)
            if found is not None:
                yield from _bindings(tests[1:], special, found)


def _tests_implied(general: Pattern, special: Pattern, binding: Binding, vocabulary: Vocabulary) -> bool:
    return all(_test_implied(test, general, special, binding, vocabulary) for test in general.tests if not _binds(test))


def _test_implied(
    test: FieldTest, general: Pattern, special: Pattern, binding: Binding, vocabulary: Vocabulary
) -> bool:
    wanted = replace(test, operands=tuple(_put_in(each, binding) for each in test.operands))
    for other in special.tests:
        same = (other.column, other.comparator) == (wanted.column, wanted.comparator)
        if same and set(other.operands) <= set(wanted.operands):
            return True
    values = passing(wanted, column_type(general, test, vocabulary))
    # A field that the special pattern does not test may have no value at all, and then no test holds of it.
    given = any(other.field == test.field for other in special.tests)
    return values is not None and given and column_values(special, test, vocabulary) <= values
