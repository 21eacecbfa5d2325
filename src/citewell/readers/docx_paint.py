"""Finds runs of a Word document in the colour of their background, set directly or by their styles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from citewell.readers.markup import attribute, inherited, tag, value
from citewell.readers.package import Package
from citewell.readers.paint import BLACK, UNKNOWN, WHITE, Colour, alike, colour, shaded

if TYPE_CHECKING:
    from lxml.etree import _Element

_PROPERTIES = {"p": "pPr", "tc": "tcPr", "tr": "tblPrEx", "tbl": "tblPr"}
_HIGHLIGHTS = {"white": WHITE, "black": BLACK, "none": None}
_NAMED = {"background1": "bg1", "background2": "bg2", "text1": "t1", "text2": "t2", "dark1": "dk1", "dark2": "dk2",
          "light1": "lt1", "light2": "lt2"}  # fmt: skip
_MAPPED = {"bg1": "light1", "bg2": "light2", "t1": "dark1", "t2": "dark2"}
_PLAIN = {"lt1": WHITE, "dk1": BLACK}  # of a file without a theme


class _Looks(NamedTuple):
    """Colour and ground that a style sets, its ancestors included; None where it sets none."""

    colour: Colour | None = None
    fill: Colour | None = None
    grounds: bool = False  # whether any part of a table's style has a ground


class Paint:
    """The colours of the runs of a document and of what is behind them."""

    def __init__(self, package: Package, styles: _Element | None) -> None:
        self._package = package
        self._theme: dict[str, Colour] | None = None
        self._usual, self._default = (
            "",
            None if styles is None else self._painted(styles.find("{*}docDefaults/*/{*}rPr")),
        )
        self._looks = self._resolved(styles)
        self._by_style = self._default is not None or any(looks.colour for looks in self._looks.values())
        self._grounds: dict[_Element, Colour] = {}
        self._paragraph: tuple[Any, Colour | None] = (None, None)
        self._paper = WHITE if package.main().find("{*}background") is None else UNKNOWN

    def unseen(self, run: _Element, properties: _Element | None) -> bool:
        """Whether a run with these properties has the colour of its ground; not where either is not surely known."""
        direct = looks = None
        if properties is not None:
            looks = self._looks.get(value(properties, "rStyle") or "")
            direct = self._painted(properties)
        text = direct if direct is not None else looks.colour if looks else None
        if text is None and self._by_style:
            text = self._inherited(run)
        if not text:
            return False
        fill = self._filled(properties)
        fill = looks.fill if fill is None and looks else fill
        return alike(text, self._ground(run.getparent()) if fill is None else fill)

    def _inherited(self, run: _Element) -> Colour | None:
        """The colour that the style of a run's paragraph sets."""
        paragraph = next(run.iterancestors("{*}p"), None)
        if paragraph is None or paragraph is not self._paragraph[0]:
            key = value(paragraph, "pPr/pStyle") if paragraph is not None else None
            looks = self._looks.get(key or self._usual, _Looks())
            self._paragraph = paragraph, self._default if looks.colour is None else looks.colour
        return self._paragraph[1]

    def _ground(self, element: _Element | None) -> Colour:
        if element is None:
            return self._paper
        if element not in self._grounds:
            behind = self._behind(element, tag(element))
            self._grounds[element] = self._ground(element.getparent()) if behind is None else behind
        return self._grounds[element]

    def _behind(self, element: _Element, kind: str) -> Colour | None:
        """The ground that an element itself sets; None where what is around it shows."""
        if kind == "txbxContent":
            return UNKNOWN  # a drawing, which may have a ground
        if kind not in _PROPERTIES:
            return None
        fill = self._filled(element.find("{*}" + _PROPERTIES[kind]))
        if fill is not None:
            return fill
        if kind == "p":
            return self._looks.get(value(element, "pPr/pStyle") or self._usual, _Looks()).fill
        style = value(element, "tblPr/tblStyle") if kind == "tbl" else None
        # A table's style gives grounds to some of its rows and columns.
        return UNKNOWN if style is not None and self._looks.get(style, _Looks(grounds=True)).grounds else None

    def _painted(self, properties: _Element | None) -> Colour | None:
        element = properties.find("{*}color") if properties is not None else None
        return None if element is None else self._colour_of(element, "val", "theme", "Color") or UNKNOWN

    def _filled(self, properties: _Element | None) -> Colour | None:
        if properties is None:
            return None
        marked = value(properties, "highlight")
        if marked is not None:
            return _HIGHLIGHTS.get(marked, UNKNOWN)
        shade = properties.find("{*}shd")
        if shade is None:
            return None
        pattern = attribute(shade, "val")
        if pattern in {None, "clear", "nil"}:
            return self._colour_of(shade, "fill", "themeFill", "")
        return (self._colour_of(shade, "color", "theme", "Color") or UNKNOWN) if pattern == "solid" else UNKNOWN

    def _colour_of(self, element: _Element, plain: str, theme: str, rest: str) -> Colour | None:
        """A colour by its place in the theme or by its digits; None where it is none, or the automatic one."""
        named = attribute(element, theme + rest)
        base = self._of_theme(named) if named and named != "none" else None
        if base:
            return shaded(base, attribute(element, f"{theme}Shade"), attribute(element, f"{theme}Tint"))
        return colour(attribute(element, plain))

    def _of_theme(self, named: str) -> Colour | None:
        if self._theme is None:
            self._theme = dict(_PLAIN)
            part, settings = self._package.part("theme"), self._package.part("settings")
            for entry in part.iterfind(".//{*}clrScheme/*") if part is not None else ():
                child = next(iter(entry), None)
                digits = None if child is None else child.get("lastClr") or child.get("val")
                self._theme[tag(entry)] = colour(digits) or UNKNOWN
            mapping = settings.find("{*}clrSchemeMapping") if settings is not None else None
            for name, usual in _MAPPED.items():
                to = (attribute(mapping, name) if mapping is not None else None) or usual
                self._theme[name] = self._theme.get(_NAMED.get(to, to), UNKNOWN)
        return self._theme.get(_NAMED.get(named, named))

    def _resolved(self, styles: _Element | None) -> dict[str, _Looks]:
        """What each style sets, the nearest of its ancestors first."""
        raw: dict[str, tuple[str | None, _Looks]] = {}
        for style in styles.iter("{*}style") if styles is not None else ():
            key = attribute(style, "styleId") or ""
            if attribute(style, "type") == "paragraph" and attribute(style, "default") in {"1", "true", "on"}:
                self._usual = key
            fills = (self._filled(style.find(f"{{*}}{part}")) for part in ("rPr", "pPr"))
            fill = next((candidate for candidate in fills if candidate is not None), None)
            grounds = any(self._filled(shade.getparent()) not in {None, WHITE} for shade in style.iter("{*}shd"))
            raw[key] = value(style, "basedOn"), _Looks(self._painted(style.find("{*}rPr")), fill, grounds)
        return {key: _merged(list(inherited(raw, key))) for key in raw}


def _merged(chain: list[_Looks]) -> _Looks:
    text = next((looks.colour for looks in chain if looks.colour is not None), None)
    fill = next((looks.fill for looks in chain if looks.fill is not None), None)
    return _Looks(text, fill, any(looks.grounds for looks in chain))
