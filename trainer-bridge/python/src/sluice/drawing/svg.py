"""SVG as text; what is not well-formed cannot be written."""

from __future__ import annotations

from collections.abc import Mapping

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def number(value: float) -> str:
    """At most two decimals: a hundredth of a pixel."""
    return f"{round(value, 2) + 0.0:.2f}".removesuffix(".00")


def escaped(raw: str) -> str:
    """A text as XML and HTML write it, in an element or an attribute. Characters that neither may
    have are replaced."""
    return "".join(_NAMED.get(each) or (each if _is_character(ord(each)) else "�") for each in raw)


def _is_character(code: int) -> bool:
    control = code < 0x20 and code not in (0x9, 0xA, 0xD)
    return not (
        control or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE
    )


class Svg:
    """Elements in the order in which they are added, in a picture of some size in pixels."""

    def __init__(self, width: float, height: float, label: str) -> None:
        self._width, self._height = number(width), number(height)
        self._label = label
        self._parts: list[str] = []

    def add(self, name: str, title: str = "", **attributes: float | str) -> None:
        """An element; ``title`` is shown where somebody points at it. In names of attributes ``_``
        stands for ``-``."""
        inside = f"<title>{escaped(title)}</title>" if title else ""
        self._parts.append(f"<{name}{_written(attributes)}>{inside}</{name}>")

    def text(self, x: float, y: float, content: str, **attributes: float | str) -> None:
        """A line of text."""
        place = _written({"x": x, "y": y, **attributes})
        self._parts.append(f"<text{place}>{escaped(content)}</text>")

    def closed(self) -> str:
        """The whole picture, for a file and for a part of a page alike."""
        begin = _written(
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": self._width,
                "height": self._height,
                "viewBox": f"0 0 {self._width} {self._height}",
                "role": "img",
                "aria-label": self._label,
                "font-family": "Helvetica, Arial, sans-serif",
                "font-size": "11",
            }
        )
        ground = _written({"width": self._width, "height": self._height, "fill": "#ffffff"})
        parts = [f"<svg{begin}>", f"<rect{ground}></rect>", *self._parts, "</svg>\n"]
        return "\n".join(parts)


def _written(attributes: Mapping[str, float | str]) -> str:
    def one(name: str, value: float | str) -> str:
        shown = escaped(value) if isinstance(value, str) else number(value)
        return f' {name.replace("_", "-")}="{shown}"'

    return "".join(one(name, value) for name, value in attributes.items())
