"""What a ruling needs of an edition, whether that was read from its files or kept from an earlier reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bridgelaws.engine.program import Program
from bridgelaws.lawbook.types import FieldType
from bridgelaws.lawbook.vocabulary import Vocabulary


class Wording(Protocol):
    """How a conclusion is put: with what force, and because of what."""

    @property
    def force(self) -> str: ...

    @property
    def because(self) -> str: ...


class EditionInForce(Protocol):
    """An edition to rule by. Rules go by their places in the program."""

    @property
    def name(self) -> str: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def program(self) -> Program: ...

    @property
    def order(self) -> Mapping[str, int]:
        """The place of each clause number in the book."""

    @property
    def advice(self) -> Mapping[str, str]:
        """The advice that clauses give, by their numbers."""

    def number(self, rule: int) -> str:
        """The number of the clause that holds the rule."""

    def wordings(self, rule: int) -> Sequence[Wording]:
        """How each conclusion of the rule is put."""

    def variable_types(self, rule: int) -> Mapping[str, FieldType]:
        """The type of each named variable of the rule."""
