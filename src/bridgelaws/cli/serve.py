"""`bridgelaws serve`: rulings over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bridgelaws.cli.options import Laws
from bridgelaws.cli.output import show
from bridgelaws.cli.test import CASES
from bridgelaws.errors import UsageError

NAME = "serve"


def run(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; 0.0.0.0 lets other machines ask.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes any that is free.")
    ] = 8000,
    laws: Laws = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases", help="A folder of cases for the law book and the workshop; tests/cases if it is there."
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            "--cors",
            metavar="ORIGIN",
            help="Let pages of this origin ask, such as https://club.example; repeatable.",
            show_default=False,
        ),
    ] = None,
    max_body: Annotated[
        int, typer.Option("--max-body", min=1, metavar="BYTES", help="The largest case; a batch may have more.")
    ] = 64_000,
    max_batch: Annotated[int, typer.Option("--max-batch", min=1, help="The most cases in a batch.")] = 200,
    max_requests: Annotated[
        int, typer.Option("--max-requests", min=1, help="Requests at once; more get 503 and may try again.")
    ] = 512,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="The longest that a ruling may take.")
    ] = 5.0,
    body_timeout: Annotated[
        float,
        typer.Option("--body-timeout", min=0.1, metavar="SECONDS", help="The longest that a request may take to come."),
    ] = 10.0,
) -> None:
    """Serve rulings over HTTP, until Ctrl-C.

    A program sends a case as JSON, exactly as a case file has it, and gets what `bridgelaws rule --format json` prints:

    \b
        curl http://127.0.0.1:8000/v1/rulings -H content-type:application/json -d '
          {"table": {"contract": "4S by S", "hands": {"E": "DKT862"}},
           "reports": [{"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}]}'

    \b
        POST /v1/rulings        ?edition= ?engine= ?why=true    the ruling
        POST /v1/rulings/batch  the same for a list of cases    a record for each
        POST /v1/questions      ?edition= ?engine=              what must still be asked
        POST /v1/why-not        ?clause=                        what kept a clause from applying
        GET  /v1/editions  /v1/vocabulary  /v1/clauses  /v1/clauses/{number}  /v1/diff/{edition}/{edition}
        GET  /openapi.json  /health  /metrics

    The law is read once, when the server begins: start it again after you have changed a draft. Only this computer can
    ask unless --host says otherwise; there is no password, so put a proxy with one before it on an open network.
    docs/embedding.md tells more.
    """
    try:
        from bridgelaws.web.app import create_app
        from bridgelaws.web.server import address, bound_socket, serve
    except ModuleNotFoundError as missing:
        if missing.name and missing.name.split(".")[0] in ("fastapi", "h11", "starlette", "uvicorn"):
            raise UsageError(f"the server needs {missing.name}", "pip install 'bridgelaws[web]'") from None
        raise
    from bridgelaws.lawbook.law import load_law
    from bridgelaws.web.limits import Limits

    limits = Limits(
        body=max_body,
        batch_body=max(max_body, Limits.batch_body),
        batch=max_batch,
        requests=max_requests,
        seconds=timeout,
        body_seconds=body_timeout,
        header_seconds=body_timeout,
    )
    law = load_law(laws)
    app = create_app(
        law,
        shipped=load_law() if laws else None,
        laws=laws,
        cases=_folder(cases),
        limits=limits,
        cors=cors or (),
    )
    bound = bound_socket(host, port)
    show(f"editions {', '.join(law.editions)} at {address(bound)}; Ctrl-C stops it")
    sys.stdout.flush()
    serve(app, bound, limits, app.outright)


def _folder(cases: Path | None) -> Path | None:
    """The folder of cases; if nobody names one, the usual one if it is there."""
    if cases is not None and not cases.is_dir():
        raise UsageError(f"there is no folder '{cases}'", "--cases takes a folder of case files")
    return cases or (CASES if CASES.is_dir() else None)
