#!/usr/bin/env python3
"""Drives `slotscape serve` in a real browser, and looks on beside it:

    serve_test.py SLOTSCAPE [--pictures FOLDER]

One tab drives with mouse and keyboard, another one looks. Eight more that look are sockets; a ninth takes no picture at all. What
the program did is read from the statistics that it writes at its end.
"""
import argparse
import base64
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from browser_test import RULES, Browser
from verdict import fail

SIZE = (1280, 800)
SCENARIO = {"version": 1, "table": {"family": "linear_probing", "slots": 4096}, "steps": []}
# Of the picture, a number that any change of it changes.
FINGERPRINT = ("(() => { let sum = 0; const { data } = context.getImageData(0, 0, canvas.width, canvas.height);"
               " for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] + data[i + 1]) >>> 0; return sum; })()")
INSERT = (44, 562)  # the middle of the button 'Insert', in pixels of the program's window


class Tab(Browser):
    """A browser with a page that `serve` gives."""

    def open(self, address, width=1280, height=720, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Page.navigate", url=address)

    def wait(self, expression, what):
        for _ in range(600):
            if self.look(f"document.readyState === 'complete' && Boolean({expression})"):
                return
            time.sleep(0.05)
        fail(f"waited in vain for {what}; the page says {self.look('document.body.innerText')!r}")

    def wait_for_picture(self):
        """A picture has colours; a canvas without one is black."""
        self.wait("typeof context === 'object' && new Set(context.getImageData(0, 0, canvas.width, canvas.height).data).size > 20",
                  "a picture")

    def fingerprint(self):
        return self.look(FINGERPRINT)

    def at_rest(self):
        """The fingerprint once it stays the same: the picture stands still, as sharp as it gets."""
        seen = [self.fingerprint()]
        for _ in range(60):
            time.sleep(0.5)
            seen.append(self.fingerprint())
            if len(set(seen[-4:])) == 1 and len(seen) > 3:
                return seen[-1]
        fail("the picture does not come to rest")

    def place(self, x, y):
        """Where a pixel of the program's window is on the page."""
        box = self.look("(() => { const box = canvas.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()")
        return {"x": box[0] + x * box[2] / SIZE[0], "y": box[1] + y * box[3] / SIZE[1]}

    def click(self, x, y):
        at = self.place(x, y)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **at)
        time.sleep(0.3)
        self.call("Input.dispatchMouseEvent", type="mousePressed", button="left", buttons=1, clickCount=1, **at)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", button="left", clickCount=1, **at)

    def press(self, key, code, modifiers=0, text=""):
        number = ord(key.upper()) if len(key) == 1 else {"Tab": 9, "Enter": 13}.get(key, 0)
        common = {"key": key, "code": code, "modifiers": modifiers, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, folder, name):
        if folder:
            (folder / f"{name}.png").write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


class Onlooker:
    """A page that looks, without a browser. `takes`: it says that it has seen its pictures."""

    def __init__(self, address, takes):
        place = urlsplit(address)
        token = parse_qs(place.query)["token"][0]
        self.takes = takes
        self.wire = socket.create_connection((place.hostname, place.port), timeout=20)
        self.wire.sendall((f"GET /watch/live?token={token} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n"
                           "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self.take(1)
        if not answer.startswith(b"HTTP/1.1 101"):
            fail(f"a viewer is refused: {answer}")

    def take(self, count):
        content = b""
        while len(content) < count:
            more = self.wire.recv(count - len(content))
            if not more:
                fail("a viewer's connection has ended")
            content += more
        return content

    def hear(self):
        """The next message: whether it is a picture, and its content."""
        head = self.take(2)
        length = head[1] & 127
        if length > 125:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        content = self.take(length)
        if head[0] & 15 == 2 and self.takes:
            self.say({"type": "seen", "frame": int.from_bytes(content[:4], "little")})
        return head[0] & 15 == 2, content

    def sees_within(self, seconds):
        """Whether a picture comes in time."""
        end = time.time() + seconds
        while select.select([self.wire], [], [], max(0.0, end - time.time()))[0]:
            if self.hear()[0]:
                return True
        return False

    def say(self, message):
        text = json.dumps(message).encode()
        assert len(text) < 126
        self.wire.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)


def start(program, folder):
    (folder / "table.slotscape.json").write_text(json.dumps(SCENARIO))
    environment = dict(os.environ, XDG_CONFIG_HOME=str(folder))
    server = subprocess.Popen([program, "serve", folder / "table.slotscape.json", "--port", "0", "--backend", "cpu", "--size",
                               f"{SIZE[0]}x{SIZE[1]}", "--stats", folder / "statistics.json"],
                              stdout=subprocess.PIPE, text=True, env=environment)
    addresses = dict(server.stdout.readline().split() for _ in range(2))
    return server, addresses["drive"], addresses["look"]


def check_refusals(address):
    place = urlsplit(address)
    for path, headers in (("/", {}), ("/?token=0123", {}), ("/drive", {}), (f"/?{place.query}", {"Host": "example.org"})):
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
        connection.request("GET", path, headers=headers)
        status = connection.getresponse().status
        if status != 403:
            fail(f"{path} {headers} is answered with {status}")


def check_look(tab, pictures, name):
    for width, height, mobile in ((1280, 720, False), (390, 844, True), (844, 390, True), (320, 256, False)):
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        time.sleep(0.3)
        tab.picture(pictures, f"{name}-{width}")
        wrong = tab.look(RULES)
        if wrong:
            fail(f"{name}, {width} pixels wide: {wrong[:4]}")
    tab.call("Emulation.setDeviceMetricsOverride", width=1280, height=720, deviceScaleFactor=1, mobile=False)
    time.sleep(0.3)


def check_saving(driver, folder):
    driver.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    driver.look("document.getElementById('save').click()")
    for _ in range(200):
        if (folder / "slotscape.png").exists():
            break
        time.sleep(0.05)
    head = (folder / "slotscape.png").read_bytes()[:24]
    if (int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")) != SIZE:
        fail("the saved picture has not the size of the window")


def drive(driver, viewer, folder, pictures):
    """One batch by a click, one by a key; the viewer's click does nothing. Returns the batches."""
    before = viewer.at_rest()
    driver.click(*INSERT)
    viewer.wait(f"{FINGERPRINT} !== {before}", "the viewer's picture to change with the driver's click")
    time.sleep(1.0)
    driver.picture(pictures, "clicked")
    driver.press("i", "KeyI", text="i")
    driver.press("Tab", "Tab")  # which hides the program's panels, and is to bring them back
    driver.press("Tab", "Tab")
    if driver.look("document.activeElement.id") != "picture":
        fail("Tab does not stay in the program")
    driver.press("Enter", "Enter", modifiers=3)  # Ctrl and Alt
    if driver.look("document.activeElement.id") != "size":
        fail("the page does not get the keyboard back")
    check_saving(driver, folder)
    driver.press("i", "KeyI", text="i")  # for the page
    driver.look("canvas.focus()")
    time.sleep(1.0)
    viewer.click(*INSERT)
    viewer.press("i", "KeyI", text="i")
    viewer.look("socket.send(JSON.stringify({ type: 'key', key: 'KeyI', down: true, modifiers: 0 }))")
    viewer.look("socket.send(JSON.stringify({ type: 'text', text: 'i' }))")
    time.sleep(1.0)
    return 2


def check_crowd(driver, look, folder):
    """Ten look, one of whom takes nothing; the eleventh is told so, and nobody is held up."""
    onlookers = [Onlooker(look, takes=True) for _ in range(8)]
    stalled = Onlooker(look, takes=False)
    for onlooker in onlookers + [stalled]:
        while not onlooker.hear()[0]:
            pass
    eleventh = Tab(folder / "eleventh")
    eleventh.open(look)
    eleventh.wait("document.getElementById('alert').innerText.includes('10 look already')", "the eleventh viewer to be told why")
    eleventh.close()
    driver.wait("document.getElementById('viewers').innerText.startsWith('10 viewers')", "ten viewers to be counted")
    began = time.time()
    pictures = 0
    for _ in range(40):  # the list of keys comes and goes: each time the picture is another one
        driver.press("h", "KeyH", text="h")
        pictures += onlookers[0].sees_within(2.0)
    if pictures < 30:  # where a sharper one comes late, two presses fall into one frame, and nothing changes
        fail(f"of 40 changes, {pictures} reached the others")
    return pictures / (time.time() - began), onlookers, stalled


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--pictures", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        server, drive_address, look_address = start(given.program, folder)
        check_refusals(drive_address)
        driver = Tab(folder / "driver")
        driver.open(drive_address)
        driver.wait_for_picture()
        if "token" in driver.look("location.href"):
            fail("the token stays in the address bar")
        viewer = Tab(folder / "viewer")
        viewer.open(look_address)
        viewer.wait_for_picture()
        if viewer.look("document.getElementById('badge').innerText") != "read-only":
            fail("the viewer's page does not say that it is read-only")
        check_look(driver, given.pictures, "driver")
        check_look(viewer, given.pictures, "viewer")
        batches = drive(driver, viewer, folder, given.pictures)
        rate, *_ = check_crowd(driver, look_address, folder)
        driver.call("Page.reload")
        driver.wait_for_picture()
        server.send_signal(signal.SIGINT)
        viewer.wait("document.getElementById('alert').innerText.includes('has ended')", "the viewer to be told of the end")
        if server.wait(20) != 0:
            fail(f"the program ends with {server.returncode}")
        statistics = json.loads((folder / "statistics.json").read_text())
        inserted = [each for each in statistics["operations"] if each["op"] == "insert"]
        if len(inserted) != batches or any(each["succeeded"] == 0 for each in inserted):
            fail(f"{batches} batches were asked for; the program did {inserted}")
        driver.close()
        viewer.close()
    print(f"one drives, ten look, one of them stalled: {rate:.1f} changes a second reach the others; {batches} batches inserted")


if __name__ == "__main__":
    main()
