"""What is sound in the law but probably not meant: rules that do nothing, and words that do not fit them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bridgelaws.errors import Diagnostic
from bridgelaws.lawbook.clauses import Conclusion, LawRule, Pattern
from bridgelaws.lawbook.covering import conflicting, covers, defeats_itself
from bridgelaws.lawbook.editions import RuleInForce, provisions
from bridgelaws.lawbook.gists import unsaid
from bridgelaws.lawbook.law import Law
from bridgelaws.lawbook.possible import can_match, contradiction
from bridgelaws.lawbook.sources import file_order
from bridgelaws.lawbook.vocabulary import Vocabulary
from bridgelaws.located import PathTo

Made = Mapping[str, Sequence[Conclusion]]

_GIVEN = ("table", "report", "regulation")


@dataclass(frozen=True)
class _Remark:
    """What is odd about a rule, whatever the edition."""

    rule: int
    path: PathTo
    message: str
    hint: str
    code: str


def law_warnings(law: Law, problems: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
    """Every warning, in file order. Files with problems are left alone, and so is what may follow from them."""
    broken = {each.file for each in problems}
    remarks: dict[_Remark, list[str]] = {}
    in_force: dict[int, list[str]] = {}
    rules: dict[int, LawRule] = {}
    for edition in law.editions.values():
        found = [
            RuleInForce(each, rule)
            for each in provisions(law.clauses, edition)
            for rule in each.version.rules
            if rule.document.file not in broken and _understood(rule, law.vocabulary)
        ]
        for each in found:
            rules[id(each.rule)] = each.rule
            in_force.setdefault(id(each.rule), []).append(edition.name)
        for remark in dict.fromkeys(_remarks(found, law.vocabulary, whole=not broken)):
            remarks.setdefault(remark, []).append(edition.name)
    told = [
        rules[remark.rule].document.problem(
            remark.path,
            remark.message + _in_editions(editions, in_force[remark.rule]),
            remark.hint,
            at_key=True,
            code=remark.code,
            severity="warning",
        )
        for remark, editions in remarks.items()
    ]
    return file_order((*told, *_gists(law, broken), *_questions(law, broken), *(() if broken else _idle_kinds(law))))


def _understood(rule: LawRule, vocabulary: Vocabulary) -> bool:
    """Whether the vocabulary has every kind of the rule; one that is itself at fault was left out of it."""
    patterns = (*rule.when, *(each for exception in rule.unless for each in exception))
    kinds = [pattern.kind for pattern in patterns] + [conclusion.kind for conclusion in rule.conclusions]
    return all(kind in vocabulary for kind in kinds)


def _in_editions(editions: Sequence[str], all_editions: Sequence[str]) -> str:
    if list(editions) == list(all_editions):
        return ""
    return f" in the {' and the '.join(editions)} edition{'s' if len(editions) > 1 else ''}"


def _remarks(rules: Sequence[RuleInForce], vocabulary: Vocabulary, *, whole: bool) -> Iterator[_Remark]:
    idle: set[int] = set()
    for each in rules:
        found = list(_of_one_rule(each.rule, vocabulary))
        idle |= {remark.rule for remark in found if remark.code == "never-fires"}
        yield from found
    if whole:
        found = list(_missing_kinds([each.rule for each in rules], idle, vocabulary))
        idle |= {remark.rule for remark in found if remark.code == "never-fires"}
        yield from found
    yield from _of_two_rules([each for each in rules if id(each.rule) not in idle], vocabulary)


def _of_one_rule(rule: LawRule, vocabulary: Vocabulary) -> Iterator[_Remark]:
    """Tests that contradict each other, and an exception that says what a condition says."""
    opposed = contradiction(rule.when, vocabulary)
    if opposed is not None:
        message = f"the rule '{rule.name}' can never fire: this test leaves no value for {opposed.column}"
        yield _Remark(id(rule), opposed.path, message, "drop one of the tests", code="never-fires")
        return
    place = defeats_itself(rule, vocabulary)
    if place is not None:
        message = f"the rule '{rule.name}' can never fire: this exception holds whenever its conditions do"
        yield _Remark(id(rule), rule.unless[place][0].path, message, "drop the exception", code="never-fires")
        return
    for exception in rule.unless:
        opposed = contradiction((*rule.when, *exception), vocabulary)
        if opposed is not None:
            message = f"this exception can never hold: this test leaves no value for {opposed.column}"
            yield _Remark(
                id(rule), opposed.path, message, "drop the exception or mend the test", code="exception-never-holds"
            )


def _missing_kinds(rules: Sequence[LawRule], idle: set[int], vocabulary: Vocabulary) -> Iterator[_Remark]:
    """Rules and exceptions that read what no rule of the edition can give."""
    made = _made(rules, idle, vocabulary)
    for rule in rules:
        missing = next((each for each in rule.when if not _available(each, made, vocabulary)), None)
        if missing is not None and id(rule) not in idle:
            message = f"the rule '{rule.name}' can never fire: {_nothing_gives(missing, made, vocabulary)}"
            yield _Remark(
                id(rule), missing.path, message, "conclude it in some rule, or drop this one", code="never-fires"
            )
        for exception in rule.unless:
            missing = next((each for each in exception if not _available(each, made, vocabulary)), None)
            if missing is not None:
                message = f"this exception can never hold: {_nothing_gives(missing, made, vocabulary)}"
                hint = "conclude it in some rule, or drop the exception"
                yield _Remark(id(rule), missing.path, message, hint, code="exception-never-holds")


def _made(rules: Sequence[LawRule], idle: set[int], vocabulary: Vocabulary) -> Made:
    """All that the rules can give, built up from what is given.

    A rule that lacks something on its own account counts as firing: what merely follows from it is no second mistake.
    """
    everything = _conclusions(rules)
    assumed = idle | {id(rule) for rule in rules if not _can_fire(rule, everything, vocabulary)}
    firing: list[LawRule] = []
    waiting = list(rules)
    while True:
        made = _conclusions(firing)
        ready = [rule for rule in waiting if id(rule) in assumed or _can_fire(rule, made, vocabulary)]
        if not ready:
            return made
        firing += ready
        started = {id(rule) for rule in firing}
        waiting = [rule for rule in waiting if id(rule) not in started]


def _conclusions(rules: Iterable[LawRule]) -> Made:
    made: dict[str, list[Conclusion]] = {}
    for rule in rules:
        for conclusion in (*rule.then, *rule.offer):
            made.setdefault(conclusion.kind, []).append(conclusion)
    return made


def _can_fire(rule: LawRule, made: Made, vocabulary: Vocabulary) -> bool:
    return all(_available(pattern, made, vocabulary) for pattern in rule.when)


def _available(pattern: Pattern, made: Made, vocabulary: Vocabulary) -> bool:
    source = vocabulary[pattern.kind].source
    if source in _GIVEN:
        return True
    if source == "choice":
        # One that was made earlier may say more than what is offered now.
        return pattern.kind in made
    return any(can_match(pattern, conclusion, vocabulary) for conclusion in made.get(pattern.kind, ()))


def _nothing_gives(pattern: Pattern, made: Made, vocabulary: Vocabulary) -> str:
    verb = "offers" if vocabulary[pattern.kind].source == "choice" else "concludes"
    return f"no rule {verb} {pattern.kind}{' with these values' if pattern.kind in made else ''}"


def _of_two_rules(rules: Sequence[RuleInForce], vocabulary: Vocabulary) -> Iterator[_Remark]:
    """Rules that add nothing to another, and rules that always contradict another."""
    concluding: dict[str, list[RuleInForce]] = {}
    for each in rules:
        for kind in {conclusion.kind for conclusion in each.rule.conclusions}:
            concluding.setdefault(kind, []).append(each)
    for together in concluding.values():
        for first, second in combinations(together, 2):
            # Two clauses may well say the same: a ruling then names both.
            if first.provision is second.provision:
                yield from _covered(first.rule, second.rule, vocabulary)
    for kind, together in concluding.items():
        for other in vocabulary[kind].contradicts:
            for first in together:
                for second in concluding.get(other, ()):
                    yield from _conflict(first, second, vocabulary)


def _covered(first: LawRule, second: LawRule, vocabulary: Vocabulary) -> Iterator[_Remark]:
    for general, special in ((first, second), (second, first)):
        if covers(general, special, vocabulary):
            message = f"the rule '{special.name}' adds nothing: the rule '{general.name}' fires whenever it does"
            hint = "drop it, or say where it differs"
            yield _Remark(id(special), (*special.path, "name"), message, hint, code="always-covered")
            return


def _conflict(first: RuleInForce, second: RuleInForce, vocabulary: Vocabulary) -> Iterator[_Remark]:
    for one, other in ((first, second), (second, first)):
        found = conflicting(one.rule, other.rule, vocabulary)
        if found is not None:
            fires = f"whenever the rule '{other.rule.name}' fires, so does {one.number} '{one.rule.name}'"
            message = f"{fires}, and {found[0]} contradicts {found[1]}"
            hint = "make one of them an exception of the other"
            yield _Remark(id(other.rule), (*other.rule.path, "name"), message, hint, code="conflict")
            return


def _gists(law: Law, broken: set[str]) -> Iterator[Diagnostic]:
    for clause in law.clauses:
        for version in clause.versions:
            if version.document.file in broken or not all(_understood(each, law.vocabulary) for each in version.rules):
                continue
            for word in unsaid(version, law.vocabulary):
                message = f"the gist says '{word}', and no rule of this version does"
                hint = "mend the gist or the rules"
                path: PathTo = (*version.path, "gist")
                yield version.document.problem(path, message, hint, code="gist-names", severity="warning")


def _questions(law: Law, broken: set[str]) -> Iterator[Diagnostic]:
    for kind in law.vocabulary.of_source("report"):
        document, path = law.places[kind.name]
        for name, each in kind.fields.items():
            if not (each.ask or each.may_be_left_open) and document.file not in broken:
                message = f"{kind.name} does not say how to ask for its {name}"
                hint = "add ask: to the field, or optional: true"
                where: PathTo = (*path, "fields", name)
                yield document.problem(where, message, hint, at_key=True, code="no-ask", severity="warning")


def _idle_kinds(law: Law) -> Iterator[Diagnostic]:
    """Kinds that do nothing: no rule gives them, or none reads them. Rulings are announced, and need no reader."""
    rules = [rule for clause in law.clauses for version in clause.versions for rule in version.rules]
    given = {conclusion.kind for rule in rules for conclusion in rule.conclusions}
    read = {
        each.kind for rule in rules for each in (*rule.when, *(each for patterns in rule.unless for each in patterns))
    }
    for name, kind in law.vocabulary.kinds.items():
        document, path = law.places[name]
        verb = {"derived": "concludes", "ruling": "concludes", "choice": "offers"}.get(kind.source)
        # Where a rule reads what none gives, that rule is told of: it can never fire.
        if verb and name not in given and name not in read:
            message, hint = f"no rule {verb} {name}", f"write a rule that {verb} it, or remove the kind"
            yield document.problem(path, message, hint, at_key=True, code="kind-not-concluded", severity="warning")
        if kind.source != "ruling" and name not in read:
            message, hint = f"no rule reads {name}", "write a rule that reads it, or remove the kind"
            yield document.problem(path, message, hint, at_key=True, code="kind-not-read", severity="warning")
