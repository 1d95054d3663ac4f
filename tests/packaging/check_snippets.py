#!/usr/bin/env python3
"""Checks that every block of C++ on a page is part of the programs that are built: check_snippets.py PAGE PROGRAM..."""
import pathlib
import re
import sys


def blocks(page):
    return re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.M | re.S)


def main():
    page, *programs = map(pathlib.Path, sys.argv[1:])
    built = [program.read_text() for program in programs]
    found = blocks(page)
    unknown = [block for block in found if not any(block in text for text in built)]
    for block in unknown:
        print(f"{page}: no program has this code:\n{block}", file=sys.stderr)
    if not found:
        print(f"{page} has no code", file=sys.stderr)
    return 1 if unknown or not found else 0


if __name__ == "__main__":
    sys.exit(main())
