"""Put rules in an order in which every kind is complete before an exception reads it."""

from __future__ import annotations

from collections.abc import Sequence

from bridgelaws.engine.program import Group, Rule, Stratum


class NotStratified(Exception):
    """An exception reads a kind that depends on the exception's own rule; `cycle` holds the rules in it, in order."""

    def __init__(self, cycle: tuple[int, ...]) -> None:
        self.cycle = cycle
        super().__init__(f"cycle through an exception: rules {cycle}")


def stratify(rules: Sequence[Rule]) -> tuple[Stratum, ...]:
    makers: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for kind in dict.fromkeys(head.kind for head in rule.then):
            makers.setdefault(kind, []).append(number)
    needs: list[dict[int, bool]] = []
    for rule in rules:
        need: dict[int, bool] = {}
        for kind, negated in rule.kinds_read():
            for maker in makers.get(kind, ()):
                need[maker] = need.get(maker, False) or negated
        needs.append(need)

    components = _components(needs)
    member = {rule: number for number, component in enumerate(components) for rule in component}
    level = [0] * len(components)
    strata: list[list[Group]] = []
    # INVARIANT: `_components` yields a component after every component that it needs.
    for number, component in enumerate(components):
        for reader in component:
            for needed, negated in needs[reader].items():
                if member[needed] == number:
                    if negated:
                        raise NotStratified(_cycle(needs, component, reader, needed))
                else:
                    level[number] = max(level[number], level[member[needed]] + negated)
        while len(strata) <= level[number]:
            strata.append([])
        recursive = len(component) > 1 or component[0] in needs[component[0]]
        strata[level[number]].append(Group(tuple(sorted(component)), recursive))
    return tuple(Stratum(tuple(groups)) for groups in strata)


def _components(needs: Sequence[dict[int, bool]]) -> list[list[int]]:
    """Strongly connected components, each after those it needs (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(needs)):
        if root in order:
            continue
        work = [(root, iter(needs[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for needed in rest:
                if needed not in order:
                    order[needed] = low[needed] = len(order)
                    stack.append(needed)
                    on_stack.add(needed)
                    work.append((needed, iter(needs[needed])))
                    break
                if needed in on_stack:
                    low[node] = min(low[node], order[needed])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component: list[int] = []
                    while True:
                        last = stack.pop()
                        on_stack.discard(last)
                        component.append(last)
                        if last == node:
                            break
                    found.append(component)
    return found


def _cycle(needs: Sequence[dict[int, bool]], component: Sequence[int], rule: int, needed: int) -> tuple[int, ...]:
    """The shortest way round: from `rule` to the rule its exception needs, and back to `rule`."""
    inside = set(component)
    paths: dict[int, tuple[int, ...]] = {needed: (rule, needed)}
    queue = [needed]
    while rule not in paths:
        node = queue.pop(0)
        for following in needs[node]:
            if following in inside and following not in paths:
                paths[following] = (*paths[node], following)
                queue.append(following)
    return paths[rule][:-1]
