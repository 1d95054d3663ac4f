#!/usr/bin/env python3
"""Takes a lesson in a course, with the keyboard alone, and has a page report to a record store:

    course_test.py PACKAGE.zip PAGE.html

PACKAGE is short_lesson.json as a SCORM 1.2 package with 60 as what passes, PAGE the same as a page with --xapi and --pass 60. The course
is course.js, which is strict about calls, types and limits; the store is a server of this test. Both are asked from frames, from a window
that was opened, and not at all.
"""
import argparse
import json
import re
import tempfile
import threading
import time
import urllib.parse
import uuid
import xml.etree.ElementTree as ElementTree
import zipfile
from datetime import datetime
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser_test import Browser, Student
from verdict import expect, fail

IMSCP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADLCP = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
READ_PAGES = (1, 3)
WRITTEN_ONCE = "cmi.core.score.raw"
COURSE = "<!doctype html><title>A course</title><script>{script}</script><iframe src='{inside}' style='width:100%;height:90vh'></iframe>"
FRAME = "<!doctype html><title>A frame</title><iframe src='{inside}' style='width:100%;height:85vh'></iframe>"


class Pages(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Store(SimpleHTTPRequestHandler):
    """A record store of another origin, which takes statements as xAPI 1.0.3 wants them."""
    statements = []
    refusals = 0  # still to be made

    def log_message(self, *_):
        pass

    def answer(self, status):
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "authorization, content-type, x-experience-api-version")
        self.end_headers()

    def do_OPTIONS(self):
        self.answer(204)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if Store.refusals > 0:
            Store.refusals -= 1
            return self.answer(503)
        right = (self.path == "/xapi/statements" and self.headers["Authorization"] == "Basic dGVzdA=="
                 and self.headers["X-Experience-API-Version"] == "1.0.3" and self.headers["Content-Type"] == "application/json")
        Store.statements += json.loads(body) if right else [{"wrong": self.path, "headers": str(self.headers)}]
        return self.answer(200)


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def check_manifest(archive):
    expect(archive.testzip() is None, "the package is damaged")
    names = archive.namelist()
    root = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    organizations = root.find(f"{IMSCP}organizations")
    organization = organizations.find(f"{IMSCP}organization")
    item = organization.find(f"{IMSCP}item")
    resource = root.find(f"{IMSCP}resources/{IMSCP}resource")
    expect(root.findtext(f"{IMSCP}metadata/{IMSCP}schemaversion") == "1.2", "the manifest is not of SCORM 1.2")
    expect(organizations.get("default") == organization.get("identifier"), "the manifest has no default organization")
    expect(item.get("identifierref") == resource.get("identifier"), "the manifest's item has no resource")
    expect(resource.get(f"{ADLCP}scormtype") == "sco", "the manifest's resource is no SCO")
    expect(item.find(f"{ADLCP}masteryscore") is None, "by a mastery score a course would judge unfinished lessons")
    listed = [resource.get("href")] + [each.get("href") for each in resource.findall(f"{IMSCP}file")]
    expect(all(each in names for each in listed), f"the manifest lists {listed}, the package holds {names}")
    return resource.get("href")


class Taken:
    """The lesson, taken by keyboard in a frame of a course."""

    def __init__(self, browser, site, page):
        self.browser = browser
        self.student = Student(browser, None)
        self.site = site
        self.page = page

    def wait(self, expression, what):
        self.student.wait(expression, what)

    def launch(self):
        self.browser.call("Page.navigate", url=f"{self.site}/course.html")
        self.resume()

    def resume(self):
        for _ in range(400):
            if self.browser.look_into(self.page):
                break
            time.sleep(0.05)
        self.wait("typeof shown === 'object' && document.getElementById('title').innerText !== ''", "the lesson to open")
        self.browser.look("document.getElementById('title').focus()")

    def course(self, expression):
        """A value of the course's own window."""
        inside = self.browser.context
        self.browser.context = None
        value = self.browser.look(expression)
        self.browser.context = inside
        return value

    def session(self, name):
        return self.course(f"course.session?.['{name}'] ?? null")

    def close(self):
        self.course("document.querySelector('iframe').remove()")
        self.browser.look_into(None)

    def leave(self):
        self.close()
        self.wait("course.session === null", "the page to finish when it is left")

    def again(self):
        self.browser.look("document.body.append(Object.assign(document.createElement('iframe'), "
                          "{ src: 'frame.html', style: 'width:100%;height:90vh' })), null")
        self.resume()

    def no_faults(self):
        faults = self.course("course.faults")
        expect(not faults, f"the page is wrong with the course: {faults}")


def take_in_course(browser, site, page):
    taken = Taken(browser, site, page)
    student = taken.student
    taken.launch()
    expect(taken.session("cmi.core.lesson_status") == "incomplete", "the lesson is not incomplete when it begins")
    expect(taken.session(WRITTEN_ONCE) is None, "there is a score before an answer")
    expect("keeps your points" in student.text("#kept"), "nothing says who keeps the points")
    student.answer("5")
    student.expect("It is slot 3" in student.text("#told"), "a wrong slot is not told")
    expect(taken.session(WRITTEN_ONCE) == "0", "a wrong answer has a score other than 0")
    student.press("another")  # Try again
    taken.wait("shown.task.stage === 'asking'", "the question again")
    student.answer("3")
    student.expect(student.text("#told").startswith("Right"), "the right slot is wrong after a wrong one")
    expect(taken.session(WRITTEN_ONCE) == "12.5", "one of eight points is not 12.5 percent")
    seed = browser.look("shown.progress.seed")
    student.press("next")
    taken.wait("shown.page === 1", "the second page")
    taken.leave()
    kept = taken.course("course.kept")
    expect(kept["cmi.core.exit"] == "suspend", "the page is not suspended when it is left")
    expect(kept["cmi.core.lesson_status"] == "incomplete", "a lesson that was left is not incomplete")
    expect(re.fullmatch(r"0000:00:\d\d\.\d\d", kept["cmi.core.session_time"]), f"the time is {kept['cmi.core.session_time']}")

    taken.again()
    expect(browser.look("shown.page") == 1 and browser.look("shown.points") == 1, "the page does not go on where it was left")
    expect(browser.look("shown.progress.seed") == seed, "the questions are of another variant when the page is opened again")
    student.answer("1/8")
    student.press("next")
    taken.wait("shown.page === 2", "the third page")
    student.press("option-1")
    student.press("next")
    taken.wait("shown.page === 3", "the last page")
    student.focus("keys")
    browser.write("5 6")
    browser.key("Enter")
    taken.wait("shown.task.right", "the challenge to be met")
    expect(taken.session(WRITTEN_ONCE) == "87.5", f"seven of eight points are {taken.session(WRITTEN_ONCE)} percent")
    expect(taken.session("cmi.core.lesson_status") == "passed", "87.5 percent do not pass")
    expect(browser.look("document.getElementById('hand-in').hidden"), "there is something to hand in, though a course keeps it")
    student.check_rules("in a course")
    taken.course("course.refuses = 'cmi.suspend_data', null")
    student.press("page-0")
    student.expect("has not accepted your points (General exception)" in student.text("#kept"), "a course that is out of order is not told")
    taken.course("course.refuses = '', null")
    taken.leave()
    taken.again()
    expect(taken.session("cmi.core.lesson_status") == "passed", "a lesson that was passed is not passed any more")
    expect(browser.look("shown.points") == 7, "points are lost")
    taken.leave()
    kept = taken.course("course.kept")
    expect(kept["cmi.core.exit"] == "suspend" and "cmi.core.session_time" in kept, "only the first session says how it ends")
    taken.no_faults()
    return taken.course("course.calls.length")


def answer_wrongly(browser, site, page):
    """Whoever has answered all is finished, whatever came of it; a hint is no answer."""
    taken = Taken(browser, site, page)
    student = taken.student
    taken.launch()
    student.press("hint")
    for page_number, give in enumerate((lambda: student.answer("5"), lambda: student.answer("7"), lambda: student.press("option-0"))):
        expect(taken.session("cmi.core.lesson_status") == "incomplete", "it is finished with open questions")
        if page_number > 0:
            student.press("next")
            taken.wait(f"shown.page === {page_number}", "the next page")
            give()
    student.press("next")
    taken.wait("shown.page === 3", "the last page")
    student.focus("keys")
    browser.write("5 6")
    browser.key("Enter")
    taken.wait("shown.task.right", "the challenge to be met")
    expect(taken.session("cmi.core.lesson_status") == "incomplete", "a page whose hint was read counts as answered")
    student.press("page-0")
    taken.wait("shown.page === 0", "the first page")
    taken.leave()
    taken.again()
    student.answer("5")
    expect(taken.session("cmi.core.lesson_status") == "failed", "25 percent, every question answered, are not failed")
    taken.leave()
    taken.again()
    for number, give in ((0, lambda: student.answer("3")), (1, lambda: student.answer("1/8")), (2, lambda: student.press("option-1"))):
        student.press(f"page-{number}")
        taken.wait(f"shown.page === {number}", "a page again")
        give()
    expect(taken.session(WRITTEN_ONCE) == "62.5", f"five of eight points are {taken.session(WRITTEN_ONCE)} percent")
    expect(taken.session("cmi.core.lesson_status") == "passed", "who passes after having failed has not passed")
    taken.leave()
    taken.no_faults()


def lose_and_refuse(browser, site, page):
    """A course that does not commit gets the points with the next request; a browser that is ended by force loses none."""
    taken = Taken(browser, site, page)
    student = taken.student
    taken.launch()
    taken.course("course.refuses = 'LMSCommit', null")
    student.answer("3")
    student.expect("has not accepted your points (General exception)" in student.text("#kept"), "a refused commit is not told")
    expect(WRITTEN_ONCE not in taken.course("course.kept"), "the course keeps what it has refused")
    taken.course("course.refuses = '', null")
    student.press("restart")
    taken.wait("document.getElementById('kept').innerText.includes('keeps your points')", "a commit to be tried again")
    expect(taken.course("course.kept")[WRITTEN_ONCE] == "25", "points that were refused once are lost")
    browser.look("keeper.leave = () => {}, null")
    taken.close()
    taken.course("course.session = null")
    taken.again()
    expect(browser.look("shown.points") == 2, "points are lost with a browser that is ended by force")
    taken.leave()
    taken.no_faults()


def only_look(browser, site, page):
    """A lesson that is browsed or reviewed records nothing, and shows what is there."""
    taken = Taken(browser, site, page)
    student = taken.student
    taken.launch()
    student.answer("3")
    student.press("next")
    taken.wait("shown.page === 1", "the second page")
    taken.leave()
    for mode in ("browse", "review"):
        taken.course(f"course.mode = '{mode}', null")
        before = taken.course("course.kept")
        taken.again()
        expect(browser.look("shown.page") == 1 and browser.look("shown.points") == 2, f"{mode}: the points are not shown")
        student.expect(f"in {mode} mode, so it does not keep" in student.text("#kept"), f"{mode}: nothing says that nothing is kept")
        student.answer("1/8")
        expect(browser.look("shown.points") == 4, f"{mode}: the page does not go on")
        for name in (WRITTEN_ONCE, "cmi.core.lesson_status", "cmi.suspend_data"):
            expect(taken.session(name) == before[name], f"{mode}: it records {name}")
        taken.leave()
    taken.no_faults()


def check_limits(browser, site, page):
    """What is kept of the longest lesson, tried and varied as often as can be, and read again."""
    taken = Taken(browser, site, page)
    taken.launch()
    length, back = browser.look("""(() => {
      const pages = Array(1000).fill(0);
      const progress = { seed: 2 ** 32, page: 999, points: pages.map(() => 2), tries: pages.map(() => 40), others: pages.map((_, i) => i) };
      const text = suspended({ progress, given: {} });
      return [text.length, JSON.stringify(resumed(text)) === JSON.stringify({ progress: { ...progress, tries: pages.map(() => 9) }, given: {} })];
    })()""")
    expect(length <= 4096, f"1000 pages take {length} characters")
    expect(back, "what was kept is not read as it was")
    spans = browser.look("[0, 59990, 59999, 3600000 + 61230].map(time_span)")
    expect(spans == ["0000:00:00.00", "0000:00:59.99", "0000:01:00.00", "0001:01:01.23"], f"times are {spans}")
    taken.leave()


def take_opened(browser, site, page):
    """The API of the window that opened the page; the answer is given there, too, when it is closed."""
    browser.look_into(None)
    browser.call("Page.navigate", url=f"{site}/empty.html")
    student = Student(browser, None)
    student.wait("typeof course === 'object'", "the course")
    browser.look(f"window.opened = window.open('{page}'), null")
    student.wait("course.calls.some((call) => call.startsWith('LMSCommit'))", "a page in a window of its own to find the course")
    browser.look("window.opened.close(), null")
    student.wait("course.session === null", "that page to finish")
    expect(not browser.look("course.faults"), "a page in a window of its own is wrong with the course")


def check_statement(statement, actor, lesson):
    uuid.UUID(statement["id"])
    datetime.fromisoformat(statement["timestamp"].replace("Z", "+00:00"))
    expect(statement["actor"] == actor, f"the actor is {statement['actor']}")
    expect(statement["object"]["id"].startswith(lesson), f"the object is {statement['object']}")
    kind = statement["object"]["definition"]
    if kind["type"].endswith("/lesson"):
        expect(any(kind["name"].values()), f"the lesson has no name: {kind}")
    expect(statement["context"]["registration"] == str(uuid.UUID(int=7)), "the registration is lost")
    score = statement.get("result", {}).get("score")
    if score is not None:
        expect(score["min"] <= score["raw"] <= score["max"] and -1 <= score["scaled"] <= 1, f"the score is {score}")
        expect(abs(score["scaled"] - score["raw"] / score["max"]) < 1e-9, f"the scaled score is {score}")


def wait_for_statements(count):
    for _ in range(200):
        if len(Store.statements) >= count:
            return
        time.sleep(0.05)
    fail(f"waited in vain for {count} statements: there are {Store.statements}")


def report_to_store(browser, site, page):
    store = serve(Store)
    actor = {"objectType": "Agent", "account": {"homePage": "https://school.example", "name": "ada"}}
    lesson = "https://school.example/lessons/short"
    launch = urllib.parse.urlencode({"endpoint": f"{store}/xapi/", "auth": "Basic dGVzdA==", "actor": json.dumps(actor),
                                     "registration": str(uuid.UUID(int=7)), "activity_id": lesson})
    browser.look_into(None)
    browser.call("Page.navigate", url=f"{site}/{page}?{launch}")
    student = Student(browser, None)
    student.wait("typeof shown === 'object' && document.getElementById('title').innerText !== ''", "the lesson to open")
    wait_for_statements(1)
    Store.refusals = 1
    student.answer("5")
    student.wait("document.getElementById('kept').innerText.includes('503')", "a store that is out of order to be told")
    student.press("another")
    student.answer("3")
    student.press("next")
    student.answer("1/8")
    student.press("next")
    student.press("option-0")
    student.press("option-1")
    student.press("next")
    student.focus("keys")
    browser.write("5 6")
    browser.key("Enter")
    student.wait("shown.task?.right && shown.page === 3", "the challenge to be met")
    wait_for_statements(9)
    expect(student.text("#kept") == "", f"though all is well, it says: {student.text('#kept')}")
    said = [(each.get("verb", {}).get("id", "").rsplit("/", 1)[-1], each.get("result", {})) for each in Store.statements]
    verbs = [verb for verb, _ in said]
    expect(verbs == ["initialized"] + ["answered"] * 6 + ["completed", "passed"], f"the statements are {verbs}")
    expect([result["success"] for verb, result in said if verb == "answered"] == [False, True, True, False, True, True],
           "right and wrong answers are not told apart")
    expect([result.get("response") for verb, result in said if verb == "answered"] == ["5", "3", "1/8", "A", "B", None],
           "what was answered is lost")
    expect(said[-1][1]["score"]["raw"] == 75 and said[-1][1]["success"], f"six of eight points are {said[-1][1]}")
    expect(re.fullmatch(r"PT\d+\.\d\dS", said[-2][1]["duration"]), "the duration is none of ISO 8601")
    for statement in Store.statements:
        check_statement(statement, actor, lesson)
    return len(Store.statements)


def launched_with_store():
    """For the address of a page: a store of its own, with nothing in it."""
    Store.statements = []
    return urllib.parse.urlencode({"endpoint": f"{serve(Store)}/xapi", "auth": "Basic dGVzdA==",
                                   "actor": '{"mbox": "mailto:a@b.example"}'})


def report_no_browsing(browser, site, page):
    """What is done in a lesson that a course has opened to browse is not reported."""
    launch = launched_with_store()
    taken = Taken(browser, site, page)
    browser.look_into(None)
    browser.call("Page.navigate", url=f"{site}/empty.html")
    taken.wait("typeof course === 'object' && document.body !== null", "the course")
    browser.look("course.mode = 'browse', document.body.append(Object.assign(document.createElement('iframe'), "
                 f"{{ src: '{page}?{launch}' }}))")
    taken.resume()
    taken.student.answer("3")
    time.sleep(0.2)  # for a statement
    expect(not Store.statements, f"browsing is reported: {Store.statements}")
    taken.leave()


def report_failing(browser, site, page):
    """Whoever has answered all and failed is reported so, and reported again once they pass."""
    launch = launched_with_store()
    browser.call("Page.navigate", url=f"{site}/{page}?variant=3&{launch}")
    student = Student(browser, None)
    student.wait("typeof shown === 'object' && shown.progress.seed === 3", "the lesson to open")

    def give(number, answer):
        student.press(f"page-{number}")
        student.wait(f"shown.page === {number}", f"page {number}")
        answer()

    give(0, lambda: student.answer("5"))
    give(1, lambda: student.answer("7"))
    give(2, lambda: student.press("option-0"))
    give(3, lambda: student.focus("keys"))
    browser.write("5 6")
    browser.key("Enter")
    wait_for_statements(7)
    give(0, lambda: student.answer("3"))
    give(1, lambda: student.answer("1/8"))
    give(2, lambda: student.press("option-1"))
    wait_for_statements(11)
    said = [each["verb"]["id"].rsplit("/", 1)[-1] for each in Store.statements]
    expect([verb for verb in said if verb != "answered"] == ["initialized", "completed", "failed", "passed"], f"it says {said}")
    expect(Store.statements[-1]["result"]["score"]["raw"] == 62.5, f"five of eight points are {Store.statements[-1]}")


def without_questions(page, count):
    """The page with the first of its lesson's pages alone, which ask nothing."""
    def plain(found):
        data = json.loads(found[2])
        lesson = json.loads(data["lesson"])
        lesson["pages"] = lesson["pages"][:count]
        for each in lesson["pages"]:
            del each["task"]
        data["lesson"] = json.dumps(lesson)
        return found[1] + json.dumps(data).replace("<", "\\u003c") + found[3]
    return re.sub(r'(<script type="application/json" id="data">)(.*?)(</script>)', plain, page, count=1, flags=re.DOTALL)


def report_reading(browser, site, page, pages):
    """A lesson without questions is completed once, by its last page, and neither passed nor failed."""
    launch = launched_with_store()
    browser.call("Page.navigate", url=f"{site}/{page}?{launch}")
    student = Student(browser, None)
    student.wait("typeof shown === 'object' && document.getElementById('title').innerText !== ''", "the lesson to open")
    for i in list(range(1, pages)) + list(range(pages - 2, -1, -1)) + list(range(1, pages)):  # there, back, and there again
        student.press(f"page-{i}")
        student.wait(f"shown.page === {i}", f"page {i}")
    wait_for_statements(2)
    time.sleep(0.2)  # for a statement too many
    said = [(each["verb"]["id"].rsplit("/", 1)[-1], each.get("result", {})) for each in Store.statements]
    expect([verb for verb, _ in said] == ["initialized", "completed"], f"{pages} pages without questions: {said}")
    expect(said[1][1]["completion"] is True and "score" not in said[1][1], f"the result is {said[1][1]}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("package", type=Path)
    arguments.add_argument("page", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder) / "site"
        with zipfile.ZipFile(given.package) as archive:
            page = check_manifest(archive)
            archive.extractall(root / "package")
        script = (Path(__file__).parent / "course.js").read_text()
        (root / "course.html").write_text(COURSE.format(script=script, inside="frame.html"))
        (root / "frame.html").write_text(FRAME.format(inside=f"package/{page}"))
        (root / "empty.html").write_text(f"<!doctype html><title>A course</title><script>{script}</script>")
        (root / "reporting.html").write_bytes(given.page.read_bytes())
        for pages in READ_PAGES:
            (root / f"read_{pages}.html").write_text(without_questions(given.page.read_text(), pages))
        site = serve(lambda *arguments: Pages(*arguments, directory=str(root)))
        browser = Browser(str(Path(folder) / "browser"))
        calls = take_in_course(browser, site, f"package/{page}")
        answer_wrongly(browser, site, f"package/{page}")
        lose_and_refuse(browser, site, f"package/{page}")
        only_look(browser, site, f"package/{page}")
        check_limits(browser, site, f"package/{page}")
        take_opened(browser, site, f"package/{page}")
        statements = report_to_store(browser, site, "reporting.html")
        report_failing(browser, site, "reporting.html")
        report_no_browsing(browser, site, "reporting.html")
        for pages in READ_PAGES:
            report_reading(browser, site, f"read_{pages}.html", pages)
        browser.close()
    print(f"4 pages in a course, {calls} calls without a fault; {statements} statements")


if __name__ == "__main__":
    main()
