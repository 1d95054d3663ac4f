#!/usr/bin/env python3
"""Runs clang-tidy over what the compile commands name: clang_tidy.py TOOL COMPILE_COMMANDS [--only REGEX] [FILE...]

As many processes as there are processors. A finding in a header is printed once, however many sources include it. A
source that was clean is not checked again until its preprocessed text, the checks or the tool change.
"""
import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "slotscape" / "clang-tidy"


def clean_mark(tool_version, entry):
    """The file whose existence says that this source was clean; the same in every clone. None if it does not compile."""
    words = shlex.split(entry["command"])
    while not re.search(r"(\+\+|cc|clang)[-0-9.]*$", words[0]) or words[0].endswith("ccache"):
        words.pop(0)
    output = words.index("-o")
    del words[output:output + 2]
    text = subprocess.run([*words, "-E", "-P", "-C"], cwd=entry["directory"], capture_output=True)
    if text.returncode:
        return None
    known = text.stdout.replace(str(ROOT).encode(), b"") + tool_version + (ROOT / ".clang-tidy").read_bytes()
    return CACHE / hashlib.sha256(known).hexdigest()


def findings(arguments, tool_version, file, entry):
    """What clang-tidy says of a file, as a list of texts, one for each finding."""
    mark = clean_mark(tool_version, entry) if entry else None
    if mark and mark.exists():
        return []
    run = subprocess.run([arguments.tool, "-p", str(arguments.commands.parent), "--quiet", file], capture_output=True,
                         text=True)
    if run.returncode:
        found = re.split(r"^(?=\S+:\d+:\d+: (?:warning|error):)", run.stdout, flags=re.M)
        return [text for text in found if text.strip()] or [f"{file}: {run.stderr}"]
    if mark:
        mark.touch()
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("commands", type=Path)
    parser.add_argument("--only", default="", help="of the sources in the compile commands, those whose names match")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()

    entries = {entry["file"]: entry for entry in json.loads(arguments.commands.read_text())}
    ours = re.compile(rf"{re.escape(str(ROOT))}/(build/[^/]+/families/|{arguments.only or '(app|gpu|tests)/'})")
    files = [str(Path(file).resolve()) for file in arguments.files] or [file for file in entries if ours.match(file)]
    version = subprocess.run([arguments.tool, "--version"], capture_output=True, check=True).stdout
    CACHE.mkdir(parents=True, exist_ok=True)
    seen = set()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for found in pool.map(lambda file: findings(arguments, version, file, entries.get(file)), files):
            for text in found:
                if text not in seen:
                    seen.add(text)
                    print(text.rstrip(), flush=True)
    return bool(seen)


if __name__ == "__main__":
    sys.exit(main())
