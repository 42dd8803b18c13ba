"""Impossible or unreadable tables: each problem is told at its line and column."""

from __future__ import annotations

import pytest

from bridgelaws.errors import CaseError
from bridgelaws.located import read_text
from bridgelaws.table.table import read_table

# Where the problem stands, and how it is told; then the table.
PROBLEMS = {
    "a card that does not exist": (
        "3:8 'D1' is not a card",
        """
  hands:
    N: D1
""",
    ),
    "a card in a list that does not exist": (
        "3:13 'D1' is not a card",
        """
  hands:
    N: [D8, D1]
""",
    ),
    "a card in a trick that does not exist": (
        "3:7 'Z4' is not a card",
        """
  tricks:
    - "W: Z4"
""",
    ),
    "a seat that does not exist": (
        "3:5 'Q' is not a seat",
        """
  hands:
    Q: D8
""",
    ),
    "a part of a trick that does not exist": (
        "3:19 a trick has no 'card'",
        """
  tricks:
    - {cards: S4, card: S4, leader: W}
""",
    ),
    "a suit that does not exist": (
        "4:7 'Z' is not a suit",
        """
  hands:
    N:
      Z: AK
""",
    ),
    "a leader before the colon that does not exist": (
        "3:7 'Q' is not a seat",
        """
  tricks:
    - Q: S4
""",
    ),
    "a leader that does not exist": (
        "3:16 'Q' is not a seat",
        """
  tricks:
    - {leader: Q, cards: S4}
""",
    ),
    "a declarer that does not exist": ("2:13 'Q' is not a seat", "\n  declarer: Q\n"),
    "a hand on lead that does not exist": ("2:12 'Q' is not a seat", "\n  on_lead: Q\n"),
    "a strain that does not exist": ("2:13 'Z' is not a strain", "\n  contract: 4Z by N\n"),
    "a level that does not exist": ("2:13 there is no contract at level '8'", "\n  contract: 8S by N\n"),
    "a stage that does not exist": ("2:10 'plays' is not a stage", "\n  stage: plays\n"),
    "a part that does not exist": ("2:3 a table has no 'hand'", "\n  hand: {N: D8}\n"),
    "the same card in two hands": (
        "4:8 ♦8 is in East's hand and in North's",
        """
  hands:
    N: D8 DT
    E: D9 ♦8
""",
    ),
    "a card twice in one hand": (
        "3:8 ♦8 stands twice in North's hand",
        """
  hands:
    N: D8 DT 8D
""",
    ),
    "a card played twice": (
        "5:7 ♠4 is played twice, to trick 1 and to trick 2",
        """
  contract: 3NT by S
  tricks:
    - S4 S2 SK SA
    - S4
""",
    ),
    "a card played twice to one trick": (
        "4:16 ♠4 is played twice, to trick 1 and to trick 1",
        """
  contract: 3NT by S
  tricks:
    - [S4, S2, S4]
""",
    ),
    "a card played by a player whose hand is complete without it": (
        "5:12 North played ♠3, but all of North's cards are listed, and it is not among them",
        """
  contract: 3NT by S
  hands: {N: AKQ2.432.432.432}
  tricks:
    - [H5, S3]
""",
    ),
    "a card played that is in another hand": (
        "5:7 West played ♠4, but it is in North's hand",
        """
  contract: 3NT by S
  hands: {N: S4}
  tricks:
    - S4
""",
    ),
    "more than 13 cards in a hand": (
        "3:8 North's hand has 14 cards",
        """
  hands:
    N: AKQ2.432.432.5432
""",
    ),
    "more cards in a hand than are left": (
        "4:8 North's hand has 6 cards, but there is room for 5",
        """
  trick: 9
  hands:
    N: [SA, SK, SQ, SJ, ST, S9]
""",
    ),
    "more than four cards in a trick": (
        "3:27 5 cards were played to this trick",
        """
  tricks:
    - W: [S4, S2, SK, SA, S3]
""",
    ),
    "an incomplete trick that is not the last": (
        "4:7 only 3 cards were played to this trick, and it is not the last",
        """
  contract: 3NT by S
  tricks:
    - S4 S2 SK
    - S: D4
""",
    ),
    "more than 13 tricks": (
        "2:246 there are more than 13 tricks",
        "\n  tricks: [TRICKS, S2]\n",
    ),
    "tricks but no way to know who led": (
        "3:7 nothing tells who led to trick 1",
        """
  tricks:
    - S4 S2 SK SA
""",
    ),
    "a trick after one that nobody knows who won": (
        "4:7 nothing tells who led to trick 2",
        """
  tricks:
    - W: S4 S2 SK HA
    - D4
""",
    ),
    "a number of the trick that does not fit": (
        "3:10 this cannot be trick 1: 1 complete trick is listed",
        """
  contract: 3NT by S
  trick: 1
  tricks: [S4 S2 SK SA]
""",
    ),
    "a number that no trick has": ("2:10 there is no trick 15", "\n  trick: 15\n"),
    "text for a number": ("2:10 'nine' stands where the number of a trick belongs", "\n  trick: nine\n"),
    "a list for the contract": ("2:13 a list stands where the contract belongs", "\n  contract: [4S]\n"),
    "a number for the contract": ("2:13 the number 4 stands where the contract belongs", "\n  contract: 4\n"),
    "nothing for the contract": ("2:12 nothing stands where the contract belongs", "\n  contract:\n"),
    "a truth value for the declarer": ("2:13 'true' stands where the declarer belongs", "\n  declarer: true\n"),
    "a list for the hands": ("2:10 a list stands where the hands belong", "\n  hands: [D8]\n"),
    "nothing for a hand": ("2:14 nothing stands where a hand belongs", "\n  hands: {N: null}\n"),
    "a number in a hand": ("2:15 the number 8 stands where a card belongs", "\n  hands: {N: [8]}\n"),
    "a map in a trick": ("2:13 a map stands where a card belongs", "\n  tricks: [[{S: 4}]]\n"),
    "a list for the hand on lead": ("2:12 a list stands where the hand on lead belongs", "\n  on_lead: [W]\n"),
    "a number for the stage": ("2:10 the number 1 stands where the stage belongs", "\n  stage: 1\n"),
    "text for the table": ("1:8 '4S by S' stands where the table belongs", " 4S by S\n"),
    "a list for the table": ("2:3 a list stands where the table belongs", "\n  - 4S by S\n"),
    "a deal of three hands": ("2:9 the deal has 3 hands, not four", '\n  deal: "N:- - -"\n'),
    "a deal from no seat": ("2:9 'Q' is not a seat", '\n  deal: "Q:- - - -"\n'),
    "a hand given by two names": (
        "4:5 North's hand is given twice, as 'N' and 'North'",
        """
  hands:
    N: D8
    North: DT
""",
    ),
    "a hand given by seat and by role": (
        "5:5 North's hand is given twice, as 'N' and 'dummy'",
        """
  contract: 3NT by S
  hands:
    N: D8
    dummy: DT
""",
    ),
    "two declarers": (
        "3:13 the declarer is East here, but South in the contract",
        """
  contract: 3NT by S
  declarer: E
""",
    ),
    "a deal that gives a card to another hand": (
        "4:8 ♠A is in East's hand, but the deal gives it to North",
        """
  deal: "N:AKQ2.432.432.432 - - -"
  hands:
    E: SA
""",
    ),
    "a deal that does not give a card to the hand": (
        "4:8 ♠3 is in North's hand, but the deal does not give it to North",
        """
  deal: "N:AKQ2.432.432.432 - - -"
  hands:
    N: S3
""",
    ),
    "the same card twice in a deal": (
        "2:9 ♠A is in East's hand and in North's",
        '\n  deal: "N:A... A... - -"\n',
    ),
    "dummy before the declarer is known": (
        "3:5 nobody knows who is dummy before the declarer is given",
        """
  hands:
    dummy: D8
""",
    ),
    "tricks in the auction": (
        "2:10 this cannot be the auction: the table has 'tricks', 'trick' or 'on_lead'",
        """
  stage: auction
  tricks:
    - W: S4
""",
    ),
    "a play that is over": ("2:10 the play is over: all 13 tricks are listed", "\n  stage: play\n  tricks: [TRICKS]\n"),
    "a hand on lead that is not": (
        "3:12 North cannot be on lead: West has the lead to trick 1",
        """
  contract: 3NT by S
  on_lead: N
""",
    ),
}
TRICKS = ", ".join(f'"N: S{rank} H{rank} D{rank} C{rank}"' for rank in "23456789TJQKA")


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_table_is_refused_for(name: str) -> None:
    expected, text = PROBLEMS[name]
    with pytest.raises(CaseError) as caught:
        read_table(read_text("table:" + text.replace("TRICKS", TRICKS), "case.yaml", CaseError), ("table",))
    (problem,) = caught.value.diagnostics
    assert f"{problem.line}:{problem.column} {problem.message}" == expected
    assert problem.hint
    assert problem.file == "case.yaml"


def test_a_misspelt_part_is_told_with_its_nearest_name() -> None:
    with pytest.raises(CaseError, match=r"case.yaml:1:9: a table has no 'contrat'; did you mean 'contract'\?"):
        read_table(read_text("table: {contrat: 4S}", "case.yaml", CaseError), ("table",))
