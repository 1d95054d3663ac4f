"""watched_device_program.cpp in Python: its table is a tensor as CuPy shows one, by __cuda_array_interface__.

watched_device_program.py FOLDER_OF_THE_MODULE
"""
import ctypes
import os
import signal
import struct
import sys
import time

sys.dont_write_bytecode = True  # the module lies among the sources
sys.path.insert(0, sys.argv[1])
from slotscape_watch import watch  # noqa: E402


class Driver:
    def __init__(self):
        self.is_there = False
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            return
        context, device = ctypes.c_void_p(), ctypes.c_int()
        self.is_there = (self.library.cuInit(0) == 0 and self.library.cuDeviceGet(ctypes.byref(device), 0) == 0 and
                         self.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0 and
                         self.library.cuCtxPushCurrent_v2(context) == 0)

    def allocate(self, kind, size):
        """None if there is no memory of this kind."""
        memory = ctypes.c_uint64()
        if kind == "malloc":
            status = self.library.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(size))
        elif kind == "managed":
            status = self.library.cuMemAllocManaged(ctypes.byref(memory), ctypes.c_size_t(size), 1)
        elif kind == "pool":
            status = self.library.cuMemAllocAsync(ctypes.byref(memory), ctypes.c_size_t(size), None)
        else:
            return None
        self.library.cuStreamSynchronize(None)
        return memory.value if status == 0 else None

    def free(self, memory):
        self.library.cuStreamSynchronize(None)
        self.library.cuMemFree_v2(ctypes.c_uint64(memory))

    def upload(self, target, source):
        raw = (ctypes.c_char * len(source)).from_buffer(source)
        self.library.cuMemcpyAsync(ctypes.c_uint64(target), ctypes.c_uint64(ctypes.addressof(raw)),
                                   ctypes.c_size_t(len(source)), None)
        self.library.cuStreamSynchronize(None)


class Tensor:
    """It begins in the middle of an allocation, as those of CuPy and PyTorch do."""
    BEFORE = 512

    def __init__(self, driver, kind, slots):
        self.memory = driver.allocate(kind, self.BEFORE + 16 * slots)
        self.__cuda_array_interface__ = {"data": ((self.memory or 0) + self.BEFORE, False), "shape": (slots, 2),
                                         "typestr": "<u8", "strides": None, "version": 3}


class Program:
    def __init__(self):
        self.driver, self.kind = Driver(), None

    def make(self, slots):
        self.slots = bytearray(16 * slots)
        self.tensor = Tensor(self.driver, self.kind, slots)
        if self.tensor.memory is None:
            return False
        self.upload()
        return True

    def upload(self):
        self.driver.upload(self.tensor.memory + Tensor.BEFORE, self.slots)

    def layout(self):
        half = {"array": "slots", "stride": 16, "bits": 64}
        return {"slots": len(self.slots) // 16, "key": {**half, "offset": 0}, "value": {**half, "offset": 8}, "empty_key": 0}

    def obey(self, command, words):
        start = time.monotonic()
        if command == "device":
            return "done" if self.driver.is_there else "there is no CUDA device"
        if command == "watch":
            self.kind = words[2]
            if not self.make(int(words[1])):
                return "there is no memory of this kind"
            self.watched = watch(words[0], self.tensor, self.layout(), snapshots="snapshots" in words,
                                 copies_per_second=100.0 if "fast" in words else 10.0)
            return self.watched.problem or "done"
        if command == "insert":
            for key in range(int(words[0]), int(words[0]) + int(words[1])):
                struct.pack_into("=QQ", self.slots, 16 * key, key, 10 * key)
            self.upload()
        elif command == "move":
            old = self.tensor
            self.make(int(words[0]))
            start = time.monotonic()
            self.watched.moved(self.tensor, self.layout())
            took = time.monotonic() - start
            self.driver.free(old.memory)
            return str(int(1000 * took))
        elif command == "end":
            self.watched.close()
            took = time.monotonic() - start
            self.driver.free(self.tensor.memory)
            return str(int(1000 * took))
        elif command == "viewers":
            return str(self.watched.viewers)
        elif command == "snapshot":
            self.watched.snapshot()
        elif command == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
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
