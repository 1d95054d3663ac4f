"""The page with the program in a cell of a notebook: docs/using-from-python.md#in-a-notebook.

The page comes from a web server, which gets no data: they are behind the # of the address, which browsers keep to themselves.
"""
from __future__ import annotations

import base64
import html
import json
import os
import sys
import zlib
from pathlib import Path
from typing import Any

_LONGEST = 2**20
"""What the page takes, in bytes before they are compressed."""


def page_address() -> str:
    """The page that SLOTSCAPE_PAGE_ADDRESS names, or that the package was built for; "" if none is known."""
    built_for = Path(__file__).with_name("page_address.txt")
    return os.environ.get("SLOTSCAPE_PAGE_ADDRESS") or (built_for.read_text("utf-8").strip() if built_for.exists() else "")


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this, rather than a terminal."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None


def scenario_link(page: str, scenario: dict[str, Any]) -> str:
    """An address that shows the scenario, without the bars."""
    if not page:
        raise ValueError(
            "no page with the program is known: pass page=ADDRESS, or set SLOTSCAPE_PAGE_ADDRESS (docs/hosting.md says how to "
            "publish one); page=False opens a window"
        )
    if not page.startswith(("https://", "http://")):
        raise ValueError(f"the address of a page begins with https://, and this is {page!r}: browsers let notebooks show no files")
    text = json.dumps(scenario, separators=(",", ":")).encode()
    if len(text) > _LONGEST:
        raise ValueError(
            f"these keys take {len(text)} bytes as text, and a cell shows up to {_LONGEST}: show a part of them, or page=False "
            "for a window"
        )
    packed = base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")
    return f"{page.split('#')[0]}#s={packed}&embed"


class Cell:
    """A table in a cell of a notebook, with all that can be done in the page."""

    def __init__(self, address: str, keys: int) -> None:
        self.address = address
        self.height = 520
        self.is_shown = False
        """By `show`: then the notebook need not show it again."""
        self._keys = keys

    @property
    def html(self) -> str:
        address = html.escape(self.address)
        return f'<iframe src="{address}" width="100%" height="{self.height}" style="border: 0" allow="clipboard-write"></iframe>'

    def _repr_html_(self) -> str | None:
        return None if self.is_shown else self.html

    def __repr__(self) -> str:
        return f"slotscape.Cell({self._keys} keys, {self.address.split('#')[0]})"


def shown_in_cell(cell: Cell) -> Cell:
    """In a notebook at once, also where the cell goes on; elsewhere, what shows HTML may show it."""
    if in_notebook():
        sys.modules["IPython"].display.display({"text/html": cell.html, "text/plain": repr(cell)}, raw=True)
        cell.is_shown = True
    return cell
