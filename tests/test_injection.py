"""Text in a rule, a vocabulary or a case never becomes code: it is refused, or it is only text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bridgelaws import Case, Lawbook, LawError
from bridgelaws.engine.compiled import CompiledEngine
from bridgelaws.engine.program import Atom, Condition, Constant, Fact, Head, Program, Rule, Test, Variable
from bridgelaws.lawbook.law import read_law

SENTINEL = "SENTINEL"


def attacks(sentinel: Path) -> dict[str, str]:
    """Texts that would leave a file behind if anything ran them."""
    code = f"__import__('pathlib').Path({str(sentinel)!r}).touch()"
    return {
        "a call": code,
        "out of single quotes": f"' + {code} + '",
        "out of double quotes": f'" + {code} + "',
        "out of three quotes": f'""" + {code} + """',
        "a field of str.format": "{0.__class__.__init__.__globals__}",
        "an expression in braces": f"{{{code}}}",
        "an f-string": f"{{{{{code}}}}}",
        "a new line": f"\n{code}\n",
        "a carriage return": f"\r{code}\r",
        "a backslash at the end": "x\\",
        "escapes": "\\x27\\n\\u0027",
        "a comment": f"# {code}",
        "a template": f"$({code}) `{code}` %s %(x)s ${{x}}",
        "a null": "x\0y",
        "a terminal escape": "\x1b]0;owned\x07\x1b[31m",
        "markup": "[bold]x[/bold] <script>alert(1)</script>",
        "a line separator": f"x\u2028{code}",
    }


NAMES = list(attacks(Path()))


@pytest.fixture(params=NAMES)
def attack(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return attacks(tmp_path / SENTINEL)[request.param]


def law(folder: Path, vocabulary: dict[str, Any], clause: dict[str, Any]) -> Path:
    """A law of its own in JSON, which YAML reads, so that any text can stand anywhere."""
    (folder / "law" / "50-cards").mkdir(parents=True)
    editions = {"editions": {"2017": {"name": "An edition"}}}
    for place, data in (("editions", editions), ("vocabulary", vocabulary), ("50-cards/A", clause)):
        (folder / "law" / f"{place}.yaml").write_text(json.dumps(data), encoding="utf-8")
    return folder / "law"


def vocabulary(**changes: Any) -> dict[str, Any]:
    return {
        "kinds": {
            "coughed": {
                "source": "report",
                "means": changes.get("means", "Who coughed, and how."),
                "fields": {
                    changes.get("field", "player"): "seat",
                    "how": {
                        "type": "one_of",
                        "values": {changes.get("value", "loudly"): changes.get("phrase", "loudly"), "softly": "softly"},
                        "ask": changes.get("ask", "How?"),
                    },
                },
                "say": changes.get("say", "{how} coughed"),
            },
            changes.get("kind", "warned"): {
                "source": "ruling",
                "means": "Who is warned.",
                "fields": {"player": "seat"},
                "say": changes.get("announced", "{player} is warned"),
            },
        }
    }


def clause(**changes: Any) -> dict[str, Any]:
    pattern = {
        changes.get("field", "player"): changes.get("variable", "$player"),
        "how": changes.get("value", "loudly"),
    }
    conclusion: dict[str, Any] = {changes.get("kind", "warned"): {"player": changes.get("variable", "$player")}}
    if "because" in changes:
        conclusion["because"] = changes["because"]
    return {
        "title": changes.get("title", "Coughing"),
        "versions": [
            {
                "since": "2017",
                "number": changes.get("number", "50A"),
                "gist": changes.get("gist", "A loud cough is warned."),
                "note": changes.get("note", "For a test."),
                "rules": [
                    {"name": changes.get("name", "a cough"), "when": [{"coughed": pattern}], "then": [conclusion]}
                ],
            }
        ],
    }


PLACES = (
    *("means", "field", "value", "phrase", "ask", "say", "kind", "announced", "variable", "because", "title", "number"),
    *("gist", "note", "name"),
)


@pytest.mark.parametrize("place", PLACES)
def test_text_in_a_law_is_refused_or_only_text(place: str, attack: str, engine_name: str, tmp_path: Path) -> None:
    laws = law(tmp_path, vocabulary(**{place: attack}), clause(**{place: attack}))
    _, problems = read_law(laws)
    if problems:
        assert all(problem.file.startswith(str(laws)) for problem in problems)
        assert all("\n" not in str(problem).replace(str(laws), "") for problem in problems)
        with pytest.raises(LawError):
            Lawbook.load(laws=laws, engine=engine_name)
    else:
        assert place not in ("field", "kind", "value", "variable", "number"), "names are made of plain letters"
        book = Lawbook.load(laws=laws, engine=engine_name)
        ruling = book.rule(Case.from_data({"reports": [{"coughed": {"player": "E", "how": "loudly"}}]}), why=True)
        assert [finding.kind for finding in ruling.findings] == ["warned"]
        json.dumps(ruling.to_json())
        ruling.text()
        book.rule(Case.from_data({"reports": [{"coughed": {"player": "E"}}]})).text()
    assert not (tmp_path / SENTINEL).exists()


def test_some_attacks_are_only_text_and_come_out_as_they_went_in(tmp_path: Path, engine_name: str) -> None:
    attack = attacks(tmp_path / SENTINEL)["out of single quotes"]
    laws = law(tmp_path, vocabulary(announced=attack), clause(name=attack, title=attack))
    book = Lawbook.load(laws=laws, engine=engine_name)
    ruling = book.rule(Case.from_data({"reports": [{"coughed": {"player": "E", "how": "loudly"}}]}), why=True)
    assert ruling.findings[0].text == attack
    assert ruling.why[0].rule == attack
    assert not (tmp_path / SENTINEL).exists()


def test_text_in_a_case_is_refused_or_only_text(attack: str, tmp_path: Path, books: dict[str, Lawbook]) -> None:
    for data in (
        {"title": attack},
        {"table": {"contract": attack}},
        {"table": {"hands": {attack: "D8"}}},
        {"table": {"hands": {"E": attack}}},
        {"reports": [{attack: {}}]},
        {"reports": [{"card_exposed": {attack: "E"}}]},
        {"reports": [{"card_exposed": {"player": attack}}]},
        {"reports": [{"card_exposed": {"manner": attack}}]},
        {"choices": [{attack: attack}]},
        {"regulations": {attack: attack}},
        {"edition": attack},
    ):
        try:
            books["2017"].rule(Case.from_data(data)).text()
        except Exception as wrong:
            assert type(wrong).__name__ == "CaseError"
    assert not (tmp_path / SENTINEL).exists()


def test_any_text_may_be_a_value_of_a_program(attack: str, tmp_path: Path, engine_name: str) -> None:
    """Below the vocabulary, which lets no such value through, the engines must not trust a text either."""
    x = Variable(0)
    program = Program(
        {attack: ("f",), "out": ("f", "g")},
        (
            Rule(
                attack,
                (attack,),
                1,
                Condition((Atom(attack, (x,)),), (Test(x, "not", (Constant(attack + "!"),)),)),
                (Condition((Atom(attack, (Constant(attack + "?"),)),)),),
                (Head("out", (x, Constant(attack))),),
            ),
        ),
    )
    if engine_name == "durable":
        from bridgelaws.engine.durable import DurableEngine

        engine: Any = DurableEngine(program)
    else:
        engine = CompiledEngine(program)
    concluded = list(engine.run([Fact(attack, (attack,)), Fact(attack, (attack + "!",))]).of("out"))
    assert concluded == [Fact("out", (attack, attack))]
    assert not (tmp_path / SENTINEL).exists()


def test_the_generated_program_reaches_nothing_outside_itself(books: dict[str, Lawbook]) -> None:
    engine = books["2017"].engine
    assert isinstance(engine, CompiledEngine)
    exposed = {"card_exposed": {"player": "E", "card": "D8", "manner": "dropped"}}
    case = Case.from_data({"table": {"contract": "4S by S"}, "reports": [exposed]})
    assert books["2017"].rule(case, why=True).why
    assert "def step_" in engine.source and "def record_" in engine.source
    words = {word for word in engine.source.replace("(", " ").replace(".", " ").split() if word.isidentifier()}
    assert not words & {"import", "__import__", "eval", "exec", "open", "getattr", "globals"}
    assert "__" not in engine.source
