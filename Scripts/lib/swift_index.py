"""Reads the index that the Swift compiler writes beside a debug build, by the toolchain's libIndexStore."""

import collections
import ctypes
import pathlib
import shutil

# From indexstore.h of the toolchain.
ROLE_DEFINITION, ROLE_IMPLICIT = 1 << 1, 1 << 8
RELATION_CHILD, RELATION_BASE, RELATION_OVERRIDE = 1 << 9, 1 << 10, 1 << 11
RELATION_EXTENDED, RELATION_ACCESSOR = 1 << 14, 1 << 15
DEPENDENCY_RECORD = 2
KINDS = {5: "enum", 6: "struct", 7: "class", 8: "protocol", 9: "extension", 11: "typealias", 12: "function",
         13: "variable", 15: "case", 16: "method", 17: "method", 18: "static method", 19: "property",
         20: "static property", 21: "static property", 22: "initializer", 25: "parameter"}
TYPES = {"enum", "struct", "class", "protocol"}


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
VISIT_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


# A declaration, known by its unified symbol resolution, which is the same in every module that uses it.
Symbol = collections.namedtuple("Symbol", "usr name kind")


# The relations are pairs of roles and a symbol.
class Occurrence(collections.namedtuple("Occurrence", "symbol roles line relations")):
    def related(self, role):
        return [symbol for roles, symbol in self.relations if roles & role]


class Index:
    def __init__(self, store):
        compiler = shutil.which("swift")
        if not compiler:
            raise OSError("no swift in PATH")
        self.library = ctypes.CDLL(str(pathlib.Path(compiler).resolve().parents[1] / "lib" / "libIndexStore.so"))
        self.store = self.call("store_create", str(store).encode(), ctypes.byref(ctypes.c_void_p()))
        if not self.store:
            raise OSError(f"no index at {store}; a debug build of the package writes it")

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

    def text(self, name, *arguments):
        return str(self.call(name, *arguments, result=Text))

    def units(self):
        """Returns the newest unit of each source file that still exists: its path and the names of its records."""
        newest = {}
        for name in self.each("store_units_apply_f", self.store, ctypes.c_uint(1), read=str, visit=VISIT_TEXT):
            unit = self.call("unit_reader_create", self.store, name.encode(), None)
            if not unit:
                continue
            seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
            self.call("unit_reader_get_modification_time", unit, ctypes.byref(seconds), ctypes.byref(nanoseconds))
            time = (seconds.value, nanoseconds.value)
            file = self.text("unit_reader_get_main_file", unit)
            if file.endswith(".swift") and time > newest.get(file, ((0, 0), []))[0]:
                records = self.each("unit_reader_dependencies_apply_f", unit, read=lambda each: (
                    self.call("unit_dependency_get_kind", each, result=ctypes.c_uint),
                    self.text("unit_dependency_get_filepath", each), self.text("unit_dependency_get_name", each)))
                # A unit lists the records of the interfaces it imports, too.
                newest[file] = (time, [name for *key, name in records if key == [DEPENDENCY_RECORD, file]])
            self.call("unit_reader_dispose", unit)
        return {file: records for file, (_, records) in newest.items() if pathlib.Path(file).exists()}

    def occurrences(self, record):
        """Returns each name in one source file, with what the compiler resolved it to."""
        reader = self.call("record_reader_create", self.store, record.encode(), None)
        if not reader:
            return []
        self.symbols = {}  # By their pointers, which are valid as long as the reader.
        found = self.each("record_reader_occurrences_apply_f", reader, read=self.occurrence)
        self.call("record_reader_dispose", reader)
        return found

    def occurrence(self, pointer):
        line = ctypes.c_uint()
        self.call("occurrence_get_line_col", pointer, ctypes.byref(line), ctypes.byref(ctypes.c_uint()))
        relations = self.each("occurrence_relations_apply_f", pointer, read=lambda each: (
            self.call("symbol_relation_get_roles", each, result=ctypes.c_uint64),
            self.symbol(self.call("symbol_relation_get_symbol", each))))
        return Occurrence(self.symbol(self.call("occurrence_get_symbol", pointer)),
                          self.call("occurrence_get_roles", pointer, result=ctypes.c_uint64), line.value, relations)

    def symbol(self, pointer):
        if pointer not in self.symbols:
            kind = KINDS.get(self.call("symbol_get_kind", pointer, result=ctypes.c_uint), "other")
            self.symbols[pointer] = Symbol(
                self.text("symbol_get_usr", pointer), self.text("symbol_get_name", pointer), kind)
        return self.symbols[pointer]
