"""How a test of pages ends where something is wrong: with its name, and what that is."""
import sys
from pathlib import Path


def fail(what):
    sys.exit(f"{Path(sys.argv[0]).stem}: {what}")


def expect(condition, what):
    if not condition:
        fail(what)
