#!/usr/bin/env python3
"""What pages of lessons keep and say, in a real browser:

    pages_test.py SLOTSCAPE [--pictures FOLDER]

One lesson is exported again and again as a teacher does: with a typo mended, in another language, with a page more, with another
question. What was earned must be there in each that asks the same, and must be told of where it is not. Then what a page says of
typed keys, of a chosen slot and of slots, and that each slot holds its key in full.
"""
import argparse
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from browser_test import Browser, Student

SHORT = json.loads((Path(__file__).parent / "short_lesson.json").read_text())
LONG_KEYS = {
    "version": 1, "title": "Long keys", "about": "Keys of all lengths.",
    "pages": [
        {"title": "Ten digits", "text": "Of 32 bits.", "set_up": {"table": {"slots": 64}, "steps": [{"op": "insert", "count": 48}]}},
        {"title": "More digits", "text": "Of 64 bits.",
         "set_up": {"table": {"slots": 64, "key_bits": 64}, "steps": [{"op": "insert", "count": 32}]}},
        {"title": "Few slots", "text": "As large as can be.",
         "set_up": {"table": {"slots": 16, "hash": "identity"}, "steps": [{"op": "insert", "keys": [4294967290, 4000000000, 7]}]}},
        {"title": "Two hashes", "text": "Cuckoo hashing.",
         "set_up": {"table": {"slots": 16, "family": "cuckoo"}, "steps": [{"op": "insert", "keys": [3, 4, 5]}]}}]}
LARGE_KEYS = {
    "version": 1, "title": "Large keys", "about": "Beyond 2^53.",
    "pages": [{"title": "Odd", "text": "Of 64 bits.",
               "set_up": {"table": {"slots": 16, "hash": "identity", "key_bits": 64},
                          "steps": [{"op": "insert", "keys": [9007199254740993]}]},
               "task": {"kind": "prediction", "ask": "Where does 9007199254741009 land?", "asks": "slot", "answer": "2",
                        "operation": {"op": "insert", "key": 9007199254741009}}}]}
# Texts in slots that are not seen in full.
CUT = """(() => [...document.querySelectorAll('.slots > li')].flatMap((slot) => {
  const box = slot.getBoundingClientRect();
  return [...slot.querySelectorAll('.key, .more, .number')].filter((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    return [...range.getClientRects()].some((each) =>
      each.left < box.left || each.right > box.right || each.top < box.top || each.bottom > box.bottom);
  }).map((words) => words.textContent);
}))()"""
SMALLEST = "Math.min(...[...document.querySelectorAll('.slots .key')].map((each) => parseFloat(getComputedStyle(each).fontSize)))"
SPOKEN = "[...document.querySelectorAll('.slots > li')].map((each) => each.querySelector('.spoken, button').ariaLabel ?? each.textContent)"


class Class(Student):
    """Pages of one origin, as a student opens one after the other."""

    def __init__(self, browser, folder, program, pictures):
        super().__init__(browser, pictures)
        self.folder = folder
        self.program = program

    def write(self, name, lesson, *options):
        """The page of `class.json` in a folder of its own."""
        (self.folder / name).mkdir()
        file = self.folder / name / "class.json"
        file.write_text(json.dumps(lesson))
        subprocess.run([self.program, "lesson", "export", file, "--web", self.folder / name, *options], check=True,
                       stdout=subprocess.DEVNULL)

    def load(self, name, address=""):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=f"{(self.folder / name / 'class.html').as_uri()}{address}")

    def open(self, name, address=""):
        self.load(name, address)
        self.wait("typeof shown === 'object' && document.getElementById('title').innerText !== ''", "the lesson to open")

    def has(self, points, when):
        self.expect(self.browser.look("shown.points") == points, f"{when}: {self.text('#points')}, not {points}")

    def go_to(self, page):
        self.press(f"page-{page}")
        self.wait(f"shown.page === {page}", f"page {page}")


def changed(change):
    lesson = copy.deepcopy(SHORT)
    change(lesson)
    return lesson


def earn(student):
    student.open("first", "?variant=7")
    student.answer("3")
    student.go_to(1)
    student.answer("1/8")
    student.has(4, "two right answers")


def check_editions(student):
    student.write("first", SHORT)
    student.write("mended", changed(lambda lesson: lesson["pages"][3].update(text="Insert two more keys.")))
    student.write("german", SHORT, "--language", "de")
    student.write("longer", changed(lambda lesson: lesson["pages"].append(dict(lesson["pages"][1], title="Again"))))
    other = changed(lambda lesson: lesson["pages"][0]["task"].update(ask="Where will 52 land?", answer="4",
                                                                       operation={"op": "insert", "key": 52}))
    student.write("other", other)
    earn(student)
    for name in ("mended", "german", "longer", "first"):
        student.open(name)
        student.has(4, name)
        student.expect(student.browser.look("shown.progress.seed") == 7, f"{name}: the questions are others")
        student.expect(student.text("#besides") == "", f"{name}: it says {student.text('#besides')!r}")
    student.open("other")
    student.has(0, "an edition with another question")
    student.expect("keeps 4 points of another edition" in student.text("#besides"), f"it says {student.text('#besides')!r}")
    student.answer("4")
    student.open("first")
    student.has(4, "back from another edition")
    student.open("other")
    student.has(2, "back in the other edition")


def check_variants(student):
    student.open("first", "?variant=8")
    student.has(0, "another variant")
    student.expect("keeps 4 points" in student.text("#besides"), f"another variant says {student.text('#besides')!r}")
    student.picture("another-variant")
    student.press("go-on")
    student.wait("typeof shown === 'object' && shown.progress.seed === 7", "the first variant")
    student.has(4, "the way back to the first variant")
    for variant in ("-1", "abc", "1.5", "0", ""):
        student.load("first", f"?variant={variant}")
        student.wait("document.getElementById('wait')?.innerText.includes('whole number')", f"?variant={variant} to be refused in words")
        student.expect(student.browser.look("document.getElementById('main').hidden"), f"?variant={variant} shows an empty page")


def check_solved(student):
    student.open("first")
    student.go_to(0)
    student.expect(student.text("#solved") == "Solved: 2 points. Your answer was 3.", f"a solved page says {student.text('#solved')!r}")
    student.expect(student.text("#hint") == "Hint", "a solved page threatens to take a point")
    student.picture("solved")
    student.go_to(2)
    student.expect(student.text("#solved") == "", "an open page is said to be solved")


def check_grading(student):
    """What is handed in after the typo was mended is graded without a remark."""
    student.open("mended")
    (student.folder / "mended/answers.json").write_text(student.browser.look("JSON.stringify(answers_of('Ada'))"))
    graded = subprocess.run([student.program, "lesson", "grade", "answers.json"], cwd=student.folder / "mended",
                            capture_output=True, text=True)
    student.expect(graded.stdout.rstrip().endswith("4 of 8"), f"it is graded so: {graded.stdout}{graded.stderr}")


def check_earlier_pages(student):
    """What a page of before kept, which kept one attempt."""
    student.open("first")
    student.browser.look("""(() => {
      const [{ edition, progress, requests }] = attempts().filter((each) => each.edition === data.edition && each.progress.seed === 7);
      localStorage.clear();
      localStorage.setItem('slotscape class', JSON.stringify(progress));
      localStorage.setItem('slotscape class answers', JSON.stringify({ edition, seed: progress.seed, requests }));
    })()""")
    student.open("mended")
    student.has(4, "points that an earlier page kept")


def check_typed_keys(student):
    student.browser.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
    student.open("first")
    student.go_to(3)
    for field, button, said in (("keys", "insert", "'abc'"), ("slots", "rehash", "")):
        student.focus(field)
        student.browser.look(f"document.getElementById('{field}').value = ''")
        student.browser.write("abc" if field == "keys" else "0")
        student.press(button)
        words = student.text("#said")
        student.expect(said in words and words != "", f"#{field}: it says {words!r}")
        seen = student.browser.look("(() => { const box = document.getElementById('said').getBoundingClientRect();"
                                    " return box.top >= 0 && box.bottom <= innerHeight; })()")
        student.expect(seen, f"#{field}: what is wrong is said off the screen")
        student.expect(student.browser.look(f"""(() => {{ const field = document.getElementById('{field}');
            return document.activeElement === field && field.ariaInvalid === 'true'
              && field.getAttribute('aria-describedby') === 'said' && document.getElementById('complaint').innerText === ''; }})()"""),
            f"#{field}: nothing says that it is wrong")
        student.picture(f"wrong-{field}")
        student.browser.write("7")
        student.expect(student.text("#said") == "" and student.browser.look(f"document.getElementById('{field}').ariaInvalid === null"),
                       f"#{field}: a complaint stays while it is mended")
    student.browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)


def check_chosen_slot(student):
    student.open("first", "?variant=9")
    words = student.browser.look(SPOKEN)
    student.expect(words[1] == "Slot 1: key 17, home 1, 0 slots from home", f"slot 1 is {words[1]!r}")
    student.expect(words[2] == "Slot 2: key 33, home 1, 1 slot from home", f"slot 2 is {words[2]!r}")
    student.focus("slot-0-0")
    student.browser.key("ArrowRight")
    student.browser.key("Enter")
    pressed = student.browser.look("[...document.querySelectorAll('.slots button[aria-pressed=true]')].map((each) => each.id)")
    student.expect(pressed == ["slot-0-1"], f"chosen is {pressed}")
    student.expect(student.text("#chosen").startswith("Slot 1 is now in the answer field"), f"of a chosen slot it says {student.text('#chosen')!r}")


def check_slots(student):
    student.write("long", LONG_KEYS)
    for width in (1280, 900, 840, 360, 320):
        student.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=740, deviceScaleFactor=1, mobile=False)
        student.open("long")
        for page in range(len(LONG_KEYS["pages"])):
            student.go_to(page)
            cut = student.browser.look(CUT)
            student.expect(not cut, f"{width} pixels wide, slots cut off {cut[:4]}")
            student.expect(student.browser.look(SMALLEST) >= 10, f"{width} pixels wide, keys are too small to read")
            student.picture(f"keys-{page}-{width}")
    words = [each for each in student.browser.look(SPOKEN) if "key" in each]
    student.expect(len(words) == 3 and all("Hash function: " in each for each in words), f"slots of cuckoo hashing are {words}")
    student.browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)


def check_large_numbers(student):
    """A browser's numbers are exact up to 2^53: the key, and so its home, would be another."""
    student.write("large", LARGE_KEYS)
    student.open("large")
    words = student.browser.look(SPOKEN)
    student.expect("key 9007199254740993" in words[1], f"slot 1 is {words[1]!r}")
    student.answer("2")
    student.has(2, "where a large key lands")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=lambda name: Path(name).resolve())
    arguments.add_argument("--pictures", type=Path)
    given = arguments.parse_args()
    checks = (check_editions, check_variants, check_solved, check_grading, check_earlier_pages, check_typed_keys, check_chosen_slot,
              check_slots, check_large_numbers)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(str(Path(folder) / "browser"))
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        student = Class(browser, Path(folder), given.program, given.pictures)
        for check in checks:
            check(student)
        browser.close()
    print(f"{len(checks)} checks of what pages keep and say")


if __name__ == "__main__":
    sys.exit(main())
