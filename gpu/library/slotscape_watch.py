"""Lets Slotscape look at a hash table of your own while your Python program runs: docs/watching-your-table.md.

    from slotscape_watch import watch

    with watch("grid", tensor, layout={"preset": "cuco::static_set", "slots": len(tensor)}) as watched:
        ...
        watched.mark("after epoch 3")

`tensor` is anything with the buffer protocol, __array_interface__, __cuda_array_interface__ or DLPack: of NumPy, CuPy,
PyTorch, Numba; or a dict of several, by the names that the layout calls them. A single file, for Python 3.9 and newer on
Linux; it needs nothing but the standard library. It says the same as slotscape/watch.hpp (see there).

One thread serves all watches of the program, and sleeps as long as nobody looks. With SLOTSCAPE_WATCH=0 in the
environment, nothing is announced.
"""
import array
import atexit
import collections
import ctypes
import itertools
import json
import math
import operator
import os
import selectors
import socket
import stat
import struct
import sys
import threading
import time

__all__ = ["watch", "Watch"]

MAGIC = 0x31574C53
TABLE, COPIES, COPIED, MARK, ENDED, PERMISSION, TROUBLE = range(1, 8)
ATTACH, ASK_PERMISSION, ASK_COPIES, NEXT, RELEASED = range(1, 6)
COPY, FILE, PROCESS, CUDA_IPC, CUDA_FILE, CUDA_POOL = range(6)
HEADER = struct.Struct("<IIQqQ")
TABLE_RECORD = struct.Struct("<iIIIIIII")
ARRAY_RECORD = struct.Struct("<QQQQIIiI16s64s")
COPIES_RECORD = struct.Struct("<QII16Q16s64s")
TO_DEVICE = 1 << 32
NOT_COPIED = (1 << 64) - 1

MAX_NAME, MAX_DESCRIPTION, MAX_TEXT, MAX_ARRAYS = 256, 48 * 1024, 1024, 16
MAX_VIEWERS, MAX_WAITING, MAX_ASKED, MAX_MARKS = 8, 64, 2000, 64
MAX_WAIT = 0.1  # seconds that a program waits for its viewers
COPY_PATIENCE = 2.0  # then a half is written though somebody may look at it
COPIED_AT_ONCE = 8 << 20

PR_SET_PTRACER = 0x59616D61
F_ADD_SEALS, SEALS = 1033, 0x1 | 0x2 | 0x4  # against other seals, shrinking and growing

_libc = ctypes.CDLL(None, use_errno=True)


class _Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def _read_self(target, source, size):
    """Copies memory of this process; False if it is not there any more, where reading it would end the process."""
    while size:
        local, remote = _Iovec(target, size), _Iovec(source, size)
        got = _libc.process_vm_readv(os.getpid(), ctypes.byref(local), ctypes.c_ulong(1), ctypes.byref(remote),
                                     ctypes.c_ulong(1), ctypes.c_ulong(0))
        if got <= 0:
            return False
        target, source, size = target + got, source + got, size - got
    return True


class _Cuda:
    """CUDA's driver, if the program has loaded it."""
    CONTEXT, TYPE, IS_MANAGED, ORDINAL, POOL = 1, 2, 8, 9, 17
    DEVICE_MEMORY, POSIX_FILE = 2, 1

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOW | os.RTLD_NOLOAD)

    @staticmethod
    def loaded():
        try:
            return _Cuda()
        except OSError:
            return None

    def call(self, name, *arguments):
        """Whether it succeeded."""
        return getattr(self.library, name)(*arguments) == 0

    def attribute(self, which, pointer, kind):
        value = kind()
        known = self.call("cuPointerGetAttribute", ctypes.byref(value), ctypes.c_int(which), ctypes.c_uint64(pointer))
        return value.value if known else None

    def in_context(self, context):
        return _CudaScope(self, context)


class _CudaScope:
    """A context that is this thread's meanwhile; its calls are allowed while other threads capture graphs."""

    def __init__(self, cuda, context):
        self.cuda, self.context, self.mode = cuda, context, ctypes.c_int(2)

    def __enter__(self):
        self.is_current = self.cuda.call("cuCtxPushCurrent_v2", ctypes.c_void_p(self.context))
        self.cuda.call("cuThreadExchangeStreamCaptureMode", ctypes.byref(self.mode))

    def __exit__(self, *_):
        self.cuda.call("cuThreadExchangeStreamCaptureMode", ctypes.byref(self.mode))
        if self.is_current:
            self.cuda.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


class _Array:
    """A block of memory, and how another process can reach it."""

    def __init__(self, name, value):
        self.name = name
        self.value = value  # stays alive with the watch
        self.way, self.on_device, self.offset, self.allocation = PROCESS, False, 0, 0
        self.device, self.handle, self.file, self.context = bytes(16), bytes(64), None, None
        self.address, self.size, self.rows, self.columns, self.others = _memory_of(name, value)
        if not self.address or not self.size:
            raise ValueError(f"the array '{name}' has no memory")
        cuda = _Cuda.loaded()
        if cuda:
            self._locate(cuda)

    def _locate(self, cuda):
        kind = cuda.attribute(_Cuda.TYPE, self.address, ctypes.c_int)
        if kind is None:
            return
        ordinal = cuda.attribute(_Cuda.ORDINAL, self.address, ctypes.c_int) or 0
        self.context = cuda.attribute(_Cuda.CONTEXT, self.address, ctypes.c_void_p)
        if not self.context:
            context = ctypes.c_void_p()
            cuda.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), ordinal)
            self.context = context.value
        if not self.context:
            return
        uuid = ctypes.create_string_buffer(16)
        cuda.call("cuDeviceGetUuid_v2", uuid, ordinal)
        self.device = uuid.raw
        is_managed = bool(cuda.attribute(_Cuda.IS_MANAGED, self.address, ctypes.c_int))
        self.on_device = kind == _Cuda.DEVICE_MEMORY and not is_managed
        if is_managed or self.on_device:
            self.way = COPY
        if self.on_device:
            with cuda.in_context(self.context):
                self._export(cuda)

    def _export(self, cuda):
        base, size = ctypes.c_uint64(), ctypes.c_size_t()
        if not cuda.call("cuMemGetAddressRange_v2", ctypes.byref(base), ctypes.byref(size),
                         ctypes.c_uint64(self.address)):
            return
        self.offset, self.allocation = self.address - base.value, size.value
        if self.size > self.allocation - self.offset:
            return
        handle, number, allocation = ctypes.create_string_buffer(64), ctypes.c_int(-1), ctypes.c_uint64()
        if cuda.call("cuIpcGetMemHandle", handle, base):
            self.handle, self.way = handle.raw, CUDA_IPC
        elif cuda.call("cuMemRetainAllocationHandle", ctypes.byref(allocation), ctypes.c_void_p(base.value)):
            exported = cuda.call("cuMemExportToShareableHandle", ctypes.byref(number), allocation,
                                 ctypes.c_int(_Cuda.POSIX_FILE), ctypes.c_uint64(0))
            cuda.call("cuMemRelease", allocation)
            if exported:
                self.file, self.way = _File(number.value), CUDA_FILE
        else:
            pool = cuda.attribute(_Cuda.POOL, self.address, ctypes.c_void_p)
            if pool and cuda.call("cuMemPoolExportToShareableHandle", ctypes.byref(number), ctypes.c_void_p(pool),
                                  ctypes.c_int(_Cuda.POSIX_FILE), ctypes.c_uint64(0)):
                self.file = _File(number.value)
                if cuda.call("cuMemPoolExportPointer", handle, base):
                    self.handle, self.way = handle.raw, CUDA_POOL


class _File:
    """A descriptor, closed when nobody refers to it any more."""

    def __init__(self, number):
        self.number = number

    def __del__(self, close=os.close):
        close(self.number)


class _DLDevice(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("number", ctypes.c_int)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _DLDevice), ("dimensions", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


# What an array holds side by side in each of its rows: numbers of `size` bytes, of kind "i", "u", "f" or others as in
# NumPy's type strings; `name` is that of a field, or empty.
_Column = collections.namedtuple("_Column", "name offset stride size kind")
# `others`: what fields hold that are not one number, by their names.
_Memory = collections.namedtuple("_Memory", "address size rows columns others")


def _is_contiguous(shape, strides, item):
    """strides: in bytes; None where there are no gaps."""
    expected = item
    for length, stride in zip(reversed(shape), reversed(strides or [])):
        if length > 1 and stride != expected:
            return False
        expected *= length
    return True


def _check_contiguous(name, is_contiguous):
    if not is_contiguous:
        raise ValueError(f"the array '{name}' has gaps, or its rows do not follow each other: pass it whole, and describe "
                         "them by strides in the layout")


def _bytes_of(kind):
    """The bytes of an element: of a type string, as "<u8", or of a list of fields."""
    if isinstance(kind, str):
        digits = "".join(itertools.takewhile(str.isdigit, kind[2:]))
        return int(digits or 0) * (4 if kind[1] == "U" else 1)
    return sum(_bytes_of(field[1]) * math.prod(field[2] if len(field) > 2 else ()) for field in kind)


def _type_text(field):
    """What a field holds that is not one number; empty if it holds one."""
    if not isinstance(field[1], str):
        return "fields of its own"
    count = math.prod(field[2]) if len(field) > 2 else 1
    if field[1][1] in "biuf":
        return "" if count == 1 else f"{count} numbers of {8 * _bytes_of(field[1])} bits each"
    names = {"M": "dates", "m": "lengths of time", "S": "texts", "U": "texts", "c": "complex numbers", "V": "bytes of no type"}
    return f"{names.get(field[1][1], 'no numbers')} ({field[1]})"


def _fields_of(name, kind):
    """The numbers in an element, as columns with a stride of 0."""
    fields = kind if isinstance(kind, list) else [("", kind)]
    columns, offset = [], 0
    for field in fields:
        size, is_number = _bytes_of(field[1]), isinstance(field[1], str) and field[1][1] in "biuf"
        if is_number and field[1][0] == ">" and size > 1:
            raise ValueError(f"the array '{name}' has big-endian numbers: pass array.astype(array.dtype.newbyteorder('<'))")
        count = _bytes_of([field]) // size if is_number else 0
        columns += [_Column(str(field[0]), offset + i * size, 0, size, field[1][1]) for i in range(count)]
        offset += _bytes_of([field])
    return columns


def _described_memory(name, address, shape, kind):
    """Of an array without gaps. kind: a type string, or a list of fields as in __array_interface__; empty: unknown"""
    item = _bytes_of(kind)
    cells = math.prod(shape[1:])
    fields = _fields_of(name, kind) if cells <= 64 else []
    columns = [field._replace(offset=cell * item + field.offset, stride=cells * item)
               for cell in range(cells) for field in fields]
    others = {str(field[0]): text for field in (kind if isinstance(kind, list) else []) if (text := _type_text(field))}
    return _Memory(address, math.prod(shape) * item, shape[0] if shape else 1, columns, others)


def _memory_of(name, value):
    for attribute in ("__cuda_array_interface__", "__array_interface__"):
        try:
            described = getattr(value, attribute, None)
        except (AttributeError, RuntimeError, TypeError):  # so says PyTorch of tensors that are elsewhere
            described = None
        if isinstance(described, dict) and described.get("data") is not None:
            shape, kind = described["shape"], described["typestr"]
            item = _bytes_of(kind)
            _check_contiguous(name, _is_contiguous(shape, described.get("strides"), item))
            fields = described.get("descr")
            has_fields = kind[1] == "V" and isinstance(fields, list) and _bytes_of(fields) == item
            return _described_memory(name, described["data"][0], shape, fields if has_fields else kind)
    if hasattr(value, "__dlpack__"):
        return _memory_of_dlpack(name, value)
    return _memory_of_buffer(name, value)


def _memory_of_buffer(name, value):
    view = memoryview(value)
    _check_contiguous(name, view.c_contiguous)
    if view.nbytes == 0:
        return _Memory(0, 0, 0, [], {})
    if view.readonly:
        pointer = _PyBuffer()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(value), ctypes.byref(pointer), 0)
        address = pointer.buffer
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(pointer))
    else:
        address = ctypes.addressof((ctypes.c_char * view.nbytes).from_buffer(view.cast("B")))
    order, code = (view.format[0], view.format[1:]) if view.format[0] in "@=<>!" else ("<", view.format)
    kinds = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u"), **dict.fromkeys("efd", "f")}
    kind = (">" if order in ">!" else "<") + f"{kinds.get(code, 'V')}{view.itemsize}"
    return _described_memory(name, address, view.shape or (1,), kind)


class _PyBuffer(ctypes.Structure):
    _fields_ = [("buffer", ctypes.c_void_p), ("rest", ctypes.c_byte * 120)]


def _memory_of_dlpack(name, value):
    capsule = value.__dlpack__()
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # The capsule keeps its name: so it frees what belongs to it, and the tensor stays with its owner.
    tensor = ctypes.cast(get_pointer(capsule, b"dltensor"), ctypes.POINTER(_DLTensor)).contents
    shape = tensor.shape[:tensor.dimensions]
    item = (tensor.bits * tensor.lanes + 7) // 8
    strides = [stride * item for stride in tensor.strides[:tensor.dimensions]] if tensor.strides else None
    _check_contiguous(name, _is_contiguous(shape, strides, item))
    is_known = tensor.lanes == 1 and tensor.bits % 8 == 0
    kind = "iuf"[tensor.code] if is_known and tensor.code < 3 else "V"
    return _described_memory(name, (tensor.data or 0) + tensor.offset, shape, f"<{kind}{item}")


class _Copies:
    """Two halves that are written in turns: viewers look at one while the other is written."""

    def __init__(self, arrays, on_device):
        self.arrays, self.offsets, self.half_bytes = arrays, [], 0
        for entry in arrays:
            self.offsets.append(self.half_bytes)
            self.half_bytes += (entry.size + 4095) // 4096 * 4096
        self.half, self.device_memory, self.handle, self.file, self.mapped = 1, None, bytes(64), None, None
        self.context = next((entry.context for entry in arrays if entry.context), None)
        self.cuda = _Cuda.loaded() if self.context else None
        if not (on_device and self._allocate_device()):
            self._allocate_host()

    def _allocate_device(self):
        if not self.cuda or not all(entry.on_device and entry.context == self.context for entry in self.arrays):
            return False
        with self.cuda.in_context(self.context):
            memory, handle = ctypes.c_uint64(), ctypes.create_string_buffer(64)
            if not self.cuda.call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(2 * self.half_bytes)):
                return False
            if not self.cuda.call("cuIpcGetMemHandle", handle, memory):
                self.cuda.call("cuMemFree_v2", memory)
                return False
        self.device_memory, self.handle = memory.value, handle.raw
        return True

    def _allocate_host(self):
        import fcntl
        import mmap
        number = os.memfd_create("slotscape", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(number, 2 * self.half_bytes)
            fcntl.fcntl(number, F_ADD_SEALS, SEALS)  # so that nobody who maps it is struck by SIGBUS
            self.mapped = mmap.mmap(number, 2 * self.half_bytes)
            self.file = _File(os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC))
        finally:
            os.close(number)
        self.memory = ctypes.addressof(ctypes.c_char.from_buffer(self.mapped))

    def record(self):
        offsets = self.offsets + [NOT_COPIED] * (MAX_ARRAYS - len(self.offsets))
        device = self.arrays[0].device if self.device_memory else bytes(16)
        return COPIES_RECORD.pack(self.half_bytes, 1 if self.device_memory else 0, 0, *offsets, device, self.handle)

    def copy(self, is_stopped):
        """To the half that nobody looks at. False if the memory is gone."""
        start = (self.device_memory or self.memory) + (1 - self.half) * self.half_bytes
        if not self.cuda:
            return self._copy(start, is_stopped, None)
        with self.cuda.in_context(self.context):
            stream = ctypes.c_void_p()
            if not self.cuda.call("cuStreamCreate", ctypes.byref(stream), ctypes.c_uint(1)):
                return False
            done = self._copy(start, is_stopped, stream)
            self.cuda.call("cuStreamDestroy_v2", stream)
            return done

    def _copy(self, start, is_stopped, stream):
        for entry, offset in zip(self.arrays, self.offsets):
            for first in range(0, entry.size, COPIED_AT_ONCE):
                size = min(COPIED_AT_ONCE, entry.size - first)
                if is_stopped():
                    return True
                target, source = start + offset + first, entry.address + first
                if not entry.context:
                    if not _read_self(target, source, size):
                        return False
                elif not (self.cuda.call("cuMemcpyAsync", ctypes.c_uint64(target), ctypes.c_uint64(source),
                                         ctypes.c_size_t(size), stream) and
                          self.cuda.call("cuStreamSynchronize", stream)):
                    return False
        return True

    def close(self):
        if self.device_memory:
            with self.cuda.in_context(self.context):
                self.cuda.call("cuMemFree_v2", ctypes.c_uint64(self.device_memory))
            self.device_memory = None


class _Viewer:
    def __init__(self, connection, pid, generation):
        self.socket, self.pid, self.released = connection, pid, generation
        self.waiting = collections.deque()
        self.attached = self.wants_copies = self.wants_device = self.is_ready = self.waits_for_offer = self.gone = False
        self.asked, self.asked_since, self.told_of_copy = 0, 0.0, 0.0


def _folders():
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        yield runtime + "/slotscape"
    yield f"/tmp/slotscape-{os.geteuid()}"


def _distrust(folder):
    """Why a folder cannot be trusted; None if it is this user's, and nobody else's."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder: remove it"
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & 0o077:
        return f"{folder} is open to other users: chmod 700 {folder}"
    return None


class _Process:
    """All watches of the program, and the thread that serves them."""

    def __init__(self):
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.tables, self.thread, self.count = [], None, 0
        self.wake_in = self.wake_out = None
        self.reader = 0

    def wake(self):
        if self.wake_in is not None:
            try:
                os.write(self.wake_in, b"x")
            except BlockingIOError:
                pass  # it wakes anyway

    def add(self, table):
        with self.lock:
            self.count += 1
            table.listen(self.count)
            self.tables.append(table)
            if self.thread is None:
                self.wake_out, self.wake_in = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
                self.thread = threading.Thread(target=self.serve, name="slotscape-watch", daemon=True)
                self.thread.start()
            self.wake()

    def remove(self, table):
        with self.lock:
            table.is_stopped = True
            self.changed.wait_for(lambda: not table.is_copying)
            table.generation += 1
            table.tell_all(table.packet(ENDED))
            table.wait_for_release(self)
            table.close()
            self.tables.remove(table)
            self.wake()

    def serve(self):
        while True:
            with self.lock:
                if not self.tables:
                    self.stop()
                    return
                selector, patience = selectors.PollSelector(), None
                selector.register(self.wake_out, selectors.EVENT_READ)
                for table in self.tables:
                    selector.register(table.listener, selectors.EVENT_READ)
                    for viewer in table.viewers:
                        selector.register(viewer.socket, selectors.EVENT_READ |
                                          (selectors.EVENT_WRITE if viewer.waiting else 0))
                    if table.is_due():
                        left = max(0.0, table.next_copy - time.monotonic())
                        patience = left if patience is None else min(patience, left)
            selector.select(patience)
            selector.close()
            with self.lock:
                try:
                    os.read(self.wake_out, 4096)
                except BlockingIOError:
                    pass
                tables = list(self.tables)
            for table in tables:
                with self.lock:
                    if table in self.tables:
                        table.serve(self)

    def stop(self):
        os.close(self.wake_in)
        os.close(self.wake_out)
        self.thread = self.wake_in = self.wake_out = None

    def permit(self, table, viewer):
        """Yama lets a process be read only by those that it names, and it can name one."""
        if not table.may_be_read or viewer.pid <= 0:
            return 0
        if _libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(viewer.pid), 0, 0, 0) == 0:
            self.reader = viewer.pid
        return 1

    def forbid(self, viewer):
        if viewer.pid and viewer.pid == self.reader:
            _libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(0), 0, 0, 0)
            self.reader = 0


_process = _Process()


def _in_child():
    """The child leaves everything to its parent: it has no thread, and must not hold sockets open."""
    global _process
    parents, _process = _process, _Process()
    for table in parents.tables:
        table.is_here = False
        table.listener.close()
        for viewer in table.viewers:
            viewer.socket.close()
    for number in (parents.wake_in, parents.wake_out):
        if number is not None:
            os.close(number)


os.register_at_fork(before=lambda: _process.lock.acquire(), after_in_parent=lambda: _process.lock.release(),
                    after_in_child=_in_child)


class _Table:
    """Called with the lock of the process."""

    def __init__(self, name, arrays, description, copies_per_second, snapshots, may_be_read):
        self.name, self.arrays, self.description = name, arrays, description
        self.copies_per_second, self.snapshots, self.may_be_read = copies_per_second, snapshots, may_be_read
        self.generation, self.path, self.listener, self.is_here = 1, None, None, True
        self.marks, self.viewers = collections.deque(maxlen=MAX_MARKS), []
        self.copies, self.is_copying, self.is_stopped, self.next_copy = None, False, False, 0.0
        self.retired = []

    def listen(self, count):
        problem = None
        for folder in _folders():
            try:
                os.makedirs(folder, mode=0o700, exist_ok=True)
                problem = _distrust(folder)
                if problem is None:
                    return self._listen_in(folder, count)
            except OSError as error:
                problem = f"{folder}: {error.strerror or error}"
        raise RuntimeError(problem)

    def _listen_in(self, folder, count):
        own = f"{folder}/{os.getpid()}-py{count}"
        # It gets its name when it listens: a socket that refuses viewers is one that was left behind.
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.setblocking(False)
        try:
            if os.path.lexists(own + ".new"):
                os.unlink(own + ".new")
            listener.bind(own + ".new")
            listener.listen(64)
            os.rename(own + ".new", own + ".sock")
        except OSError:
            listener.close()
            raise
        self.listener, self.path = listener, own + ".sock"

    def close(self):
        for viewer in self.viewers:
            viewer.socket.close()
        self.viewers.clear()
        self.listener.close()
        try:
            os.unlink(self.path)
        except OSError:
            pass
        self.retire()
        self.free_retired()

    # --- packets

    def packet(self, kind, text="", value=0, more=b"", files=()):
        header = HEADER.pack(MAGIC, kind, self.generation, time.clock_gettime_ns(time.CLOCK_MONOTONIC), value)
        return header + more + text.encode()[:MAX_TEXT], tuple(files)

    def describe(self, text=""):
        name, description, text = self.name.encode(), self.description.encode(), text.encode()[:MAX_TEXT]
        more = TABLE_RECORD.pack(os.getpid(), int(self.snapshots), int(1000 * self.copies_per_second), len(self.arrays),
                                 len(name), len(description), len(text), 0) + name + description + text
        files = []
        for entry in self.arrays:
            way = COPY if self.snapshots or (entry.way == PROCESS and not self.may_be_read) else entry.way
            sends = entry.file is not None and way in (FILE, CUDA_FILE, CUDA_POOL)
            own = entry.name.encode()
            more += ARRAY_RECORD.pack(entry.size, entry.address, entry.offset, entry.allocation, way,
                                      int(entry.on_device), len(files) if sends else -1, len(own), entry.device,
                                      entry.handle) + own
            if sends:
                files.append(entry.file)
        return self.packet(TABLE, more=more, files=files)

    def tell_all(self, packet):
        for viewer in self.viewers:
            self.tell(viewer, packet)
        if any(viewer.gone or viewer.waiting for viewer in self.viewers):
            _process.wake()

    def tell(self, viewer, packet):
        if len(viewer.waiting) >= MAX_WAITING:
            viewer.gone = True
        if not viewer.gone:
            viewer.waiting.append(packet)
            self.flush(viewer)

    @staticmethod
    def flush(viewer):
        while viewer.waiting and not viewer.gone:
            data, files = viewer.waiting[0]
            numbers = array.array("i", [file.number for file in files])
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, numbers)] if files else []
            try:
                viewer.socket.sendmsg([data], rights, socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                viewer.gone = True
                return
            viewer.waiting.popleft()

    # --- viewers

    def serve(self, process):
        self.accept()
        for viewer in self.viewers:
            self.listen_to(viewer, process)
            self.flush(viewer)
        self.drop_those_gone(process)
        if any(viewer.waits_for_offer for viewer in self.viewers) and not self.is_copying and not self.is_stopped:
            self.offer_copies()
        self.free_retired()
        if self.is_due() and time.monotonic() >= self.next_copy:
            self.copy(process)

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            pid, user, _ = struct.unpack("iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            if user != os.geteuid() or len(self.viewers) >= MAX_VIEWERS:
                connection.close()
                continue
            connection.setblocking(False)
            viewer = _Viewer(connection, pid, self.generation)
            self.viewers.append(viewer)
            for packet in [self.describe(), *self.marks]:
                self.tell(viewer, packet)

    def listen_to(self, viewer, process):
        for _ in range(16):
            if viewer.gone:
                return
            try:
                data = viewer.socket.recv(HEADER.size + 1)  # descriptors that come along are closed by the kernel
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                data = b""
            now = time.monotonic()
            if now - viewer.asked_since > 1.0:
                viewer.asked, viewer.asked_since = 0, now
            viewer.asked += 1
            if len(data) != HEADER.size or viewer.asked > MAX_ASKED:
                viewer.gone = True
                return
            magic, kind, generation, _, value = HEADER.unpack(data)
            viewer.gone = magic != MAGIC or not self.answer(viewer, kind, generation, value, process)

    def answer(self, viewer, kind, generation, value, process):
        """False if it is not understood."""
        is_current = generation == self.generation
        if kind == ATTACH:
            viewer.attached = True
        elif kind == ASK_PERMISSION:
            self.tell(viewer, self.packet(PERMISSION, value=process.permit(self, viewer)))
        elif kind == ASK_COPIES:
            if is_current:
                viewer.wants_copies = viewer.waits_for_offer = True
                viewer.is_ready, viewer.wants_device = False, bool(value & TO_DEVICE)
        elif kind == NEXT:
            viewer.is_ready = viewer.is_ready or (is_current and viewer.wants_copies)
        elif kind == RELEASED and generation <= self.generation:
            viewer.released = generation
            process.changed.notify_all()
        else:
            return False
        return True

    def drop_those_gone(self, process):
        gone = [viewer for viewer in self.viewers if viewer.gone]
        if not gone:
            return
        for viewer in gone:
            process.forbid(viewer)
            viewer.socket.close()
        self.viewers = [viewer for viewer in self.viewers if not viewer.gone]
        if not self.is_copying and not any(viewer.wants_copies for viewer in self.viewers):
            self.retire()
        process.changed.notify_all()

    def wait_for_release(self, process):
        """Until viewers have let go of what they looked at before this generation; late ones are dropped."""
        def holds(viewer):  # also one that has not said a word yet: it may be opening the memory
            return not viewer.gone and viewer.released < self.generation
        process.wake()
        process.changed.wait_for(lambda: not any(map(holds, self.viewers)), MAX_WAIT)
        for viewer in self.viewers:
            viewer.gone = viewer.gone or holds(viewer)

    # --- copies

    def offer_copies(self):
        on_device = all(viewer.wants_device for viewer in self.viewers if viewer.wants_copies)
        if self.copies is None or (self.copies.device_memory and not on_device):
            self.retire()
            try:
                self.copies = _Copies(self.arrays, on_device)
            except OSError:
                self.copies = None
            self.next_copy = time.monotonic()
            for viewer in self.viewers:
                viewer.waits_for_offer = viewer.wants_copies
        for viewer in self.viewers:
            if not viewer.waits_for_offer:
                continue
            viewer.waits_for_offer = False
            viewer.is_ready = viewer.wants_copies = self.copies is not None
            if self.copies is None:
                self.tell(viewer, self.packet(TROUBLE, "There is not enough memory for copies of the table."))
            else:
                files = [] if self.copies.device_memory else [self.copies.file]
                self.tell(viewer, self.packet(COPIES, value=self.copies.half, more=self.copies.record(), files=files))

    def retire(self):
        if self.copies is not None:
            self.retired.append(self.copies)
        self.copies = None

    def free_retired(self):
        for copies in self.retired:
            copies.close()
        self.retired.clear()

    def are_ready(self):
        """Whether somebody waits for a copy, and nobody looks at the half that it would go to."""
        waiting = [viewer for viewer in self.viewers if viewer.wants_copies and not viewer.gone]
        now = time.monotonic()
        return (self.copies is not None and not self.is_copying and not self.is_stopped and
                any(viewer.is_ready for viewer in waiting) and
                all(viewer.is_ready or now - viewer.told_of_copy > COPY_PATIENCE for viewer in waiting))

    def is_due(self):
        return not self.snapshots and self.are_ready()

    def copy(self, process):
        """Without the lock meanwhile."""
        self.is_copying = True
        process.lock.release()
        try:
            done = self.copies.copy(lambda: self.is_stopped)
        finally:
            process.lock.acquire()
            self.is_copying = False
            process.changed.notify_all()
        self.next_copy = time.monotonic() + 1.0 / max(self.copies_per_second, 0.001)
        if self.is_stopped:
            return
        if not done:
            self.tell_all(self.packet(TROUBLE, "The memory of the table is gone, and the program did not report that it moved."))
            for viewer in self.viewers:
                viewer.wants_copies = False
            return
        self.copies.half = 1 - self.copies.half
        for viewer in self.viewers:
            if viewer.wants_copies:
                viewer.is_ready, viewer.told_of_copy = False, time.monotonic()
                self.tell(viewer, self.packet(COPIED, value=self.copies.half))


def _arrays_of(arrays):
    named = arrays if isinstance(arrays, dict) else {"slots": arrays}
    if not 1 <= len(named) <= MAX_ARRAYS:
        raise ValueError(f"a table has 1 to {MAX_ARRAYS} arrays")
    for name in named:
        if not 1 <= len(str(name).encode()) <= MAX_NAME:
            raise ValueError(f"names of arrays must have 1 to {MAX_NAME} bytes")
    return [_Array(str(name), value) for name, value in named.items()]


KEY_NAMES, VALUE_NAMES = ("key", "keys", "k", "first"), ("value", "values", "v", "val", "second")


def _whole(value):
    """None of what is no whole number."""
    try:
        return int(value, 0) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        return None


def _listed(names):
    return ", ".join(f"'{name}'" for name in names)


def _meant(part, arrays):
    """The arrays that a part may lie in."""
    return [entry for entry in arrays if part.get("array") in (None, "", entry.name)]


def _check_numbers(what, part, arrays, names):
    """Refuses a field with one of these names that is not one number: another one is not meant."""
    for entry in _meant(part, arrays):
        for field, text in entry.others.items():
            if field.lower() in names:
                raise ValueError(f"the layout's {what}: '{field}' holds {text}, and one whole or floating-point number is "
                                 'needed: pass such numbers, or say by "offset", "stride" and "bits" which bytes are meant')


def _resolved_field(what, part, arrays):
    """A part with a "field" lies in the field of that name, as in a NumPy file."""
    if not isinstance(part, dict) or "field" not in part:
        return part
    columns = [(entry, column) for entry in _meant(part, arrays) for column in entry.columns]
    found = next(((entry, column) for entry, column in columns if column.name == part["field"] != ""), None)
    _check_numbers(what, part, arrays, (part["field"].lower(),) if isinstance(part["field"], str) else ())
    if found is None:
        names = list(dict.fromkeys(column.name for _, column in columns if column.name))
        raise ValueError(f"the layout's {what} is in a field '{part['field']}', which no array has: " +
                         (f"there are {_listed(names)}" if names else 'their numbers have no names; say "bits" instead'))
    entry, column = found
    rest = {name: value for name, value in part.items() if name != "field"}
    return {"array": entry.name, "offset": column.offset, "stride": column.stride, "bits": 8 * column.size,
            **_kind_of(column), **rest}


def _kind_of(column):
    """That numbers have a sign, or are floating-point numbers."""
    if column.kind == "i":
        return {"signed": True}
    return {"float": True} if column.kind == "f" and column.size in (4, 8) else {}


def _check_rows(what, part, slots, arrays):
    """Where an array has several columns, each of its rows is a slot."""
    meant = _meant(part, arrays)
    short = [entry for entry in meant if slots > entry.rows and sum(column.size > 1 for column in entry.columns) > 1]
    if short and len(short) == len(meant):  # bytes may be anything
        raise ValueError(f"the layout has {slots} slots, and the array '{short[0].name}' has {short[0].rows} rows of "
                         f"{len(short[0].columns)} numbers: correct \"slots\" or, if the numbers of a row are several {what}s, "
                         'say how many bytes they are apart by "stride"')


def _completed_part(what, part, names, slots, arrays, key=None):
    """A part that only says how many bits it has lies in the column of so many, as in a NumPy file; of several, in one
    with one of these names, or in the first. key: of a value, which lies in another column"""
    bits = _whole(part.get("bits")) if isinstance(part, dict) else None
    if bits is None or "offset" in part or "stride" in part:
        return part
    _check_numbers(what, part, arrays, names)
    _check_rows(what, part, slots, arrays)
    taken = key if isinstance(key, dict) and "offset" in key else None
    other_names = KEY_NAMES if names is VALUE_NAMES else VALUE_NAMES
    named = next((column for entry in _meant(part, arrays) for column in entry.columns if column.name.lower() in names), None)
    if named and 8 * named.size != bits:
        raise ValueError(f"the layout's {what} has {bits} bits, and '{named.name}' has {8 * named.size}: correct \"bits\", or "
                         'say where it lies by "offset" and "stride"')
    known = [(entry, column) for entry in _meant(part, arrays) if slots <= entry.rows for column in entry.columns]
    free = [(entry, column) for entry, column in known
            if not (taken and taken["offset"] == column.offset and taken.get("array") in (None, "", entry.name))]
    alike = [(entry, column) for entry, column in free
             if 8 * column.size == bits and column.name.lower() not in other_names]
    if not alike and any(column.name for _, column in free):
        raise ValueError(f"the layout's {what}: no field is a number of {bits} bits: say which one it is by \"field\", or by "
                         '"offset" and "stride" which bytes are meant')
    if not alike and known and all(8 * column.size > bits for _, column in free):
        sizes = " or ".join(str(8 * size) for size in sorted({column.size for _, column in free}))
        raise ValueError(f"the layout's {what} has {bits} bits, and " +
                         (f"columns of the array have {sizes}" if sizes else "the array has no column beside the key's") +
                         ': say where it lies by "offset" and "stride"')
    if not alike:
        for entry, column in free:  # bytes may be anything
            if column.size > 1 and 8 * column.stride < bits:
                raise ValueError(f"the layout's {what} has {bits} bits, and rows of the array '{entry.name}' have "
                                 f'{8 * column.stride}: say where it lies by "offset" and "stride", or pass its bytes')
        return part
    entry, column = next(((entry, column) for entry, column in alike
                          if (column.name or entry.name).lower() in names), alike[0])
    return {"array": entry.name, "offset": column.offset, "stride": column.stride, **_kind_of(column), **part}


def _completed(layout, arrays):
    """The layout with the places of keys and values that it leaves out, where the rows of the arrays tell them."""
    if isinstance(layout, dict):
        layout = {name: _resolved_field(name, part, arrays) if name in ("key", "value") else part
                  for name, part in layout.items()}
    slots = _whole(layout.get("slots")) if isinstance(layout, dict) else None
    if slots is None or "bucket" in layout or "preset" in layout or "key" not in layout:
        return layout
    key = _completed_part("key", layout["key"], KEY_NAMES, slots, arrays)
    value = _completed_part("value", layout.get("value"), VALUE_NAMES, slots, arrays, key)
    return {**layout, "key": key, **({"value": value} if "value" in layout else {})}


PART_FIELDS = ("array", "offset", "stride", "bits", "signed", "field", "float", "ordered_bits", "is")
HASH_FIELDS = ("function", "reduction", "seed", "add", "words", "shift", "mask", "through", "x", "y")
SLAB_FIELDS = ("array", "start", "slabs", "first")
FIELDS = {
    "key": PART_FIELDS, "value": PART_FIELDS, "bucket": ("slots", "stride"), "control": ("array", "offset", "stride", "empty", "erased"),
    "links": (*SLAB_FIELDS, "parts", "offset", "none", "unit"), "hash": (*HASH_FIELDS, "homes"),
    "probing": ("scheme", "window", "align", "step", "ends_at_empty", "reach", "modulo", "misses", "lengths", "odd_steps",
                "rings", "hashes"),
}
LAYOUT_FIELDS = ("preset", "slots", *FIELDS, "empty_key", "erased_key", "erased_value", "family", "beside_from")
PRESET_FIELDS = ("key_bits", "value_bits", "cg_size", "bucket_size", "seed", "super_blocks", "memory_blocks")


def _check_fields(what, given, known):
    unknown = [field for field in given if field not in known] if isinstance(given, dict) else []
    if unknown:
        raise ValueError(f"the {what} has no field '{unknown[0]}'; there are {', '.join(known)}")


def _inner(layout, part, field):
    """The list of objects in a part of the layout, if there is one."""
    listed = layout[part].get(field) if isinstance(layout.get(part), dict) else None
    return listed if isinstance(listed, (list, tuple)) else []


def _checked_number(what, part, field, least, usual=None):
    number = _whole(part.get(field, usual))
    if number is None or number < least:
        raise ValueError(f'"{field}" of the {what} must be a whole number from {least} on')
    return number


def _check_part(what, part, layout, arrays):
    """All slots' numbers lie in their array."""
    if not isinstance(part, dict):
        raise ValueError(f"the layout's {what} must be an object, such as {{'bits': 64}}")
    named = [entry for entry in arrays if part.get("array") in (None, "", entry.name)]
    if len(named) != 1:
        names = ", ".join(f"'{entry.name}'" for entry in arrays)
        raise ValueError(f'"array" of the layout\'s {what} must name one of {names}')
    size = _checked_number(f"layout's {what}", part, "bits", 8) // 8
    offset = _checked_number(f"layout's {what}", part, "offset", 0, 0)
    stride = _checked_number(f"layout's {what}", part, "stride", 0, size)
    last, bucket = layout["slots"] - 1, layout.get("bucket")
    end = offset + last * stride + size
    if isinstance(bucket, dict) and what in ("key", "value"):
        slots = _checked_number("bucket", bucket, "slots", 1)
        end = offset + last // slots * _checked_number("bucket", bucket, "stride", 0) + (slots - 1) * stride + size
    if end > named[0].size:
        raise ValueError(f"the layout's {what}s of {last + 1} slots end at byte {end} of the array '{named[0].name}', which "
                         f'has {named[0].size} bytes: correct "slots", "offset" or "stride"')


def _reach(part, slots, bucket):
    """(first byte, one behind the last, bytes of a number, stride) of a part in its array"""
    size = _whole(part["bits"]) // 8
    offset, stride = _whole(part.get("offset", 0)), _whole(part.get("stride", size))
    if not bucket:
        return offset, offset + (slots - 1) * stride + size, size, stride
    in_bucket, bytes_of_bucket = _whole(bucket["slots"]), _whole(bucket["stride"])
    end = offset + (slots - 1) // in_bucket * bytes_of_bucket + (in_bucket - 1) * stride + size
    return offset, end, size, stride


def _check_apart(key, value, slots, bucket, arrays):
    """Keys and values have bytes of their own."""
    places = [next(entry for entry in arrays if part.get("array") in (None, "", entry.name)) for part in (key, value)]
    first, second = sorted((_reach(key, slots, bucket), _reach(value, slots, bucket)))
    if places[0] is not places[1] or first[1] <= second[0]:
        return
    apart = second[0] - first[0]
    if bucket:
        inside, room = apart % _whole(bucket["stride"]), _whole(bucket["stride"])
        extents = [(_whole(bucket["slots"]) - 1) * part[3] + part[2] for part in (first, second)]
        if extents[0] <= inside and inside + extents[1] <= room:
            return
    unit = math.gcd(first[3], second[3])
    if not unit or apart % unit < first[2] or unit - apart % unit < second[2]:
        raise ValueError(f"the layout's keys and values lie in the same bytes of the array '{places[0].name}': correct "
                         '"array", "offset" or "stride" of one of them, or leave out "value"')


def _check(layout, arrays):
    """Raises ValueError where a layout cannot be true of these arrays, or has fields that mean nothing. Viewers check the
    rest, such as names of hash functions."""
    if not isinstance(layout, dict):
        raise ValueError("the layout must be a dict, or JSON of an object")
    has_preset = layout.get("preset") is not None
    _check_fields("layout", layout, (*LAYOUT_FIELDS, *PRESET_FIELDS) if has_preset else LAYOUT_FIELDS)
    for part, fields in FIELDS.items():
        _check_fields(f"layout's {part}", layout.get(part), fields)
    for each in _inner(layout, "links", "parts"):
        _check_fields("part of the layout's links", each, SLAB_FIELDS)
    for each in _inner(layout, "probing", "hashes"):
        _check_fields("hash of the layout's probing", each, HASH_FIELDS)
    if layout.get("slots") is None:
        raise ValueError('the layout does not say how many slots there are: add "slots", such as len(array)')
    slots = _whole(layout.get("slots"))
    if slots is None or not 2 <= slots <= 1 << 31:
        raise ValueError(f'"slots" of the layout must be a whole number from 2 to {1 << 31}')
    parts = {part: layout[part] for part in ("key", "value") if layout.get(part) is not None}
    if has_preset:  # which knows where they lie
        bits = _checked_number("layout", {"key_bits": 32, **layout}, "key_bits", 32)
        if slots * bits // 8 > sum(entry.size for entry in arrays):
            raise ValueError(f"{slots} keys of {bits} bits do not fit into the array: correct \"slots\" or \"key_bits\"")
        return
    if "key" not in parts:
        raise ValueError("the layout does not say where keys lie: add \"key\", such as {'bits': 64}, or a \"preset\"")
    if isinstance(layout.get("control"), dict):
        parts["control byte"] = {"array": layout["control"].get("array"), "bits": 8,
                                 "offset": layout["control"].get("offset", 0), "stride": layout["control"].get("stride", 1)}
    homes = layout["hash"].get("homes") if isinstance(layout.get("hash"), dict) else None
    if homes is not None:
        parts["home"] = {"array": homes, "bits": 32} if isinstance(homes, str) else homes
        _check_fields("layout's homes", parts["home"], PART_FIELDS)
    for what, part in parts.items():
        _check_part(what, part, {**layout, "slots": slots}, arrays)
    if "value" in parts:
        bucket = layout.get("bucket")
        _check_apart(parts["key"], parts["value"], slots, bucket if isinstance(bucket, dict) else None, arrays)


def _description_of(layout, arrays):
    if isinstance(layout, str):
        try:
            layout = json.loads(layout)
        except ValueError as error:
            raise ValueError(f"the layout is no JSON: {error}") from None
    completed = _completed(layout, arrays)
    _check(completed, arrays)

    # Numbers beyond 2^53 lose digits in some readers of JSON.
    def exact(value):
        if isinstance(value, dict):
            return {key: exact(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [exact(inner) for inner in value]
        return str(value) if isinstance(value, int) and value > 1 << 53 else value
    return _checked_length(json.dumps(exact(completed), default=int))  # numbers of NumPy, too


def _checked_length(description):
    if len(description.encode()) > MAX_DESCRIPTION:
        raise ValueError("the layout has more than 48 KiB of JSON")
    return description


class Watch:
    """A table that viewers may look at until it is closed: see `watch`. Calls may come from any thread."""

    def __init__(self, name, arrays, layout, *, copies_per_second=10.0, snapshots=False, may_be_read=True):
        if not 1 <= len(name.encode()) <= MAX_NAME:
            raise ValueError(f"the name of a table must have 1 to {MAX_NAME} bytes")
        found = _arrays_of(arrays)
        self._table = _Table(name, found, _description_of(layout, found), copies_per_second, snapshots, may_be_read)
        self.problem = None  # why it is not announced
        try:
            if os.environ.get("SLOTSCAPE_WATCH") == "0":
                self.problem = "SLOTSCAPE_WATCH=0 in the environment"
            else:
                _process.add(self._table)
        except (OSError, RuntimeError) as error:
            self.problem = str(error)
            print(f"slotscape: the table '{name}' cannot be watched: {error}.", file=sys.stderr)
        self._is_open = self.problem is None
        if self._is_open:
            atexit.register(self.close)

    def _is_here(self):
        return self._is_open and self._table.is_here

    def moved(self, arrays, layout=None, text=""):
        """The table is in other memory now. To be called while the old memory is still there: if it is of a CUDA device,
        this waits until viewers let go of it, at most 100 ms. text: why, for the viewer's history."""
        found = _arrays_of(arrays)
        description = _description_of(self._table.description if layout is None else layout, found)
        if not self._is_here():
            return
        with _process.lock:
            table = self._table
            table.is_stopped = True
            _process.changed.wait_for(lambda: not table.is_copying)
            was_on_device = any(entry.on_device for entry in table.arrays)
            old = table.copies
            table.arrays, table.description, table.copies = found, description, None
            table.generation += 1
            for viewer in table.viewers:
                viewer.wants_copies = viewer.waits_for_offer = viewer.is_ready = False
            packet = table.describe(text)
            table.tell_all(packet)
            if was_on_device:
                table.wait_for_release(_process)
            if old is not None:
                table.retired.append(old)
            table.is_stopped = False
            _process.wake()

    def mark(self, text):
        """A mark in the viewer's history: 'after epoch 3'."""
        if self._is_here():
            with _process.lock:
                packet = self._table.packet(MARK, str(text))
                self._table.marks.append(packet)
                self._table.tell_all(packet)

    def snapshot(self):
        """With snapshots=True: copies the table now, if somebody waits for it. Work of the GPU is to be done by then."""
        if self._is_here() and self._table.snapshots:
            with _process.lock:
                if self._table.are_ready():
                    self._table.copy(_process)

    @property
    def viewers(self):
        """How many look now."""
        if not self._is_here():
            return 0
        with _process.lock:
            return sum(viewer.attached and not viewer.gone for viewer in self._table.viewers)

    def close(self):
        """Tells viewers that the table ends. If there are any, it waits until they let go of it, at most 100 ms."""
        if not self._is_open:
            return
        self._is_open = False
        atexit.unregister(self.close)
        if self._table.is_here:
            _process.remove(self._table)
        self._table.arrays = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def watch(name, arrays, layout, *, copies_per_second=10.0, snapshots=False, may_be_read=True):
    """Lets viewers look at a table until it is closed, or the `with` that it is used in ends.

    arrays             a tensor, called "slots" in the layout, or a dict of them by their names there. They are kept alive.
    layout             a dict as docs/watching-your-table.md describes it, or the same as JSON
    copies_per_second  how often it is copied, as long as somebody looks, where viewers cannot reach its memory
    snapshots          viewers see only what `Watch.snapshot` copied
    may_be_read        a viewer of the same user may read the memory of the program, as a debugger does
    """
    return Watch(name, arrays, layout, copies_per_second=copies_per_second, snapshots=snapshots, may_be_read=may_be_read)
