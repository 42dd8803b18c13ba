"""The language server: hands the editor's questions to the answers, in the editor's own positions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec
from pygls.workspace.position_codec import ServerTextPosition, ServerTextRange

from bridgelaws import __version__
from bridgelaws.errors import Diagnostic, UsageError
from bridgelaws.located import Place
from bridgelaws.lsp import answers
from bridgelaws.lsp.completing import Completion
from bridgelaws.lsp.desk import Desk
from bridgelaws.lsp.problems import Survey, case_problems, survey
from bridgelaws.lsp.roles import Form, What
from bridgelaws.lsp.texts import Position, Span, span_at, text_lines
from bridgelaws.lsp.uses import Use

PAUSE = 0.3
_REQUEST_FAILED = -32803
_SEVERITY = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
_ICONS = {
    What.kind: types.CompletionItemKind.Class,
    What.field: types.CompletionItemKind.Field,
    What.test: types.CompletionItemKind.Operator,
    What.clause: types.CompletionItemKind.Reference,
    What.edition: types.CompletionItemKind.Module,
}


class _Asked(Protocol):
    """What every question about a position has."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


class LawServer(LanguageServer):
    """The open files on a desk, and the problems that were last told about each file."""

    def __init__(self, laws: Path | None = None) -> None:
        super().__init__("bridgelaws", __version__)
        self.laws = laws
        self.desk = Desk(laws)
        self._surveys: dict[Path | None, Survey] = {}
        self._told: set[Path] = set()
        self._waiting: asyncio.TimerHandle | None = None
        self._looking = asyncio.Lock()

    def settle(self, folders: Iterable[str]) -> None:
        """Take the folders that the editor works in as those to look for cases in."""
        roots = [path for uri in folders if (path := _path(uri)) is not None]
        self.desk = Desk(self.laws, roots)

    def opened(self, uri: str) -> Path | None:
        """Note the text of a document as it now is; nothing for one that is no file."""
        path = _path(uri)
        if path is not None:
            self.desk.open[path] = self.workspace.get_text_document(uri).source
        return path

    def changed(self, path: Path | None) -> None:
        """Look again once the typing pauses. What changed in a law is why every case is looked at again."""
        home = self.desk.home(path) if path is not None else None
        if home is None or home.form is not Form.case:
            self._surveys.clear()
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(PAUSE, lambda: asyncio.ensure_future(self._look()))

    async def _look(self) -> None:
        async with self._looking:
            surveys = dict(self._surveys)
            found = await asyncio.to_thread(look, self.desk, surveys)
            self._surveys |= surveys
        for path in sorted(self._told | found.keys()):
            self._publish(path, found.get(path, []))
        self._told = set(found)

    def _publish(self, path: Path, problems: list[Diagnostic]) -> None:
        lines = text_lines(self.desk.text(path))
        told = [
            types.Diagnostic(
                self.range(lines, span_at(lines, Place(max(each.line, 1), max(each.column, 1)))),
                f"{each.message}; {each.hint}" if each.hint else each.message,
                severity=_SEVERITY[each.severity],
                code=each.code or None,
                source="bridgelaws",
            )
            for each in problems
        ]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(_uri(path), told))

    def at(self, params: _Asked) -> tuple[Path, Position] | None:
        path = _path(params.text_document.uri)
        if path is None:
            return None
        lines = text_lines(self.desk.text(path))
        if not 0 <= params.position.line < len(lines):
            return path, Position(params.position.line, 0)
        found = self._codec().position_from_client_units(lines, params.position)
        return path, Position(found.line, found.character)

    def range(self, lines: list[str], span: Span) -> types.Range:
        start, end = (ServerTextPosition(each.line, each.column) for each in (span.start, span.end))
        return self._codec().range_to_client_units(lines, ServerTextRange(start, end))

    def ranged(self, path: Path, span: Span) -> types.Range:
        return self.range(text_lines(self.desk.text(path)), span)

    def locations(self, uses: Iterable[Use]) -> list[types.Location]:
        return [types.Location(_uri(use.path), self.ranged(use.path, use.span)) for use in uses]

    def _codec(self) -> PositionCodec:
        return self.workspace.position_codec


def look(desk: Desk, surveys: dict[Path | None, Survey]) -> dict[Path, list[Diagnostic]]:
    """Every problem of the laws and cases that are open, by file; laws that were not surveyed yet are added."""
    homes = {path: home for path in list(desk.open) if (home := desk.home(path)) is not None}
    found: dict[Path, list[Diagnostic]] = {}
    for laws in dict.fromkeys(home.laws for home in homes.values()):
        surveyed = surveys.get(laws) or survey(desk, laws)
        surveys[laws] = surveyed
        for path, problems in surveyed.problems.items():
            found[path] = list(dict.fromkeys([*found.get(path, []), *problems]))
    for path, home in homes.items():
        if home.form is Form.case:
            found[path] = case_problems(desk, path, surveys[home.laws])
        else:
            found.setdefault(path, [])
    return found


def law_server(laws: Path | None = None) -> LawServer:
    """The server, with everything that it answers."""
    server = LawServer(laws)
    _listen(server)
    _answer(server)
    return server


def _listen(server: LawServer) -> None:
    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        root = server.workspace.root_uri
        server.settle([*server.workspace.folders, *([root] if root else [])])

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(server.opened(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(server.opened(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        server.changed(None)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(_: types.DidChangeWatchedFilesParams) -> None:
        server.changed(None)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        path = _path(params.text_document.uri)
        if path is not None:
            server.desk.open.pop(path, None)
            server.changed(None)


def _answer(server: LawServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        at = server.at(params)
        told = answers.hover(server.desk, *at) if at else None
        if not at or not told:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, told[0])
        return types.Hover(content, server.ranged(at[0], told[1]))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        at = server.at(params)
        return server.locations(answers.definition(server.desk, *at)) if at else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        at = server.at(params)
        declared = params.context.include_declaration
        return server.locations(answers.references(server.desk, *at, declared=declared)) if at else []

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["$", "{", " ", '"', "-"])
    )
    def completion(params: types.CompletionParams) -> types.CompletionList:
        at = server.at(params)
        found = answers.complete(server.desk, *at) if at else None
        if not at or not found:
            return types.CompletionList(False, [])
        replaced = server.ranged(at[0], found[1])
        return types.CompletionList(False, [_item(each, replaced, place) for place, each in enumerate(found[0])])

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        at = server.at(params)
        found = answers.renamable(server.desk, *at) if at else None
        return types.PrepareRenamePlaceholder(server.ranged(at[0], found[1]), found[0]) if at and found else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        at = server.at(params)
        if not at:
            return None
        try:
            edits = answers.rename(server.desk, *at, params.new_name)
        except UsageError as wrong:
            raise JsonRpcException(str(wrong), _REQUEST_FAILED) from None
        return types.WorkspaceEdit(
            {
                _uri(path): [types.TextEdit(server.ranged(path, span), params.new_name) for span in spans]
                for path, spans in edits.items()
            }
        )


def _item(each: Completion, replaced: types.Range, place: int) -> types.CompletionItem:
    icon = types.CompletionItemKind.Variable if each.variable else _ICONS.get(each.what, types.CompletionItemKind.Value)
    return types.CompletionItem(
        each.label,
        kind=icon,
        detail=each.detail or None,
        # Editors sort by the label unless told otherwise; the order of the vocabulary says more.
        sort_text=f"{place:05}",
        filter_text=each.label,
        text_edit=types.TextEdit(replaced, each.text),
    )


def _path(uri: str) -> Path | None:
    """The file that a document is; nothing for one that was never saved or that lies elsewhere."""
    name = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(name).resolve() if name else None


def _uri(path: Path) -> str:
    return path.as_uri()
