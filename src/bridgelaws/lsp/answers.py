"""The answers to what an editor asks about a position in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bridgelaws.errors import UsageError
from bridgelaws.lawbook.law import Law
from bridgelaws.lsp import telling
from bridgelaws.lsp.completing import Completion, completions
from bridgelaws.lsp.desk import Desk, Home
from bridgelaws.lsp.roles import Form, Role, What, role_of
from bridgelaws.lsp.texts import Position, Span, Spot, spot_at, value_at
from bridgelaws.lsp.uses import Use, clause_definition, kind_definition, kind_uses, renamed


@dataclass(frozen=True)
class Word:
    """A word of a file that belongs to a law, and what it is there."""

    home: Home
    spot: Spot
    role: Role

    @property
    def kind(self) -> str:
        """The kind that the word names, or that a question is about."""
        if self.role.what is What.question:
            return self.spot.word.partition(".")[0]
        return self.spot.word if self.role.what is What.kind else ""

    @property
    def span(self) -> Span:
        """Where the kind stands: of a question only the part before the point."""
        start = self.spot.span.start
        end = Position(start.line, start.column + len(self.kind)) if self.kind else self.spot.span.end
        return Span(start, end)

    @property
    def edition(self) -> str:
        """The edition that the text around the word is about, as far as it says so before the word."""
        path = self.spot.path
        of_version = self.home.form is Form.clause and len(path) > 1
        named = _look(self.spot, (*path[:2], "since") if of_version else ("edition",))
        return str(named or "")


def word_at(desk: Desk, path: Path, position: Position) -> Word | None:
    home = desk.home(path)
    spot = spot_at(desk.text(path), position) if home is not None else None
    role = role_of(home.form, spot.path, spot.at_key) if home is not None and spot is not None else None
    return Word(home, spot, role) if home is not None and spot is not None and role is not None else None


def hover(desk: Desk, path: Path, position: Position) -> tuple[str, Span] | None:
    """What to tell about the word at the position, in Markdown, and where the word stands."""
    word = word_at(desk, path, position)
    law = _law(desk, word)
    if word is None or law is None:
        return None
    told = _told(law, word)
    return (told, word.spot.span) if told else None


def definition(desk: Desk, path: Path, position: Position) -> list[Use]:
    """Where the kind at the position is declared, or the clause written."""
    word = word_at(desk, path, position)
    if word is None:
        return []
    if word.role.what is What.clause:
        law = desk.law(word.home.laws)
        latest = law.latest if law is not None else ""
        return clause_definition(desk, word.home.laws, word.spot.word, word.edition or latest)
    name = word.kind or word.role.kind
    return kind_definition(desk, word.home.laws, name) if name else []


def references(desk: Desk, path: Path, position: Position, *, declared: bool = True) -> list[Use]:
    """Every use of the kind at the position; with `declared`, its declaration too."""
    word = word_at(desk, path, position)
    if word is None or not word.kind:
        return []
    return [use for use in kind_uses(desk, word.home.laws, word.kind) if declared or not use.defines]


def complete(desk: Desk, path: Path, position: Position) -> tuple[list[Completion], Span] | None:
    """What may stand at the position, and what it would replace."""
    word = word_at(desk, path, position)
    law = _law(desk, word)
    if word is None or law is None:
        return None
    found = completions(law, word.home.form, desk.text(path), word.spot, word.role)
    return found, Span(word.spot.span.start, position)


def renamable(desk: Desk, path: Path, position: Position) -> tuple[str, Span] | None:
    """The kind at the position and where it stands, if it is one."""
    word = word_at(desk, path, position)
    law = _law(desk, word)
    if word is None or law is None or word.kind not in law.vocabulary:
        return None
    return word.kind, word.span


def rename(desk: Desk, path: Path, position: Position, new: str) -> dict[Path, list[Span]]:
    """What to replace in each file; a usage error says why the name cannot be changed."""
    found = renamable(desk, path, position)
    word = word_at(desk, path, position)
    if found is None or word is None:
        raise UsageError("here stands no kind of fact", "put the cursor on the name of a kind")
    return renamed(desk, word.home.laws, found[0], new)


def _law(desk: Desk, word: Word | None) -> Law | None:
    return desk.law(word.home.laws) if word is not None else None


def _told(law: Law, word: Word) -> str:
    role, name = word.role, word.spot.word
    if role.what is What.field:
        return telling.about_field(law, role.kind, name)
    if role.what is What.value:
        return telling.about_value(law, role.kind, role.field, name)
    if role.what is What.clause:
        return telling.about_clause(law, name)
    if role.what is What.edition:
        return telling.about_edition(law, name)
    if role.what is What.question:
        kind, _, field = name.partition(".")
        return telling.about_field(law, kind, field)
    return telling.about_kind(law, name) if word.kind else ""


def _look(spot: Spot, path: tuple[str | int, ...]) -> object:
    try:
        return value_at(spot.before, path)
    except (KeyError, IndexError, TypeError):
        return None
