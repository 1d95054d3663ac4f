#!/usr/bin/env python3
"""Runs clang-tidy over what the compile commands name: clang_tidy.py [--part TURN PARTS] TOOL COMPILE_COMMANDS [FILE...]

As many processes as there are processors. A finding in a header is printed once, however many sources include it. A
source that was clean is not checked again until its preprocessed text, the checks or the tool change.

With --part, one of so many parts of the sources is checked, and the FILEs besides: PARTS turns in a row see them all.
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


def is_in_part(file, turn, parts):
    """Whether it is this source's turn: by its path in the repository, so that new sources move no others."""
    path = os.path.relpath(file, ROOT).encode()
    return int.from_bytes(hashlib.sha256(path).digest()[:8], "big") % parts == turn % parts


def sources(arguments, compiled):
    """Those to check, of what is compiled."""
    named = [str(Path(file).resolve()) for file in arguments.files]
    if named and not arguments.part:
        return named
    ours = re.compile(rf"{re.escape(str(ROOT))}/(build/[^/]+/families|app|gpu|tests)/")
    files = [file for file in compiled if ours.match(file)]
    if arguments.part:
        files = [file for file in files if file in named or is_in_part(file, *arguments.part)]
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("commands", type=Path)
    parser.add_argument("--part", nargs=2, type=int, metavar=("TURN", "PARTS"))
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()

    entries = {entry["file"]: entry for entry in json.loads(arguments.commands.read_text())}
    files = sources(arguments, entries)
    print(f"{len(files)} sources", flush=True)
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
