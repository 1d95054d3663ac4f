"""Windows of the program on arrays of this one: docs/using-from-python.md#windows."""
from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from importlib import metadata
from typing import Any

import numpy

from . import _watch
from ._arrays import Array, array_of
from ._cells import Cell, in_notebook, page_address, scenario_link, shown_in_cell

PROGRAM = "slotscape"
_numbers = itertools.count(1)


def program_path(program: str = PROGRAM) -> str:
    """The program that was installed with this package, or the one on the PATH; FileNotFoundError says that there is none."""
    if program == PROGRAM:
        try:
            files = metadata.files(PROGRAM) or []
        except metadata.PackageNotFoundError:
            files = []
        for file in files:
            if file.name == PROGRAM and os.access(file.locate(), os.X_OK) and os.path.isfile(file.locate()):
                return str(file.locate())
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"'{program}' is not on the PATH: install Slotscape, or pass program=PATH")
    return path


class Window:
    """A window of the program. It stays when this one ends, until somebody closes it."""

    def __init__(self, program: str, *arguments: str, folder: tempfile.TemporaryDirectory[str] | None = None) -> None:
        path = program_path(program)
        self._folder = folder  # of files that it reads
        self._said = ""
        self._is_waited_for = False
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors
        )
        self._end = threading.Thread(target=self._await_end, daemon=True)
        self._end.start()

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def wait(self, timeout: float | None = None) -> None:
        """Until it is closed. Raises RuntimeError with what the program said if it failed, which is printed where nobody
        waits; and TimeoutError after so many seconds."""
        self._is_waited_for = True
        self._end.join(timeout)
        if self._end.is_alive():
            raise TimeoutError(f"the window is still open after {timeout} seconds")
        if self._process.returncode > 0:
            raise RuntimeError(self._said)

    def close(self) -> None:
        self._process.terminate()
        self._end.join()

    def _await_end(self) -> None:
        status = self._process.wait()
        with self._errors as errors:
            errors.seek(0)
            self._said = errors.read().decode(errors="replace").strip() or f"slotscape ended with {status}"
        if self._folder is not None:
            self._folder.cleanup()
        if status > 0 and not self._is_waited_for:
            print(self._said, file=sys.stderr)


def _is_interactive() -> bool:
    """Whether somebody types beside the window: then nothing waits for it."""
    return hasattr(sys, "ps1") or "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None


def on_host(array: Array) -> Any:
    if hasattr(array, "get") and hasattr(array, "__cuda_array_interface__"):
        return array.get()
    return array.cpu().numpy() if hasattr(array, "cpu") else array


def _words(what: str, numbers: Any) -> Any:
    if numbers.ndim != 1 or numbers.dtype.kind not in "biu":
        raise TypeError(
            f"{what} that are shown together are whole numbers in one dimension, and these are {numbers.ndim} of "
            f"{numbers.dtype}: number them (numpy.unique with return_inverse), or show the keys alone"
        )
    return numbers


def _keys_as_stored(keys: Any) -> Any:
    """As the program has numbers with a sign: -1, -2 and -3, whose keys are reserved, change places with the lowest ones."""
    words = keys.astype("uint64", copy=False) if keys.dtype.kind in "bu" else keys.astype("int64").view("uint64")
    if keys.dtype.kind == "i":
        last, lowest = numpy.uint64(2**64 - 1), numpy.uint64(2**63)
        is_last, is_lowest = words >= last - numpy.uint64(2), (words >= lowest) & (words < lowest + numpy.uint64(3))
        words = numpy.where(is_last, lowest + (last - words), numpy.where(is_lowest, last - (words - lowest), words))
    if len(words) and int(words.max()) > 2**64 - 4:
        raise ValueError(
            "the three largest keys of 64 bits, or with a sign the three lowest, cannot be stored in the program's tables: "
            "leave them out"
        )
    return words


def pairs_of(keys: Any, values: Any) -> tuple[Any, dict[str, Any]]:
    """Keys and values as the program stores them, row by row, and a scenario with a table that has room for them."""
    signed = _words("keys", keys).dtype.kind == "i" and len(keys) > 0 and int(keys.min()) < 0
    keys, values = _keys_as_stored(keys), _words("values", values)
    if len(keys) != len(values):
        raise ValueError(f"each key has one value, and there are {len(keys)} keys and {len(values)} values")
    if values.dtype.kind == "i" and len(values) and int(values.min()) < 0:
        raise ValueError("values that are shown are whole numbers from 0 on, and some are negative: show the keys alone")
    pairs = numpy.stack([keys, values.astype("uint64")], axis=1)
    fits = len(pairs) == 0 or int(pairs.max()) < 2**32 - 3
    slots = 16
    while slots * 3 < len(pairs) * 4:
        slots *= 2
    return pairs, {
        "version": 1,
        "view": {"keys_as": "with_sign" if signed else "numbers"},
        "table": {"slots": slots, "key_bits": 32 if fits else 64},
    }


def _scenario_of(keys: Any, values: Any, folder: str) -> str:
    pairs, scenario = pairs_of(keys, values)
    pairs.astype("<u8").tofile(os.path.join(folder, "array.pairs"))
    scenario["steps"] = [{"op": "insert", "pairs": "array.pairs"}] if len(pairs) else []
    path = os.path.join(folder, "array.slotscape.json")
    with open(path, "w", encoding="utf-8") as text:
        json.dump(scenario, text)
    return path


def cell_of(page: str, keys: Any, values: Array | None) -> Cell:
    """The page with a table of these keys, which are whole numbers."""
    with_values = values is not None
    pairs, scenario = pairs_of(keys, array_of(on_host(values)) if with_values else numpy.zeros(len(keys), "uint64"))
    listed = pairs.tolist() if with_values else pairs[:, 0].tolist()
    scenario["steps"] = [{"op": "insert", "keys": listed}] if listed else []
    return Cell(scenario_link(page, scenario), len(listed))


def show(
    keys: Array,
    values: Array | None = None,
    *,
    block: bool | None = None,
    program: str = PROGRAM,
    page: str | bool | None = None,
) -> Window | Cell:
    """Opens the program's window on a table of these keys, with all that can be done there.

    In a notebook, the page with the program is shown in the cell instead, where the address of one is known.

    keys: numbers, or texts, which are hashed; an array of NumPy, CuPy or PyTorch, a list, or a `Table`, whose keys and, if
    they are whole numbers, values are shown. values: whole numbers from 0 on, one for each key, which are whole numbers, too.
    block: waits until the window is closed, which is usual in a script; where somebody types, it is not.
    page: the address of a page with the program, to be shown in a notebook's cell; True: the one that is known, False: a window.
    Raises FileNotFoundError where the program is missing, and RuntimeError with its words where it cannot open a window.
    """
    if hasattr(keys, "items") and hasattr(keys, "key_type"):
        keys, of_table = keys.items()
        if values is None and on_host(of_table).dtype.kind in "iu" and int(on_host(of_table).min(initial=0)) >= 0:
            values = of_table
    keys = array_of(on_host(keys))
    if keys.dtype.kind == "O":
        if not all(isinstance(key, str) for key in keys):
            raise TypeError("keys are numbers or texts, and some of these are neither, or missing: leave those out, or make texts of all")
        keys = keys.astype(str)
    if page is None:
        page = in_notebook() and page_address() != ""
    if page:
        return shown_in_cell(cell_of(page_address() if page is True else page, keys, values))
    folder = tempfile.TemporaryDirectory(prefix="slotscape-")
    if values is None:
        path = os.path.join(folder.name, "array.npy")
        numpy.save(path, keys, allow_pickle=False)
    else:
        path = _scenario_of(keys, array_of(on_host(values)), folder.name)
    window = Window(program, path, folder=folder)
    if block or block is None and not _is_interactive():
        window.wait()
    return window


class Watch(_watch.Watch):
    """A table of this program that windows show live, until it is closed or the `with` that it is used in ends."""

    window: Window | None = None
    """The one that `watch` opened. It shows the last state when the watch is closed."""


def watch(
    array: Array | Mapping[str, Array],
    layout: Mapping[str, Any] | str,
    *,
    name: str | None = None,
    window: bool = True,
    program: str = PROGRAM,
    copies_per_second: float = 10.0,
    snapshots: bool = False,
    may_be_read: bool = True,
) -> Watch:
    """Opens the program's window on a hash table in the memory of this one, and shows it live while this goes on.

    array: the table's memory, of NumPy, CuPy, PyTorch or Numba, or several by their names in the layout. layout: what lies in
    it, as docs/watching-your-table.md says. name: what `slotscape watch` lists it as. window=False only announces it.
    All else is as in `slotscape_watch.watch`. Raises ValueError where the layout cannot be true.
    """
    if name is None:
        name = f"{os.path.basename(sys.argv[0]) or 'python'} {os.getpid()}-{next(_numbers)}"
    path = program_path(program) if window else ""
    shown = Watch(
        name,
        array,
        layout if isinstance(layout, str) else dict(layout),
        copies_per_second=copies_per_second,
        snapshots=snapshots,
        may_be_read=may_be_read,
    )
    if window and shown.problem is None:
        shown.window = Window(path, "watch", name)
    return shown
