"""Elements hidden by the style sheets of a page: simple selectors, unless another rule shows the element again.

hide(root)   # elements that are not shown get the attribute `hidden`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

# Not laid out, not painted, without size, or pushed off the page.
HIDES = re.compile(
    r"(?:^|;)\s*(?=([a-z-]+))(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|"
    r"(?:opacity|font-size)\s*:\s*[+-]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]{2,4}|%)?\s*+(?:!|;|$)|color\s*:\s*transparent|"
    r"(?:text-indent|left|top)\s*:\s*-\d{4,})",
    re.IGNORECASE,
)
_SETS = re.compile(r"(?:^|;)\s*(display|visibility|opacity|font-size|color|text-indent|left|top)\s*:", re.IGNORECASE)
_COLOUR = re.compile(
    r"(?:^|;)\s*(color|background|background-color)\s*:\s*(#\w{3,8}|rgba?\([^)]{1,40}\)|[a-z]+)", re.IGNORECASE
)
_PARTS = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,|\))")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_SIMPLE = re.compile(r"(?P<tag>[a-z][\w-]*|\*)?(?P<marks>(?:[.#][\w-]+)*)", re.IGNORECASE)
_LAST = re.compile(r"[\s>+~]")
_WHITE = {"white": "#ffffff", "#fff": "#ffffff", "black": "#000000", "#000": "#000000"}
MOST = 20_000
"""Rules that are read: the style sheets of a large site have a few thousand."""
LOOKS = 5_000_000
"""Rules that are held against elements in all; a page that asks for more is meant to keep its reader busy."""


class _Rule(NamedTuple):
    """One selector; `sure` where it is simple, so that what it names is known."""

    tag: str
    marks: frozenset[str]
    hides: str  # the property by which it hides, or none
    sets: frozenset[str]  # properties that bear on whether a part is seen
    sure: bool
    weight: tuple[int, int]

    def names(self, tag: str, marks: frozenset[str]) -> bool:
        return self.tag in {"", "*", tag} and self.marks <= marks


def hide(root: _Element) -> None:
    """Give the elements that a style sheet of the page hides the attribute `hidden`."""
    sheets = "\n".join(style.text or "" for style in root.iter("style"))
    rules = list(_rules(sheets)) if "{" in sheets else []
    if not any(rule.hides for rule in rules):
        return
    looks, by_mark = 0, dict[str, list[_Rule]]()
    for rule in rules:
        by_mark.setdefault(min(rule.marks, default=rule.tag), []).append(rule)
    for element in root.iter("*"):
        tag = str(element.tag).rpartition("}")[2].lower()
        marks = _marks(element)
        near = [rule for key in (*marks, tag, "*") for rule in by_mark.get(key, ())]
        looks += len(near)
        if looks > LOOKS:
            return
        named = [rule for rule in near if rule.names(tag, marks)]
        inline = _set(element.get("style") or "")
        hidden = any(
            rule.hides not in inline
            and not any(rule.hides in other.sets and (not other.sure or other.weight > rule.weight) for other in named)
            for rule in named
            if rule.hides and rule.sure
        )
        if hidden and tag not in {"html", "body"}:
            element.set("hidden", "hidden")


def colours_alike(declarations: str) -> bool:
    """Whether text is set in the colour of its own ground."""
    colours = {}
    for name, colour in _COLOUR.findall(declarations):
        plain = re.sub(r"\s", "", colour.lower())
        parts = _PARTS.match(plain)
        plain = f"#{int(parts[1]):02x}{int(parts[2]):02x}{int(parts[3]):02x}" if parts else plain
        colours["ground" if name.lower().startswith("b") else "text"] = _WHITE.get(plain, plain)
    return len(colours) == 2 and colours["ground"] == colours["text"]


@lru_cache(maxsize=4096)  # a page repeats the few that it has
def hides(declarations: str) -> str:
    """The property by which declarations leave a part unseen, or nothing."""
    if match := HIDES.search(declarations):
        return match[1].lower()
    return "color" if "color" in declarations and colours_alike(declarations) else ""


def _set(declarations: str) -> frozenset[str]:
    return frozenset(name.lower() for name in _SETS.findall(declarations))


def _marks(element: _Element) -> frozenset[str]:
    classes = (f".{name}" for name in (element.get("class") or "").split())
    return frozenset((*classes, f"#{element.get('id')}"))


def _rules(sheets: str) -> Iterator[_Rule]:
    """The rules that always hold: those inside `@media` and the like hold on some devices only."""
    depth, began, selectors, count = 0, 0, "", 0
    sheets = _COMMENT.sub(" ", sheets)
    for brace in re.finditer(r"[{}]", sheets):
        if brace[0] == "{":
            if not depth:
                selectors = sheets[began : brace.start()].rpartition(";")[2]
            depth += 1
            began = brace.end()
            continue
        body = sheets[began : brace.start()]
        if depth == 1 and not selectors.lstrip().startswith("@") and (count := count + 1) <= MOST:
            hiding, sets = hides(body), _set(body)
            if sets:
                rules = (_rule(selector.strip(), count, hiding, sets) for selector in selectors.split(","))
                yield from (rule for rule in rules if rule.tag or rule.marks)
        depth, began = max(0, depth - 1), brace.end()


def _rule(selector: str, number: int, hiding: str, sets: frozenset[str]) -> _Rule:
    simple = _SIMPLE.fullmatch(selector)
    # Of "nav > .open:hover" the part that names the element itself.
    last = simple or _SIMPLE.match(_LAST.split(selector)[-1])
    tag = ((last["tag"] if last else "") or "").lower()
    marks = frozenset(re.findall(r"[.#][\w-]+", last["marks"] if last else ""))
    ids = sum(mark.startswith("#") for mark in marks)
    weight = (100 * ids + 10 * len(marks) + (tag not in {"", "*"}), number)
    return _Rule(tag, marks, hiding, sets, simple is not None, weight)


_LENGTH = re.compile(r"(?<![\d.])(-?\d{1,4}(?:\.\d{1,9})?)(pt|px|em)?", re.IGNORECASE)
_POINTS = {"": 0.75, "px": 0.75, "pt": 1.0, "em": 10.0}
_INDENTS = ("padding", "padding-left", "margin-left", "text-indent")


def indent(cell: _Element) -> float:
    """By how many points the text of a cell is set in: by its style, and by those of the blocks that begin with it."""
    total, element = 0.0, cell
    while True:
        for part in (element.get("style") or "").split(";"):
            name, _, value = part.partition(":")
            lengths = _LENGTH.findall(value)[:4] if name.strip().lower() in _INDENTS else ()
            if lengths:  # of all sides: top, right, bottom, left
                number, unit = lengths[{4: 3, 1: 0}.get(len(lengths), 1)]
                total += float(number) * _POINTS[unit.lower()]
        if (element.text or "").strip() or not len(element):
            return max(0.0, total)
        element = element[0]
