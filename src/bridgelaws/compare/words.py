"""Which words of two texts differ, so that a reader's eye falls on them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

# Below this the texts have so little in common that every word would be marked.
ALIKE = 0.35

Marked = tuple[tuple[str, bool], ...]


def differing_words(before: str, after: str) -> tuple[Marked, Marked]:
    """The words of each text, with whether the other lacks it there; no word is marked if the texts are unlike."""
    old, new = before.split(), after.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < ALIKE:
        return tuple((word, False) for word in old), tuple((word, False) for word in new)
    blocks = matcher.get_matching_blocks()
    same_old = {block.a + place for block in blocks for place in range(block.size)}
    same_new = {block.b + place for block in blocks for place in range(block.size)}
    return _marked(old, same_old), _marked(new, same_new)


def _marked(words: Sequence[str], same: set[int]) -> Marked:
    return tuple((word, place not in same) for place, word in enumerate(words))
