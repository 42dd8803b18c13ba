"""The front door: load an edition of the Laws, and rule on cases."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from bridgelaws.engine.conclusions import Engine
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic, LawError, UsageError, nearest
from bridgelaws.lawbook.edition_in_force import EditionInForce
from bridgelaws.ruling.making import make_ruling
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case, unknown_table_kinds

if TYPE_CHECKING:
    from bridgelaws.lawbook.law import EditionLaw, Law
    from bridgelaws.ruling.why import NotApplied

ENGINES = ("compiled", "durable")


class Lawbook:
    """One edition of the Laws with an engine to run it. Threads may share it."""

    def __init__(
        self, law: EditionInForce, engine: str = "compiled", *, laws: Path | None = None, once: bool = False
    ) -> None:
        unknown = unknown_table_kinds(law.vocabulary)
        if unknown:
            message = f"the program does not compute the table kind '{unknown[0]}' with these fields"
            raise LawError(Diagnostic(message, "vocabulary.yaml", hint="a draft can add reports, not table kinds"))
        self.engine_name = engine
        self.engine = _new_engine(law, engine, once=True) if once else _engine(law, engine)
        self._in_force = law
        self._laws = laws

    @cached_property
    def law(self) -> EditionLaw:
        """All that the edition says; read from its files now if the book was opened without."""
        from bridgelaws.lawbook.law import EditionLaw, load_law

        in_force = self._in_force
        return in_force if isinstance(in_force, EditionLaw) else load_law(self._laws).edition(in_force.name)

    @classmethod
    def load(cls, edition: str | None = None, *, laws: str | Path | None = None, engine: str = "compiled") -> Lawbook:
        """The edition (by default the latest); `laws` is a draft folder to lay over the shipped law."""
        from bridgelaws.lawbook.law import load_law

        law = load_law(Path(laws) if laws is not None else None)
        return cls(law.edition(edition), engine)

    @classmethod
    def for_case(
        cls, case: Case, edition: str | None = None, *, laws: str | Path | None = None, engine: str = "compiled"
    ) -> Lawbook:
        """The edition named here, or else the one that the case names, or else the latest."""
        from bridgelaws.lawbook.law import load_law

        law = load_law(Path(laws) if laws is not None else None)
        return cls(law.edition(edition_for(case, law, edition)), engine)

    @classmethod
    def at_once(
        cls, case: Case, edition: str | None = None, *, laws: Path | None = None, engine: str = "compiled"
    ) -> Lawbook:
        """As `for_case`, for a process that rules once: by the edition as kept from an earlier reading, if it was."""
        from bridgelaws.lawbook.kept import keep, kept_edition

        kept = kept_edition(laws, edition or case.edition)
        if kept is not None:
            with suppress(Exception):
                return cls(kept, engine, laws=laws, once=True)
        book = cls.for_case(case, edition, laws=laws, engine=engine)
        from bridgelaws.lawbook.law import load_law

        keep(load_law(laws), laws)
        return book

    @property
    def edition(self) -> str:
        return self._in_force.name

    def rule(self, case: Case, *, why: bool = False) -> Ruling:
        """The ruling; with `why`, also the reasons for each finding as a tree."""
        if not why:
            return self._ruling(case)
        from bridgelaws.ruling.why import reasons

        ruling, worlds = make_ruling(self.law, self.engine, self.engine_name, case)
        facts = [each.fact for each in ruling.findings]
        facts += sorted(
            (fact for fact in worlds.sure if fact.kind == "may_not_play"), key=lambda fact: str(fact.values)
        )
        return replace(ruling, why=reasons(self.law, worlds, facts))

    def _ruling(self, case: Case) -> Ruling:
        try:
            return make_ruling(self._in_force, self.engine, self.engine_name, case)[0]
        except Exception as wrong:
            if isinstance(wrong, BridgelawsError) or self._in_force is self.law:
                raise
            # What was kept is damaged, although its checksum is right. The law itself is at hand.
            return Lawbook(self.law, self.engine_name).rule(case)

    def watched(self, watch: Callable[[], None], look: Callable[[], None] | None = None) -> Lawbook:
        """The same book; `watch` is called before each run of the engine, and may raise to stop the ruling.

        `look`, if it is given, is called far more often: for every reason that is looked up after the runs.
        """
        from bridgelaws.engine.watched import Watched

        book = Lawbook.__new__(type(self))
        book.__dict__ |= self.__dict__
        book.engine = Watched(self.engine, watch, look)
        return book

    def why_not(self, case: Case, clause: str) -> tuple[NotApplied, ...]:
        """For each rule of the clause, what kept it from applying."""
        from bridgelaws.ruling.why import why_not

        provision = self.law.provision(clause)
        _, worlds = make_ruling(self.law, self.engine, self.engine_name, case)
        return why_not(self.law, [world.conclusions for world in worlds.all], provision)


def edition_for(case: Case, law: Law, edition: str | None = None) -> str:
    """The edition named here, or else the one that the case names, or else the latest."""
    if not edition and case.edition and case.edition not in law.editions:
        hint = nearest(case.edition, law.editions)
        raise CaseError(case.document.problem(("edition",), f"there is no edition '{case.edition}'", hint))
    return edition or case.edition or law.latest


def lawbooks(law: Law, engine: str) -> dict[str, Lawbook]:
    """A lawbook for every edition."""
    return {name: Lawbook(law.edition(name), engine) for name in law.editions}


def _engine(law: EditionInForce, name: str) -> Engine:
    """The engine for an edition, made once: it holds no state between rulings."""
    made = _ENGINES.setdefault(law, {})
    if name not in made:
        made[name] = _new_engine(law, name)
    return made[name]


_ENGINES: WeakKeyDictionary[EditionInForce, dict[str, Engine]] = WeakKeyDictionary()


def _new_engine(law: EditionInForce, name: str, *, once: bool = False) -> Engine:
    if name == "compiled":
        from bridgelaws.engine.compiled import CompiledEngine

        return CompiledEngine(law.program, often=1, noted=True) if once else CompiledEngine(law.program, noted=True)
    if name == "durable":
        from bridgelaws.engine.durable import DurableEngine

        return DurableEngine(law.program)
    raise UsageError(f"there is no engine '{name}'", nearest(name, ENGINES))
