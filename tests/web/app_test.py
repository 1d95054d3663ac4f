#!/usr/bin/env python3
"""Uses the program as a page in a real browser, and compares it with the program for computers:

    app_test.py FOLDER SLOTSCAPE [--pictures FOLDER]

FOLDER is build/web/app. Keys, mouse, fingers and dropped files come from the browser; what the program did is read from the
statistics that it gives to the page.
"""
import argparse
import base64
import functools
import importlib.util
import json
import os
import random
import subprocess
import tempfile
import threading
import time
import zlib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser_test import Browser
from verdict import expect, fail

SCENES = {"F2": "slots", "F3": "compare", "F4": "spatial", "F6": "sparse", "F7": "match", "F8": "tune", "F9": "races",
          "F12": "watch"}
SCENARIO = {"version": 1, "table": {"family": "cuckoo", "slots": 4096, "deletion": "tombstone_reuse"},
            "steps": [{"op": "insert", "count": 3000, "keys": "uniform"}, {"op": "erase", "count": 700},
                      {"op": "find", "count": 500, "keys": "misses"}]}
MODIFIERS = {"Control": (2, 17), "Shift": (8, 16)}
NAMES = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35, "ArrowRight": 39, "PageDown": 34}


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


CELLS = Path(__file__).parents[2] / "gpu/python/slotscape/_cells.py"
SETTINGS = "/home/web_user/.config/slotscape/settings.json"
STATISTICS = "(globalThis.Module?.frames ? Module.ccall('slotscape_statistics', 'string') : '{}')"


def link_of(scenario, more=""):
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(scenario).encode())).decode().rstrip("=")
    return f"#s={text}{more}"


class Page(Browser):
    """A tab with the program."""

    def __init__(self, folder, address, pictures):
        super().__init__(folder, ("--use-angle=swiftshader", "--enable-unsafe-swiftshader"))
        self.address = address
        self.pictures = pictures
        self.call("Network.enable")

    def open(self, where="", width=1280, height=720, ratio=1, mobile=False):
        """Seconds until the first picture."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)
        self.call("Page.navigate", url="about:blank")
        start = time.monotonic()
        self.call("Page.navigate", url=self.address + where)
        self.wait("globalThis.Module?.frames > 1", "a first picture", 120)
        return time.monotonic() - start

    def becomes_true(self, expression, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.look(f"Boolean({expression})"):
                return True
            time.sleep(0.05)
        return False

    def wait(self, expression, what, seconds=60):
        if self.becomes_true(expression, seconds):
            return
        self.picture("failed")
        fail(f"waited in vain for {what}; the page says {self.look('document.body.innerText')!r}, "
             f"the program {self.statistics()}")

    def statistics(self):
        return json.loads(self.look(STATISTICS))

    def rests(self, seconds=60):
        """The statistics once nothing moves."""
        self.wait(f"JSON.parse({STATISTICS}).moving === false", "rest", seconds)
        self.frame()
        return self.statistics()

    def frame(self, count=3):
        self.wait(f"Module.frames > {self.look('Module.frames') + count}", "frames")

    def press(self, key, modifiers=()):
        """`modifiers`: of "Control" and "Shift"."""
        letter = len(key) == 1
        code = ord(key.upper()) if letter else NAMES.get(key) or 111 + int(key[1:])
        name = f"Key{key.upper()}" if key.isalpha() and letter else f"Digit{key}" if key.isdigit() else \
            {" ": "Space"}.get(key, key)
        bits = sum(MODIFIERS[each][0] for each in modifiers)
        text = key if letter and "Control" not in modifiers else {"Enter": "\r"}.get(key, "")
        keys = [(each, f"{each}Left", MODIFIERS[each][1], "") for each in modifiers] + [(key, name, code, text)]
        for kind, row in (("keyDown", keys), ("keyUp", reversed(keys))):
            for each, its_name, its_code, its_text in row:
                self.call("Input.dispatchKeyEvent", type=kind, key=each, code=its_name, windowsVirtualKeyCode=its_code,
                          modifiers=bits, **({"text": its_text} if kind == "keyDown" else {}))
            self.frame()

    def write(self, text):
        for each in text:
            self.press(each)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def finger(self, kind, *fingers):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(fingers)]
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def touch(self, kind, *fingers):
        self.finger(kind, *fingers)
        self.frame()

    def tap(self, x, y):
        self.finger("touchStart", (x, y))  # frames in between may be so slow that it would be a long press
        self.finger("touchEnd")
        self.frame(10)

    def tap_until(self, x, y, expression, what):
        """Taps again where nothing came of it: between its two events a busy machine may wait as long as a long press takes."""
        for _ in range(6):
            self.tap(x, y)
            if self.becomes_true(expression, 10):
                return
        self.wait(expression, what, 1)

    def hold(self, x, y):
        self.touch("touchStart", (x, y))
        time.sleep(0.6)
        self.touch("touchEnd")
        self.frame(10)

    def drag(self, start, end, steps=6):
        self.finger("touchStart", start)
        for i in range(1, steps + 1):
            self.finger("touchMove", tuple(a + (b - a) * i / steps for a, b in zip(start, end)))
        self.touch("touchEnd")
        self.frame(10)

    def picture(self, name):
        data = base64.b64decode(self.call("Page.captureScreenshot")["data"])
        if self.pictures:
            (self.pictures / f"{name}.png").write_bytes(data)
        return data

    def expect_drawn(self, name):
        colors = int(subprocess.run(["identify", "-format", "%k", "-"], input=self.picture(name), capture_output=True,
                                    check=True).stdout)
        expect(colors > 50, f"{name}: the picture has {colors} colours")

    def drop(self, *files):
        made = ", ".join(f"new File([Uint8Array.from(atob('{base64.b64encode(content).decode()}'), (c) => c.charCodeAt(0))], "
                         f"{json.dumps(name)})" for name, content in files)
        self.look(f"(() => {{ const given = new DataTransfer(); for (const file of [{made}]) given.items.add(file);"
                  " document.getElementById('canvas').dispatchEvent(new DragEvent('drop', "
                  "{ dataTransfer: given, bubbles: true, cancelable: true })); })()")
        self.frame(10)


def on_a_computer(program, scenario, folder):
    """The statistics of the program itself, with one thread."""
    (folder / "scenario.json").write_text(json.dumps(scenario))
    processor = str(min(os.sched_getaffinity(0)))
    subprocess.run(["taskset", "-c", processor, program, "run", folder / "scenario.json", "--headless", "--backend", "cpu",
                    "--stats", folder / "stats.json", "--config", folder / "config.json"], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "stats.json").read_text())


def check_numbers(page, program, folder):
    page.open(link_of(SCENARIO))
    here, there = page.rests(), on_a_computer(program, SCENARIO, folder)
    for part in ("table", "probe_length", "clusters", "operations"):
        mine, theirs = here.get(part), there.get(part)
        for each in [*mine, *theirs] if isinstance(mine, list) else []:
            del each["mops"], each["seconds"]
        expect(mine == theirs, f"{part} is {mine} in the page, and {theirs} on a computer")
    return here["table"]["live"]


def check_keys(page):
    """Keys typed into a small table, one erased; and the link of it, which shows the same."""
    page.open(link_of({"version": 1, "table": {"family": "linear_probing", "slots": 16, "hash": "identity"}, "steps": []}))
    page.rests()
    page.write("5 21 37")
    page.press("Enter")
    page.wait(f"JSON.parse({STATISTICS}).table.live === 3", "three keys")
    page.press("Escape")
    page.press("l", ("Control", "Shift"))
    page.wait("Module.copiedText.includes('#s=')", "a link")
    link = page.look("Module.copiedText")
    expect(link.startswith(page.address), f"the link is {link}")
    before = page.rests()["table"]
    page.open(link[len(page.address):])
    expect(page.rests()["table"] == before, "the link shows another table")
    page.open(link[len(page.address):] + "&embed")
    page.expect_drawn("embedded")
    page.call("Page.navigate", url="about:blank")
    page.call("Page.navigate", url=link[:-4])
    page.wait("document.getElementById('said')?.innerText.includes('The link is damaged')", "what is wrong with half a link")
    return link


def check_scenes(page):
    page.open()
    page.press("Escape")
    for key, scene in SCENES.items():
        page.press(key)
        page.wait(f"JSON.parse({STATISTICS}).scene === '{scene}'", scene)
        page.frame(20)
        page.expect_drawn(scene)
    page.press("p", ("Control", "Shift"))
    page.frame(20)
    page.expect_drawn("paged")


def check_lesson(page):
    page.open("?lesson=1-what-a-hash-table-is")
    page.frame(20)
    page.expect_drawn("lesson")
    page.press("PageDown")
    page.frame(20)
    page.expect_drawn("lesson-2")


def check_files(page):
    page.open(link_of({"version": 1, "table": {"family": "linear_probing", "slots": 64}, "steps": []}))
    page.rests()
    scenario = {"version": 1, "table": {"family": "robin_hood", "slots": 128}, "steps": [{"op": "insert", "count": 50}]}
    page.drop(("mine.slotscape.json", json.dumps(scenario).encode()))
    page.wait(f"JSON.parse({STATISTICS}).table?.live === 50", "the dropped scenario")
    cloud = "\n".join(f"{x} {y} {(x * y) % 7}" for x in range(40) for y in range(40)).encode()
    page.drop(("cloud.xyz", cloud))
    page.wait(f"JSON.parse({STATISTICS}).scene === 'spatial'", "the dropped cloud")
    page.rests()
    page.expect_drawn("cloud")


def check_work(page):
    """Pictures go on beside a tuning sweep, and another scene can be shown meanwhile."""
    expect(page.look("Module.canGiveWay"), "this browser cannot suspend a program")
    page.open()
    page.press("Escape")
    page.press("F8")
    page.press(" ")
    page.frame(30)
    expect(page.statistics()["moving"], "no sweep runs")
    page.press("F2")
    page.wait(f"JSON.parse({STATISTICS}).scene === 'slots'", "another scene")
    page.frame(30)


def check_without_suspending(page):
    """Work runs at once in browsers that cannot suspend a program."""
    script = page.call("Page.addScriptToEvaluateOnNewDocument",
                       source="delete WebAssembly.Suspending; delete WebAssembly.promising;")["identifier"]
    page.open(link_of(SCENARIO))
    expect(not page.look("Module.canGiveWay"), "the browser suspends programs")
    expect(page.rests()["table"]["live"] == 2300, "without suspending, the table is another one")
    page.press("F4")
    page.wait(f"JSON.parse({STATISTICS}).scene === 'spatial'", "another scene")
    page.frame(5)
    page.expect_drawn("without-suspending")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def check_touch(page):
    page.open(link_of({"version": 1, "table": {"family": "linear_probing", "slots": 64}, "steps": [{"op": "insert", "count": 30}]}),
              360, 640, 2, True)
    page.rests()
    page.expect_drawn("phone")
    before = page.picture("phone-before")
    page.touch("touchStart", (180, 200))
    page.touch("touchStart", (180, 200), (220, 240))
    page.touch("touchMove", (130, 150), (270, 290))
    page.touch("touchEnd")
    page.frame(10)
    expect(page.picture("phone-zoomed") != before, "two fingers change nothing")
    page.open("?lesson=1-what-a-hash-table-is", 360, 640, 2, True)
    page.frame(20)
    before = page.picture("lesson-before")
    page.drag((180, 540), (180, 400))
    expect(page.picture("lesson-scrolled") != before, "a lesson's panel does not scroll")


def check_long_press(page):
    """What is held says what it does, and does nothing."""
    page.open("?lesson=1-what-a-hash-table-is", 360, 640, 2, True)
    page.frame(40)
    before = page.picture("before-long-press")
    page.hold(190, 608)
    expect(page.picture("long-press") != before, "a button that is held says nothing")
    page.open("", 360, 640, 2, True)
    page.frame(5)
    page.hold(180, 120)
    expect(page.statistics().get("table", {}).get("slots") != 16, "a card that was held was opened")
    page.tap_until(180, 120, f"JSON.parse({STATISTICS}).table?.slots === 16", "what a tapped card opens")


def check_by_hand(page):
    """From the gallery to a key of one's own, which is erased again, by fingers alone."""
    page.open("", 360, 640, 2, True)
    page.frame(5)
    page.expect_drawn("gallery-on-a-phone")
    page.tap_until(180, 120, f"JSON.parse({STATISTICS}).table?.slots === 16", "the table to fill by hand")
    page.frame(10)
    page.expect_drawn("by-hand")
    for operation, place, live in (("insert", (60, 110), 4), ("erase", (132, 110), 0)):
        page.tap(*place)
        page.tap_until(258, 110, "!document.getElementById('typing').hidden && document.activeElement.id === 'typed'",
                       "a field for keys")
        field = page.look("(({ inputMode, enterKeyHint }) => ({ inputMode, enterKeyHint }))(document.getElementById('typed'))")
        expect(field == {"inputMode": "numeric", "enterKeyHint": "enter"}, f"the field asks for the keyboard {field}")
        expect(page.look("document.getElementById('typing').getBoundingClientRect().bottom") < 80, "a keyboard covers the field")
        page.call("Input.insertText", text="21")
        for sign, number in ((", ", "5"), ("-", "7")):  # numeric keyboards of some telephones lack these signs
            page.tap(*page.look("(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
                                f"(document.querySelector('[data-sign=\"{sign}\"]').getBoundingClientRect())"))
            page.call("Input.insertText", text=number)
        page.wait("document.getElementById('typed').value === '21, 5-7'", "keys with the signs of the page")
        page.frame(5)
        page.picture(f"by-hand-typed-{operation}")
        page.press("Enter")
        page.wait(f"JSON.parse({STATISTICS}).table.live === {live}", operation)
        page.frame(10)
        page.picture(f"by-hand-{operation}")
    page.tap(180, 600)
    page.wait("document.getElementById('typing').hidden", "no field once nothing is typed")
    page.tap_until(150, 12, "Module.copiedText.includes('#s=')", "a link, by what the bar has for it")


def kept(page):
    """The settings as the next visit finds them."""
    page.call("Page.navigate", url="about:blank")
    page.open()
    return json.loads(page.look(f"FS.readFile('{SETTINGS}', {{ encoding: 'utf8' }})"))


def do_and_keep(page, do):
    """Does something, and waits until it is kept."""
    before = page.look("Module.kept")
    do()
    page.wait(f"Module.kept > {before} && Module.doneAt === 0", "what was done to be kept")


def check_kept(page):
    """Settings and lessons are kept some seconds after they change, and when the page is left."""
    page.open()
    page.press("Escape")
    do_and_keep(page, lambda: page.press("F3"))
    expect(kept(page)["scene"] == "compare", "the next visit begins anew")
    expect(page.statistics()["scene"] == "compare", "the next visit shows another scene")
    page.press("Escape")
    page.press("F2")
    page.wait(f"JSON.parse({STATISTICS}).scene === 'slots'", "the first scene")
    hide = "Object.defineProperty(document, 'hidden', { get: () => true }); document.dispatchEvent(new Event('visibilitychange'))"
    do_and_keep(page, lambda: page.look(hide))
    expect(kept(page)["scene"] == "slots", "what was done just before the page is left is forgotten")
    page.open("?lesson=1-what-a-hash-table-is")
    do_and_keep(page, lambda: page.press("PageDown"))
    lessons = kept(page)["lessons"]
    expect("1-what-a-hash-table-is" in json.dumps(lessons), f"the lessons that are kept are {lessons}")


def check_lost_graphics(page):
    """A browser that takes the graphics memory back gets the page again; if it does so again at once, it is asked first."""
    page.open(link_of(SCENARIO), 360, 640, 3, True)
    before = page.rests()["table"]
    expect(page.look("document.getElementById('canvas').width") == 1080, "a canvas of another size than the screen")
    page.expect_drawn("fine")
    lose = "globalThis.isOld = true; Module.ctx.getExtension('WEBGL_lose_context').loseContext()"
    page.look(lose)
    page.wait("globalThis.isOld === undefined && globalThis.Module?.frames > 1", "the page again")
    expect(page.rests()["table"] == before, "the page shows another table than before")
    page.expect_drawn("again")
    page.look(lose)
    page.wait("!document.getElementById('again').hidden", "a word about the graphics memory")
    page.look("document.getElementById('again').click()")
    page.wait("globalThis.isOld === undefined && globalThis.Module?.frames > 1", "the page once more")
    expect(page.rests()["table"] == before, "the page shows another table than before")


def check_notebook(page):
    """What the Python package gives a notebook to show, up to what is as long as a link may be."""
    spec = importlib.util.spec_from_file_location("cells", CELLS)
    cells = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cells)
    many = random.Random(1).sample(range(10**7), 120_000)
    for name, slots, keys in (("large-cell", 262_144, many), ("cell", 16, [[5, 1], [21, 2], [37, 3]])):
        scenario = {"version": 1, "table": {"slots": slots}, "steps": [{"op": "insert", "keys": keys}]}
        cell = cells.Cell(cells.scenario_link(page.address, scenario), len(keys))
        page.call("Page.navigate", url=f"{page.address}offline.js")
        page.wait("document.readyState === 'complete'", "a page around the cell")
        page.look(f"document.body.innerHTML = {json.dumps(cell._repr_html_())}")
        page.wait("frames[0].Module?.frames > 1 && JSON.parse(frames[0].Module.ccall('slotscape_statistics', 'string'))"
                  f".table?.live === {len(keys)}", "the keys in the cell", 120)
        page.expect_drawn(name)


def check_offline(page, server):
    page.open()
    page.wait("navigator.serviceWorker.controller !== null", "what keeps the page", 60)
    server.shutdown()
    server.server_close()
    page.open(link_of(SCENARIO))
    expect(page.rests()["table"]["live"] == 2300, "without a network, the page shows something else")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(arguments.folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        page = Page(f"{scratch}/profile", f"http://localhost:{server.server_port}/", arguments.pictures)
        seconds = page.open()
        page.expect_drawn("gallery")
        live = check_numbers(page, arguments.program, Path(scratch))
        link = check_keys(page)
        check_scenes(page)
        check_lesson(page)
        check_files(page)
        check_work(page)
        check_without_suspending(page)
        check_touch(page)
        check_long_press(page)
        check_by_hand(page)
        check_kept(page)
        check_lost_graphics(page)
        check_notebook(page)
        check_offline(page, server)
        page.close()
    print(f"app_test: passed (the first picture after {seconds:.1f} s, {live} keys as on a computer, a link of {len(link)} characters)")


if __name__ == "__main__":
    main()
