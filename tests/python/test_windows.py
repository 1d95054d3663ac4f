"""Windows of the program on arrays. What they get is looked at by the program without a window, and by NumPy. Run by unittest."""
import base64
import contextlib
import html
import io
import json
import os
import re
import stat
import sys
import tempfile
import time
import types
import unittest
import zlib
from unittest import mock

import numpy

import slotscape

LAYOUT = {"slots": 16, "key": {"bits": 64}, "empty_key": -1, "hash": {"function": "identity", "reduction": "mask"},
          "probing": {"scheme": "linear"}}


@unittest.skipUnless("SLOTSCAPE_PROGRAM" in os.environ, "SLOTSCAPE_PROGRAM does not name the program")
class Windows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.statistics = os.path.join(folder.name, "statistics.json")
        self.copy = os.path.join(folder.name, "copy.npy")
        self.program = os.path.join(folder.name, "program")
        with open(self.program, "w", encoding="utf-8") as script:
            script.write(f"""#!/bin/sh
case $1 in
  watch) exec '{os.environ["SLOTSCAPE_PROGRAM"]}' "$@" --headless --frames 1 --stats '{self.statistics}' ;;
  *.npy) exec cp "$1" '{self.copy}' ;;
  *) exec '{os.environ["SLOTSCAPE_PROGRAM"]}' run "$1" --backend cpu --headless --frames 1 --stats '{self.statistics}' ;;
esac
""")
        os.chmod(self.program, stat.S_IRWXU)

    def shown(self):
        with open(self.statistics, encoding="utf-8") as text:
            return json.load(text)

    def show(self, *arguments):
        slotscape.show(*arguments, block=True, program=self.program)

    def test_shows_keys(self):
        for keys in ([3, 1, 2], numpy.arange(5) * 0.5, ["some", "texts"], numpy.array(["an", "object"], dtype=object)):
            with self.subTest(keys):
                self.show(keys)
                numpy.testing.assert_array_equal(numpy.load(self.copy), numpy.asarray(keys).astype(numpy.load(self.copy).dtype))

    def test_shows_keys_with_values(self):
        keys = numpy.array([7, -1, -2, -3, -(2**63) + 3, 2**63 - 1, 12])
        for of_pairs in ((keys, numpy.arange(7)), (slotscape.Table(keys, numpy.arange(7)),)):
            self.show(*of_pairs)
            table = self.shown()["table"]
            self.assertEqual((table["live"], table["slots"], table["key_bits"], table["values"]), (7, 16, 64, True))
        self.show(numpy.arange(3000, dtype="uint16"), numpy.arange(3000, dtype="uint8"))
        table = self.shown()["table"]
        self.assertEqual((table["live"], table["slots"], table["key_bits"]), (3000, 4096, 32))

    def test_shows_a_table_with_fractions_as_keys(self):
        self.show(slotscape.Table(numpy.arange(3), numpy.array([0.5, 1.5, 2.5])))
        self.assertEqual(sorted(numpy.load(self.copy)), [0, 1, 2])

    def test_watches_an_array(self):
        slots = numpy.full(16, -1)
        slots[3] = 3
        slots[5] = 21
        with slotscape.watch(slots, LAYOUT, program=self.program) as watched:
            watched.window.wait(60)
        table = self.shown()["table"]
        self.assertEqual((table["slots"], table["live"]), (16, 2))
        with slotscape.watch(slots, LAYOUT, window=False) as watched:
            self.assertIsNone(watched.window)

    def test_says_what_it_does_not_show(self):
        wrong = {
            "not on the PATH": lambda: slotscape.show([1], program="no-such-program"),
            "neither, or missing": lambda: self.show(["text", None]),
            "and show|show the keys alone": lambda: self.show([1], [0.5]),
            "one value": lambda: self.show([1, 2], [3]),
            "some are negative": lambda: self.show([1], [-3]),
            "three largest": lambda: self.show(numpy.array([2**64 - 1], dtype="uint64"), [1]),
            "the three lowest": lambda: self.show([-(2**63) + 2], [1]),
            "no-such-field": lambda: slotscape.watch(numpy.zeros(16, "int64"), LAYOUT | {"no-such-field": 1}, program=self.program),
        }
        for text, call in wrong.items():
            with self.subTest(text), self.assertRaisesRegex((TypeError, ValueError, FileNotFoundError), text):
                call()

    def test_says_what_the_program_said(self):
        with open(self.program, "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\necho 'no window here' >&2\nexit 2\n")
        with self.assertRaisesRegex(RuntimeError, "no window here"):
            self.show([1])
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed):
            window = slotscape.show([1], block=False, program=self.program)
            end = time.monotonic() + 60
            while "no window here" not in printed.getvalue() and time.monotonic() < end:
                time.sleep(0.01)
        self.assertIn("no window here", printed.getvalue())
        with self.assertRaisesRegex(RuntimeError, "no window here"):
            window.wait(60)
        self.assertFalse(window.is_open)

    def test_closes_a_window(self):
        with open(self.program, "w", encoding="utf-8") as script:
            script.write("#!/bin/sh\nexec sleep 600\n")
        window = slotscape.show([1], block=False, program=self.program)
        self.assertTrue(window.is_open)
        with self.assertRaises(TimeoutError):
            window.wait(0.01)
        window.close()
        self.assertFalse(window.is_open)
        window.wait()


PAGE = "https://example.org/slotscape/"


class Cells(unittest.TestCase):
    """The page with the program in a notebook, which this test plays."""

    def setUp(self):
        self.displayed = []
        jupyter = types.ModuleType("IPython")
        jupyter.get_ipython = lambda: types.SimpleNamespace(kernel=object())
        jupyter.display = types.SimpleNamespace(display=lambda data, raw: self.displayed.append((data, raw)))
        for patch in (mock.patch.dict(sys.modules, {"IPython": jupyter}),
                      mock.patch.dict(os.environ, {"SLOTSCAPE_PAGE_ADDRESS": PAGE})):
            patch.start()
            self.addCleanup(patch.stop)

    def scenario(self, markup):
        address = html.unescape(re.search('src="([^"]*)"', markup)[1])
        packed = re.fullmatch(re.escape(PAGE) + "#s=([-_A-Za-z0-9]+)&embed", address)[1]
        return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))

    def test_shows_the_page_in_the_cell(self):
        cell = slotscape.show([5, 21, 37], [1, 2, 3])
        (data, raw), = self.displayed
        self.assertTrue(raw)
        scenario = self.scenario(data["text/html"])
        self.assertEqual(scenario["steps"], [{"op": "insert", "keys": [[5, 1], [21, 2], [37, 3]]}])
        self.assertEqual(scenario["table"], {"slots": 16, "key_bits": 32})
        self.assertIsNone(cell._repr_html_(), "it would be shown twice")
        self.assertEqual(repr(cell), f"slotscape.Cell(3 keys, {PAGE})")

    def test_takes_what_windows_take(self):
        signed = slotscape.show(numpy.array([-5, 7], dtype="int16"))
        self.assertEqual(self.scenario(signed.html)["steps"], [{"op": "insert", "keys": [2**64 - 5, 7]}])
        self.assertEqual(self.scenario(slotscape.show(numpy.array([], dtype="int64")).html)["steps"], [])
        self.assertEqual(self.scenario(slotscape.show(numpy.arange(3000)).html)["table"]["slots"], 4096)

    def test_is_html_elsewhere(self):
        del sys.modules["IPython"]
        cell = slotscape.show([1], page=PAGE)
        self.assertEqual(self.displayed, [])
        self.assertEqual(self.scenario(cell._repr_html_())["steps"], [{"op": "insert", "keys": [1]}])

    def test_says_what_it_does_not_show(self):
        wrong = {
            "no page with the program is known": lambda: slotscape.show([1], page=True),
            "begins with https://": lambda: slotscape.show([1], page="file:///tmp/index.html"),
            "whole numbers": lambda: slotscape.show([0.5], page=PAGE),
            "a cell shows up to 1048576": lambda: slotscape.show(numpy.arange(200_000), page=PAGE),
        }
        with mock.patch.dict(os.environ, {"SLOTSCAPE_PAGE_ADDRESS": ""}):
            for text, call in wrong.items():
                with self.subTest(text), self.assertRaisesRegex((TypeError, ValueError), text):
                    call()

    def test_opens_a_window_where_no_page_is_known(self):
        with mock.patch.dict(os.environ, {"SLOTSCAPE_PAGE_ADDRESS": ""}), self.assertRaisesRegex(FileNotFoundError, "PATH"):
            slotscape.show([1], program="no-such-program")
        with self.assertRaisesRegex(FileNotFoundError, "PATH"):
            slotscape.show([1], page=False, program="no-such-program")


if __name__ == "__main__":
    unittest.main()
