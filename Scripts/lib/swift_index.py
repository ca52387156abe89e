"""Reads the index that the Swift compiler writes beside a debug build, by the toolchain's libIndexStore."""

import collections
import ctypes
import pathlib
import shutil

from .command import fail

# From indexstore.h of the toolchain.
ROLE_DEFINITION, RELATION_OVERRIDE, DEPENDENCY_RECORD = 1 << 1, 1 << 11, 2

# What a name in a source is resolved to: the symbol's USR, whether it is defined there, and which symbols it implements.
Occurrence = collections.namedtuple("Occurrence", "usr is_definition implemented")


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
VISIT_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


class Index:
    def __init__(self, store):
        compiler = pathlib.Path(shutil.which("swift"))
        self.library = ctypes.CDLL(str(compiler.resolve().parents[1] / "lib" / "libIndexStore.so"))
        self.store = self.call("store_create", str(store).encode(), ctypes.byref(ctypes.c_void_p()))
        if not self.store:
            fail(f"no index at {store}; a debug build of the package writes it")

    def call(self, name, *arguments, result=ctypes.c_void_p):
        """Calls a function of the library. An integer is a pointer, which ctypes would cut to 32 bits otherwise."""
        function = getattr(self.library, f"indexstore_{name}")
        function.restype = result
        return function(*(ctypes.c_void_p(each) if isinstance(each, int) else each for each in arguments))

    def each(self, name, *arguments, read, visit=VISIT):
        """Returns what `read` makes of each value that a function visits; a value is valid only during its visit."""
        found = []
        self.call(name, *arguments, None, visit(lambda _, value: found.append(read(value)) is None))
        return found

    def units(self):
        """Returns the records of each source file that still exists, by its path."""
        records = collections.defaultdict(set)
        for name in self.each("store_units_apply_f", self.store, ctypes.c_uint(1), read=str, visit=VISIT_TEXT):
            unit = self.call("unit_reader_create", self.store, name.encode(), None)
            file = unit and str(self.call("unit_reader_get_main_file", unit, result=Text))
            if file and file.endswith(".swift") and pathlib.Path(file).exists():
                dependencies = self.each("unit_reader_dependencies_apply_f", unit, read=lambda each: (
                    self.call("unit_dependency_get_kind", each, result=ctypes.c_uint),
                    str(self.call("unit_dependency_get_filepath", each, result=Text)),
                    str(self.call("unit_dependency_get_name", each, result=Text))))
                # A unit lists the records of the interfaces it imports, too.
                records[file].update(name for *key, name in dependencies if key == [DEPENDENCY_RECORD, file])
            if unit:
                self.call("unit_reader_dispose", unit)
        return records

    def occurrences(self, record):
        """Yields each name in one source file, with what the compiler has resolved it to."""
        reader = self.call("record_reader_create", self.store, record.encode(), None)
        if reader:
            yield from self.each("record_reader_occurrences_apply_f", reader, read=self.occurrence)
            self.call("record_reader_dispose", reader)

    def occurrence(self, pointer):
        related = self.each("occurrence_relations_apply_f", pointer, read=lambda each: (
            self.call("symbol_relation_get_roles", each, result=ctypes.c_uint64),
            self.usr(self.call("symbol_relation_get_symbol", each))))
        roles = self.call("occurrence_get_roles", pointer, result=ctypes.c_uint64)
        return Occurrence(self.usr(self.call("occurrence_get_symbol", pointer)), bool(roles & ROLE_DEFINITION),
                          [usr for role, usr in related if role & RELATION_OVERRIDE])

    def usr(self, symbol):
        return str(self.call("symbol_get_usr", symbol, result=Text))
