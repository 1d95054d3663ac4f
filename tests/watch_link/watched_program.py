"""watched_program.cpp in Python: does what its standard input says, line by line, and answers each with a line.

watched_program.py FOLDER_OF_THE_MODULE
"""
import ctypes
import os
import signal
import sys
import time

sys.dont_write_bytecode = True  # the module lies among the sources
sys.path.insert(0, sys.argv[1])
from slotscape_watch import watch  # noqa: E402


class Dlpack:
    """A tensor as PyTorch shows it: by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()


class Interface:
    """A tensor as Numba shows it: by an interface alone."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__
        self.array = array


class Rows:
    """Keys and values side by side, as NumPy shows an array of two columns."""

    def __init__(self, memory):
        self.memory = (ctypes.c_char * len(memory)).from_buffer(memory)
        self.__array_interface__ = {"data": (ctypes.addressof(self.memory), False), "shape": (len(memory) // 16, 2),
                                    "typestr": "<u8", "version": 3}


class Program:
    def __init__(self):
        self.table, self.tensor, self.watched, self.kind = None, None, None, "bytearray"

    def make(self, slots):
        self.slots = slots
        if self.kind in ("bytearray", "bits"):
            memory = bytearray(16 * slots)
            self.tensor = Rows(memory) if self.kind == "bits" else memory
            self.table = memoryview(memory).cast("Q")
        else:
            import numpy
            array = numpy.zeros((slots, 2), dtype=numpy.uint64)
            self.table = memoryview(array).cast("B").cast("Q")
            self.tensor = {"numpy": lambda x: x, "dlpack": Dlpack, "interface": Interface}[self.kind](array)

    def layout(self):
        if self.kind == "bits":
            return {"slots": self.slots, "key": {"bits": 64}, "value": {"bits": 64}, "empty_key": 0}
        half = {"array": "slots", "stride": 16, "bits": 64}
        return {"slots": self.slots, "key": {**half, "offset": 0}, "value": {**half, "offset": 8}, "empty_key": 0}

    def insert(self, key):
        at = key * 0x9E3779B97F4A7C15 % self.slots
        while self.table[2 * at] not in (0, key):
            at = (at + 1) % self.slots
        self.table[2 * at + 1] = 10 * key
        self.table[2 * at] = key

    def obey(self, command, words):
        if command == "watch":
            options = words[2:]
            self.kind = next((w for w in options if w in ("bits", "numpy", "dlpack", "interface")), "bytearray")
            self.make(int(words[1]))
            rate = 100.0 if "fast" in options else 10.0
            self.watched = watch(words[0], self.tensor, self.layout(), copies_per_second=rate,
                                 snapshots="snapshots" in options, may_be_read="unreadable" not in options)
            return self.watched.problem or "done"
        if command == "insert":
            for key in range(int(words[0]), int(words[0]) + int(words[1])):
                self.insert(key)
        elif command == "move":
            self.make(int(words[0]))
            self.watched.moved(self.tensor, self.layout(), " ".join(words[1:]))
        elif command == "mark":
            self.watched.mark(" ".join(words))
        elif command == "snapshot":
            self.watched.snapshot()
        elif command == "viewers":
            return str(self.watched.viewers)
        elif command == "end":
            start = time.monotonic()
            self.watched.close()
            return str(int(1000 * (time.monotonic() - start)))
        elif command == "throughput":
            end, done = time.monotonic() + int(words[0]) / 1000, 0
            while time.monotonic() < end:
                self.insert(done % (self.slots // 2) + 1)
                done += 1
            return str(done)
        elif command == "fork":
            child = os.fork()
            if child == 0:
                self.watched.mark("from the child")
                self.watched.close()
                own = watch("of_the_child", self.tensor, self.layout())
                os._exit(1 if own.problem else 0)
            return str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        elif command == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif command == "try":
            __import__(words[0])
        return "done"


def main():
    program = Program()
    for line in sys.stdin:
        command, *words = line.split()
        if command == "quit":
            break
        try:
            answer = program.obey(command, words)
        except Exception as error:  # the test shows it
            answer = f"{type(error).__name__}: {error}"
        print(answer, flush=True)


if __name__ == "__main__":
    main()
