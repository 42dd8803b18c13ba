"""How an announcement becomes part of a sentence: what was not said is left out, and phrases are fitted in."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from bridgelaws.engine.program import Value
from bridgelaws.lawbook.referents import Phrase
from bridgelaws.lawbook.vocabulary import Kind

_PLACE = re.compile(r"\{(\w+)(\.a)?\}")
_BEFORE_A_NAME = r" (?:at|to|(?<!lies )in|since|for|from|with|of|against|because of|instead of|in place of)(?: trick)?"
_ANSWER = re.compile(r"(.*?)(?:[,;] ([^,;:]*))?: \{(\w+)\}")
_ARTICLE = re.compile(r"(?:^|\s)(?:the|a|an)(?: [a-z]+)? $")


def answer_field(template: str) -> str:
    """The field whose answer ends the announcement: `damaged` of `… did damage: {damaged}`."""
    found = _ANSWER.fullmatch(template)
    return found[3] if found else ""


def trimmed(template: str, kind: Kind, tested: Collection[str], answers: Mapping[str, Value]) -> str:
    """The announcement as a condition says it: the main clause, its answer worked in, without what is not tested."""
    text = _answered(template, kind, tested, answers)
    text = text.partition("; ")[0]
    card = next((name for name, each in kind.fields.items() if each.type.name == "card" and f"{{{name}}}" in text), "")
    for name in dict.fromkeys(found[1] for found in _PLACE.finditer(text)):
        if name not in tested:
            text = _without(text, name, kind)
    return with_the_rest(text.rstrip(", "), kind, tested, card) if kind.source != "choice" else text


def _answered(template: str, kind: Kind, tested: Collection[str], answers: Mapping[str, Value]) -> str:
    """`… : {damaged}` is so, is not so, or is left open."""
    found = _ANSWER.fullmatch(template)
    if not found or found[3] not in kind.fields:
        return template
    main, manner, name = found[1], found[2], found[3]
    if kind.fields[name].type.name != "yes_no":
        return template.replace("; ", ", ") if name in tested else main
    answer = answers.get(name)
    if answer is None:
        return main
    if manner and manner.startswith("it "):
        return f"{main}, and {'' if answer else 'it is not so that '}{manner}"
    if manner:
        return f"{main}, {'' if answer else 'not '}{manner}"
    return main if answer else f"it is not so that {main}"


def _without(text: str, name: str, kind: Kind) -> str:
    """The text without a field that is left open, as far as that still reads."""
    place = rf"\{{{name}(?:\.a)?\}}"
    text, done = re.subn(rf"{place}'s (?=\{{)", "", text)
    if done:
        return text
    text, done = re.subn(rf"{_BEFORE_A_NAME} {place}(?!')", "", text)
    if done or kind.fields[name].type.name not in ("one_of", "yes_no", "count"):
        return text
    if re.search(rf"\b(?:was|is) {place}", text):
        word = " ".join(part for part in kind.name.split("_") if part not in kind.fields)
        return re.sub(place, word or "so", text)
    if re.search(rf"(?:named|trick|^) ?{place}", text):
        return re.sub(rf"named {place}", "named something", text)
    return re.sub(rf" ?{place}", "", text)


def with_the_rest(text: str, kind: Kind, tested: Collection[str], card: str = "") -> str:
    """The text with the seats and tricks that are tested but that it does not say."""
    for name, each in kind.fields.items():
        if name not in tested or f"{{{name}" in text or f"{{{name}" in kind.chooser:
            continue
        if each.type.name == "seat":
            whose = f"{{{card}}} of {{{name}}}"
            text = text.replace(f"{{{card}}}", whose, 1) if card and name == "player" else f"{text} for {{{name}}}"
        elif each.type.name == "count":
            preposition = "" if name == "position" else "at trick " if name == "trick" else "with "
            text = f"{text} {preposition}{{{name}}}"
    return text


def filled(template: str, phrase: Callable[[str, bool], Phrase | None]) -> str:
    """The template with a phrase in each place, its article, noun and verb fitted to what stands around it."""
    out, at, later = "", 0, ""
    for found in _PLACE.finditer(template):
        out += template[at : found.start()]
        at = found.end()
        said = phrase(found[1], bool(found[2]))
        # "a card of the player of that suit": whose it is comes before what it is.
        after, later = later, ""
        if said is None:
            out += found[1]
        elif said.literal:
            out += said.bare if said.bare and out.endswith(("name ", "named ")) else said.full
        elif said.whole and said.noun == "rank" and not out and template[at:].startswith(" is a"):
            out = said.whole
        else:
            out = _fitted(out, said)
            if template[at:].startswith(" of {"):
                later = said.after
            else:
                out += said.after
            if said.noun == "suit" and template[at:].startswith(" are "):
                out, at = f"{out} is ", at + 5
        out += after
    return re.sub(r"\s+", " ", out + template[at:]).strip()


def _fitted(before: str, said: Phrase) -> str:
    noun = said.noun
    if (noun and before.endswith((f" {noun} ", f"^{noun} "))) or before == f"{noun} ":
        head = before[: -len(noun) - 1]
        if head.endswith("the "):
            return head[:-4] + said.full
        return f"{head}{noun}" if _ARTICLE.search(head) else head + said.full
    if before.endswith(" no ") and noun == "suit":
        return f"{before}card of {said.full}"
    if before.endswith("'s ") or _ARTICLE.search(before):
        return before + (said.bare or said.full)
    return before + said.full
