#!/usr/bin/env python3
"""Works through an exported lesson in a real browser with the keyboard alone:

    browser_test.py PAGE.html TRANSCRIPT.json --program SLOTSCAPE [--pictures FOLDER]

PAGE is 1-what-a-hash-table-is.html. Keys are the only thing that the test does to the page; it reads what the page shows,
and knows the right answers from a transcript of the program (transcript.cpp). The page is checked for what assistive
technology needs, in the light and the dark theme, and from the width of a desktop down to that of a telephone at 400 %.
"""
import argparse
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from verdict import fail

SEED = 1
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
MOST_TABS = 80

# What is wrong with the page as it is now, in words: after the rules of WCAG 2.1 AA that a program can check.
RULES = r"""
(() => {
  const wrong = [];
  const all = [...document.body.querySelectorAll("*")];
  const seen = (element) => element.checkVisibility() && element.closest(".skip") === null;
  const name = (element) => `${element.tagName.toLowerCase()}#${element.id} "${element.textContent.slice(0, 30)}"`;
  const ids = all.map((element) => element.id).filter((id) => id !== "");
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`the id ${id} is not unique`);
  if (document.documentElement.lang === "") wrong.push("the page has no language");
  if (document.title === "") wrong.push("the page has no title");
  for (const element of all.filter(seen)) {
    if (element.tabIndex > 0) wrong.push(`${name(element)} is out of order for the keyboard`);
    if (element.matches("button, summary")) {
      if ((element.getAttribute("aria-label") ?? element.textContent).trim() === "") wrong.push(`${name(element)} has no name`);
      const box = element.getBoundingClientRect();
      if (box.width < 24 || box.height < 24) wrong.push(`${name(element)} is smaller than 24 pixels`);
    }
    if (element.matches("input, select") && element.labels.length === 0) wrong.push(`${name(element)} has no label`);
    if (element.matches("img") && element.alt === "") wrong.push(`${name(element)} has no text`);
    if (element.matches("canvas") && element.getAttribute("aria-label") === null) wrong.push("a canvas has no text");
    for (const id of (element.getAttribute("aria-labelledby") ?? element.getAttribute("aria-describedby") ?? "").split(" ")) {
      if (id !== "" && document.getElementById(id) === null) wrong.push(`${name(element)} is described by nothing`);
    }
  }
  const levels = all.filter((element) => seen(element) && /^H[1-6]$/.test(element.tagName)).map((each) => Number(each.tagName[1]));
  levels.forEach((level, i) => { if (level > (levels[i - 1] ?? 0) + 1) wrong.push(`heading ${i + 1} skips a level`); });
  for (const role of ["status", "alert"]) {
    if (document.querySelector(`[role=${role}]`) === null) wrong.push(`nothing has the role ${role}`);
  }
  const parse = (color) => color.match(/[\d.]+/g).map(Number);
  const linear = (channel) => (channel /= 255) <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ground = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (color.length === 3 || color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  };
  for (const element of all.filter(seen)) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    if (!own || element.matches(":disabled, [aria-disabled=true], option")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [luminance(parse(style.color)), luminance(ground(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) wrong.push(`${name(element)} has a contrast of ${contrast.toFixed(2)}`);
  }
  // WCAG 1.4.11: where one writes, and what an empty slot is.
  for (const element of all.filter((each) => seen(each) && each.matches("input, select, .slots > .empty"))) {
    const border = luminance(parse(getComputedStyle(element).borderTopColor));
    for (const beside of [element, element.parentElement]) {
      const [a, b] = [border, luminance(ground(beside))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < 3) wrong.push(`the border of ${name(element)} has a contrast of ${contrast.toFixed(2)}`);
    }
  }
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`it is ${root.scrollWidth} pixels wide in ${root.clientWidth}`);
  return wrong;
})()
"""


class Browser:
    """Chromium, by its DevTools protocol through two pipes."""

    def __init__(self, folder, flags=("--disable-gpu",)):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            fail("Chromium is not installed: apt-get install chromium")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()
        # The browser reads from its file 3, and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "_", program, "--headless=new", "--no-sandbox",
             *flags, "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.text = b""
        self.number = 0
        self.session = None
        self.contexts = {}  # of scripts, by the frame that they are in
        self.context = None  # the one that is looked at; None: that of the page itself
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.read()
            if reply.get("method") == "Runtime.exceptionThrown":
                fail(f"the page's script fails: {reply['params']['exceptionDetails']}")
            if reply.get("method") == "Runtime.executionContextCreated":
                context = reply["params"]["context"]
                if context["auxData"]["isDefault"]:
                    self.contexts[context["auxData"]["frameId"]] = context["id"]
            if reply.get("id") == self.number:
                if "error" in reply:
                    fail(f"{method}: {reply['error']['message']}")
                return reply["result"]

    def read(self):
        while b"\0" not in self.text:
            more = os.read(self.inp, 1 << 20)
            if not more:
                fail("the browser has ended")
            self.text += more
        message, self.text = self.text.split(b"\0", 1)
        return json.loads(message)

    def look_into(self, url):
        """From now on, `look` is at the frame that shows this address; None: at the page itself. False where none does."""
        def frames(tree):
            return [tree["frame"]] + [each for child in tree.get("childFrames", []) for each in frames(child)]

        self.context = None
        if url is None:
            return True
        found = [each["id"] for each in frames(self.call("Page.getFrameTree")["frameTree"]) if url in each["url"]]
        self.context = self.contexts.get(found[0]) if found else None
        return self.context is not None

    def look(self, expression):
        where = {} if self.context is None else {"contextId": self.context}
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, userGesture=True, **where)
        if "exceptionDetails" in result:
            fail(f"{expression[:60]}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key, shift=False):
        code = KEYS.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def write(self, text):
        for letter in text:
            self.key(letter)

    def close(self):
        self.process.terminate()
        self.process.wait(20)


class Student:
    def __init__(self, browser, pictures):
        self.browser = browser
        self.pictures = pictures
        self.checked = 0

    def text(self, selector):
        return self.browser.look(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def wait(self, expression, what):
        for _ in range(2400):
            if self.browser.look(expression):
                return
            time.sleep(0.05)
        fail(f"waited in vain for {what}")

    def focus(self, name):
        """Presses Tab until the element with this id has the focus."""
        for _ in range(MOST_TABS):
            if self.browser.look("document.activeElement.id") == name:
                return
            self.browser.key("Tab")
        fail(f"Tab does not reach #{name} on page '{self.text('#title')}'")

    def press(self, name):
        self.focus(name)
        self.browser.key("Enter")

    def press_summary(self, name):
        """Opens a part of the page that has this id."""
        for _ in range(MOST_TABS):
            if self.browser.look(f"document.activeElement === document.querySelector('#{name} > summary')"):
                return self.browser.key("Enter")
            self.browser.key("Tab")
        fail(f"Tab does not reach the part #{name}")

    def answer(self, text):
        self.focus("answer")
        self.browser.write(text)
        self.browser.key("Enter")
        self.wait("document.getElementById('told').innerText !== ''", "what is told after an answer")

    def expect(self, condition, what):
        if not condition:
            self.picture("failed")
            fail(f"{what}, on page '{self.text('#title')}'; it says: {self.text('#told')!r}")

    def check_rules(self, when):
        for theme in ("light", "dark"):
            for width, height in ((1280, 800), (360, 740), (320, 256)):  # 1280 pixels at 400 % are 320
                self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                                  mobile=False)
                self.browser.call("Emulation.setEmulatedMedia", features=[
                    {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
                wrong = self.browser.look(RULES)
                self.picture(f"{when}-{theme}-{width}")
                self.expect(not wrong, f"{when}, {theme}, {width} pixels wide: {wrong[:4]}")
                self.checked += 1
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)

    def picture(self, name):
        if self.pictures:
            data = self.browser.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            (self.pictures / f"{name}.png").write_bytes(base64.b64decode(data))

    def walk_steps(self):
        """Step mode after an answer: forward to the end, and back, each step told."""
        self.focus("forward")
        told = []
        while not self.browser.look("document.getElementById('forward').ariaDisabled === 'true'"):
            self.browser.key(" ")
            told.append(self.text("#told-0"))
            self.expect(self.browser.look("document.querySelectorAll('.code [aria-current=step]').length") == 1,
                        "no line of the pseudocode is lit")
        self.expect(len(told) > 0 and len(set(told)) == len(told), f"steps are not told apart: {told}")
        at_end = self.text("#tables")
        self.press("back")
        self.expect(self.text("#tables") != at_end, "a step back changes nothing")
        self.press("forward")
        self.expect(self.text("#tables") == at_end, "a step forth does not come back to the end")
        return len(told)


def right_answers(transcript):
    """Of the pages of the first lesson, for the first question of the seed."""
    lesson = json.loads(Path(transcript).read_text())[0]
    run = next(run for run in lesson["runs"] if run["seed"] == SEED)
    answers = {}
    for entry in run["entries"]:
        if entry["seen"].get("right") and entry["request"]["do"] == "answer":
            answers.setdefault(entry["seen"]["page"], entry["request"]["text"])
    return answers


def hand_in(student, folder, program):
    """Saves the answers, and has the program compute the points again."""
    student.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    student.press_summary("hand-in")
    student.focus("student")
    student.browser.write("Ada")
    student.browser.key("Enter")
    saved = folder / "1-what-a-hash-table-is-Ada.json"
    for _ in range(200):
        if saved.exists():
            break
        time.sleep(0.05)
    student.expect(saved.name in student.text("#saved"), "nothing says what was saved")
    graded = subprocess.run([program, "lesson", "grade", saved, "--csv", folder / "grades.csv"], capture_output=True, text=True)
    row = "1-what-a-hash-table-is-Ada.json,Ada,1-what-a-hash-table-is,1,12,12,2 2 2 2 2 2,\n"
    student.expect(graded.returncode == 0, f"the answers are not graded: {graded.stdout}{graded.stderr}")
    student.expect((folder / "grades.csv").read_text().endswith(row), f"they are graded so: {graded.stdout}")
    answers = json.loads(saved.read_text())
    right = next(each for each in answers["requests"] if each["do"] == "answer")
    right["text"] = "15"
    saved.write_text(json.dumps(answers))
    graded = subprocess.run([program, "lesson", "grade", saved], capture_output=True, text=True)
    student.expect("10 of 12  (the file says 12 points)" in graded.stdout, f"another answer is graded so: {graded.stdout}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("page")
    arguments.add_argument("transcript")
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--pictures", type=Path)
    given = arguments.parse_args()
    answers = right_answers(given.transcript)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        student = Student(browser, given.pictures)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        browser.call("Page.navigate", url=f"{Path(given.page).resolve().as_uri()}?variant={SEED}")
        student.wait("typeof shown === 'object' && document.getElementById('title').innerText !== ''", "the lesson to open")
        student.check_rules("begins")
        steps = 0
        for page in range(4):
            student.expect(student.text("#complaint") == "", "there is a complaint")
            if page == 1:
                student.focus("answer")
                browser.write("many")
                browser.key("Enter")
                student.expect("not a number" in student.text("#complaint"), "a word passes for a number")
                for _ in "many":
                    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Backspace", windowsVirtualKeyCode=8)
                    browser.call("Input.dispatchKeyEvent", type="keyUp", key="Backspace", windowsVirtualKeyCode=8)
                student.expect(student.text("#complaint") == "", "a complaint stays while the text is mended")
            student.answer(answers[page])
            student.expect(student.text("#told").startswith("Right"), "the right answer is not right")
            if page == 0:
                student.check_rules("told")
            steps += student.walk_steps()
            student.press("next")
            student.wait(f"shown.page === {page + 1}", "the next page")
        student.focus("set-hash")
        browser.write("murmur")
        student.wait("shown.task.right", "the challenge to be met by another hash")
        student.press("next")
        student.wait("shown.page === 5", "the last page")
        student.focus("keys")
        browser.write("34, 50")
        student.press("erase")
        student.expect("2 keys were erased" in student.text("#said"), "what was erased is not told")
        browser.key("Tab", shift=True)
        browser.key("Tab", shift=True)
        student.expect(browser.look("document.activeElement.id") == "keys", "the field is not before its buttons")
        browser.write("0 1 3 4 5 6 7 8 9")
        browser.key("Enter")
        student.wait("shown.task.right", "the last challenge to be met")
        student.check_rules("ends")
        student.expect("12 of 12 points" in student.text("#score"), f"the score is wrong: {student.text('#score')}")
        hand_in(student, Path(folder), given.program)
        browser.call("Page.reload")
        student.wait("typeof shown === 'object' && shown.page === 5", "the page as it was left")
        student.expect("12 of 12 points" in student.text("#points"), "the points are forgotten")
        browser.close()
    print(f"6 pages by keyboard, {steps} steps, rules checked {student.checked} times, 12 of 12 points")


if __name__ == "__main__":
    main()
