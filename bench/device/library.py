# SPDX-License-Identifier: Apache-2.0
"""Our side of the device benchmark: a shared library of rows (abi.hpp), and its tensors as PyTorch sees them."""
import ctypes
import math

MAX_RANK = 6


class Failure(Exception):
    """What the library says went wrong."""


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("element", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("rank", ctypes.c_int),
        ("extents", ctypes.c_int64 * MAX_RANK),
    ]


# Functions of the library: what they give back and take. An int is 0 for success.
_SIGNATURES = {
    "error": (ctypes.c_char_p, ()),
    "row_name": (ctypes.c_char_p, (ctypes.c_int,)),
    "use_device": (ctypes.c_int, (ctypes.c_char_p,)),
    "load_images": (ctypes.c_int, (ctypes.c_char_p,)),
    "bake": (ctypes.c_int, (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)),
    "stream": (ctypes.c_int, (ctypes.POINTER(ctypes.c_void_p),)),
    "synchronize": (ctypes.c_int, ()),
    "open": (ctypes.c_void_p, (ctypes.c_char_p,)),
    "close": (None, (ctypes.c_void_p,)),
    "buffer": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(_Buffer))),
    "enqueue": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_int, ctypes.c_int)),
    "host_seconds": (ctypes.c_double, (ctypes.c_void_p, ctypes.c_int, ctypes.c_int)),
    "check": (ctypes.c_int, (ctypes.c_void_p,)),
}


class Library:
    def __init__(self, path):
        self._loaded = ctypes.CDLL(str(path))

    def call(self, name, *arguments):
        function = getattr(self._loaded, "tilewright_bench_" + name)
        function.restype, function.argtypes = _SIGNATURES[name]
        return function(*arguments)

    def must(self, name, *arguments):
        if self.call(name, *arguments) != 0:
            self.fail()

    def fail(self):
        raise Failure(self.call("error").decode())

    def row_names(self):
        names = []
        while (name := self.call("row_name", len(names))) is not None:
            names.append(name.decode())
        return names

    def use_device(self, name):
        self.must("use_device", name.encode())

    def load_images(self, file):
        self.must("load_images", str(file).encode())

    def bake(self, target, names, file):
        self.must("bake", target.encode(), " ".join(names).encode(), str(file).encode())

    def stream(self):
        """The driver's handle of the stream that rows run on."""
        handle = ctypes.c_void_p()
        self.must("stream", ctypes.byref(handle))
        return handle.value or 0

    def synchronize(self):
        self.must("synchronize")

    def open(self, name):
        return Row(self, name)


class Row:
    """One prepared row. Side 0 is ours; rows whose peer needs no PyTorch bring it as side 1."""

    def __init__(self, library, name):
        self._library = library
        self._handle = library.call("open", name.encode())
        if not self._handle:
            library.fail()

    def close(self):
        if self._handle:
            self._library.call("close", self._handle)
        self._handle = None

    def enqueue(self, side, times):
        self._library.must("enqueue", self._handle, side, times)

    def host_seconds(self, side, times):
        seconds = self._library.call("host_seconds", self._handle, side, times)
        if seconds < 0:
            self._library.fail()
        return seconds

    def check(self):
        """Raises Failure when the last run left something wrong behind."""
        self._library.must("check", self._handle)

    def _views(self):
        found = []
        while True:
            seen = _Buffer()
            if self._library.call("buffer", self._handle, len(found), ctypes.byref(seen)) != 0:
                return found
            found.append(seen)

    def buffers(self, torch):
        """Name -> tensor over the row's own memory."""
        return {seen.name.decode(): tensor_at(torch, seen) for seen in self._views()}

    def memory(self):
        """(name, address, bytes) of each buffer."""
        sizes = {"f16": 2, "bf16": 2, "f32": 4, "i32": 4, "i64": 8}
        return [(seen.name.decode(), seen.address,
                 math.prod(seen.extents[: seen.rank]) * sizes[seen.element.decode()]) for seen in self._views()]


def tensor_at(torch, seen):
    carriers = {"f16": ("<f2", None), "f32": ("<f4", None), "i32": ("<i4", None), "i64": ("<i8", None)}
    carriers["bf16"] = ("<i2", torch.bfloat16)  # the array interface has no name for it
    code, real = carriers[seen.element.decode()]

    class Memory:
        __cuda_array_interface__ = {
            "shape": tuple(seen.extents[: seen.rank]),
            "typestr": code,
            "data": (seen.address, False),
            "version": 3,
        }

    tensor = torch.as_tensor(Memory(), device="cuda")
    return tensor if real is None else tensor.view(real)
