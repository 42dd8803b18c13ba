"""The Laws of Duplicate Bridge as data: clauses in YAML, a forward-chaining engine, rulings with their reasons.

>>> from bridgelaws import Case, Lawbook
>>> case = Case.from_text('''
... table: {contract: 4S by S, hands: {E: ♦KT862}}
... reports:
...   - card_exposed: {player: E, card: D8, manner: dropped}
... ''')
>>> Lawbook.load("2017").rule(case).findings[0].text
'♦8 is a minor penalty card; it stays faced in front of East'
"""

from bridgelaws.book import Lawbook
from bridgelaws.errors import BridgelawsError, CaseError, Diagnostic, EngineError, LawError, UsageError
from bridgelaws.ruling.ruling import Ruling
from bridgelaws.table.case import Case

__version__ = "0.1.0"

__all__ = [
    "BridgelawsError",
    "Case",
    "CaseError",
    "Diagnostic",
    "EngineError",
    "LawError",
    "Lawbook",
    "Ruling",
    "UsageError",
]
