#!/usr/bin/env python3
"""Has the n-th call of the system fail in the program: program.py PROGRAM LIBRARY SECONDS

LIBRARY is tests/faults/faults.cpp as a library. For each command below and each kind of call, first all n up to 100 are
tried, then others in random order while there is time: the n-th call alone and, but for memory, all from the n-th on.
Whatever fails, the program goes on or ends with a sentence (and exit code 2, unless it is oneTBB that fails), and every
file that it leaves is whole."""

import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "bench": ["bench", "tables", "--backend", "cpu", "--families", "linear_probing", "--slots", "2^12", "--load", "0.5",
              "--repeats", "1", "--csv", "rows.csv", "--json", "rows.json"],
    "run": ["run", "first.json", "--headless", "--backend", "cpu", "--size", "320x240", "--frames", "2", "--stats",
            "stats.json", "--csv", "tables", "--screenshot", "last.png", "--save-setup", "saved.json"],
    "record": ["run", "first.json", "--headless", "--backend", "cpu", "--size", "320x240", "--frames", "6", "--record",
               "frames"],
}
# Without OpenGL: its libraries end the program where there is no memory or no thread.
CALLS = {"bench": ["write", "fsync", "rename", "thread", "memory"], "run": ["write", "fsync", "rename"],
         "record": ["write", "fsync", "rename"]}
MOST_AT_FIRST = 100
SCENARIO = {"version": 1, "table": {"family": "linear_probing", "slots": 4096}, "steps": [{"op": "insert", "count": 1000}]}


def damage(file):
    """What is wrong with a file that the program has left; nothing if it is whole."""
    content = file.read_bytes()
    if file.suffix == ".tmp":
        return "is left over"
    if file.suffix == ".json":
        try:
            json.loads(content)
        except ValueError as error:
            return f"is no JSON: {error}"
    if file.suffix == ".png" and not content.endswith(b"IEND\xaeB`\x82"):
        return "is cut off"
    return None


def run(program, library, command, fault=None):
    """Runs it once; returns what went wrong, how many calls there were, and how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "first.json").write_text(json.dumps(SCENARIO))
        (folder / "counts").mkdir()
        environment = dict(os.environ, LD_PRELOAD=library, SLOTSCAPE_FAULT_COUNTS=str(folder / "counts/of"),
                           XDG_CONFIG_HOME=str(folder / "config"), LIBGL_ALWAYS_SOFTWARE="1")
        if fault:
            environment["SLOTSCAPE_FAULT"] = fault
        try:
            done = subprocess.run([program, *command], cwd=folder, env=environment, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return ["it does not end"], {}, None
        counts = {}
        if (folder / "counts/of").exists():
            counts = {name: int(count) for name, count in map(str.split, (folder / "counts/of").read_text().splitlines())}
        said = done.stderr.decode(errors="replace").strip()
        wrong = []
        by_tbb = done.returncode == 1 and "pthread_create has failed" in said
        if done.returncode not in (0, 2) and not by_tbb:
            wrong.append(f"exit code {done.returncode}: {said[-300:]}")
        if done.returncode != 0 and "slotscape: " not in said:
            wrong.append("it ends without a word")
        for file in folder.rglob("*"):
            if file.is_file() and "counts" not in file.parts and damage(file):
                wrong.append(f"{file.relative_to(folder)} {damage(file)}")
        return wrong, counts, done.returncode


def faults_of(whole):
    """All that can be tried: "memory 3" or "write 3 on", by command and kind of call; those that come first, last."""
    first, later = [], []
    for name, calls in CALLS.items():
        for call in calls:
            for n in range(whole[name][call]):
                faults = [f"{call} {n}"] + ([f"{call} {n} on"] if call != "memory" else [])
                (first if n < MOST_AT_FIRST else later).extend((name, call, fault) for fault in faults)
    order = random.Random(1)
    order.shuffle(first)
    order.shuffle(later)
    return later + first, len(first)


def main():
    program, library, seconds = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), float(sys.argv[3])
    end = time.monotonic() + seconds
    whole = {}
    for name, command in COMMANDS.items():
        wrong, whole[name], code = run(program, library, command)
        if wrong or code != 0:
            sys.exit(f"{name} fails without a fault: {wrong}, exit code {code}")
    waiting, at_first = faults_of(whole)
    reached = collections.Counter((name, call) for name, call, _ in waiting)
    outcomes = collections.defaultdict(collections.Counter)
    while waiting and time.monotonic() < end + (seconds if at_first > 0 else 0):
        name, call, fault = waiting.pop()
        at_first -= 1
        wrong, _, code = run(program, library, COMMANDS[name], fault)
        outcomes[name, call]["broke" if wrong else "went on" if code == 0 else "ended"] += 1
        if wrong:
            print(f"{name}, {fault}: {'; '.join(wrong)}")
    print(f"{'command':<8} {'call':<7} {'faults':>7} {'tried':>6} {'went on':>8} {'said so and ended':>18} {'broke':>6}")
    for name, call in [(name, call) for name in CALLS for call in CALLS[name]]:
        did = outcomes[name, call]
        print(f"{name:<8} {call:<7} {reached[name, call]:>7} {did.total():>6} {did['went on']:>8} {did['ended']:>18} "
              f"{did['broke']:>6}")
    broken = sum(did["broke"] for did in outcomes.values())
    print(f"{sum(did.total() for did in outcomes.values())} faults: {broken} broke something")
    sys.exit(1 if broken else 0)


main()
