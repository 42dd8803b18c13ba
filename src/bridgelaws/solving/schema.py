"""The JSON Schema of what `bridgelaws verify` prints."""

from __future__ import annotations

from bridgelaws.lawbook.schemas import DIALECT, Schema, exactly

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 1}
NUMBER: Schema = {"type": "integer", "minimum": 0}
RULING: Schema = {"type": "object", "description": "As ruling.schema.json describes it"}
CASE: Schema = {"type": "object", "description": "As case.schema.json describes it"}
REASON: Schema = {"anyOf": [TEXT, {"type": "null"}], "description": "Why editions.yaml leaves it open"}
CHECKS = ("contradiction", "no ruling", "no card to play", "dead rule", "dead exception")


def verify_schema() -> Schema:
    """What is wrong with an edition; with `--same`, whether two give the same rulings."""
    problem = exactly(
        {
            "check": {"enum": list(CHECKS)},
            "text": TEXT,
            "case": {"anyOf": [CASE, {"type": "null"}], "description": "A table that shows it, replayed"},
            "ruling": {"anyOf": [RULING, {"type": "null"}]},
            "accepted": {"type": "boolean", "description": "Known to the authors of the law, and meant so"},
            "left_open": REASON,
        }
    )
    unfinished = exactly(
        {
            "question": TEXT,
            "within": {**TEXT, "description": "The bounds searched to the end"},
            "not_with": {
                "type": "array",
                "items": {"type": "array", "items": TEXT},
                "description": "With one report more, the kinds given together whose tables were not",
            },
            "left_open": REASON,
        }
    )
    verified = exactly(
        {
            "format": {"const": 1},
            "edition": TEXT,
            "bounds": exactly({"cards": COUNT, "reports": COUNT}),
            "searches": exactly({"made_now": NUMBER, "made_before": NUMBER}),
            "problems": {"type": "array", "items": problem},
            "not_searched_to_the_end": {"type": "array", "items": unfinished},
        }
    )
    witness = exactly({"case": CASE, "before": RULING, "after": RULING})
    same = exactly(
        {
            "format": {"const": 1},
            "same": {"type": "boolean", "description": "Proven to be the same within the bounds"},
            "witness": {"anyOf": [witness, {"type": "null"}], "description": "A table ruled differently"},
        }
    )
    return {
        "$schema": DIALECT,
        "title": "verify",
        "type": "object",
        "if": {"required": ["same"]},
        "then": same,
        "else": verified,
    }
