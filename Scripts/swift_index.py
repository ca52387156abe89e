"""Reads the index that the Swift compiler writes beside a debug build, by the toolchain's libIndexStore."""

import ctypes
import pathlib
import shutil

# From indexstore.h of the toolchain.
ROLE_DEFINITION, ROLE_REFERENCE, ROLE_IMPLICIT = 1 << 1, 1 << 2, 1 << 8
RELATION_CHILD, RELATION_BASE, RELATION_OVERRIDE, RELATION_CONTAINED = 1 << 9, 1 << 10, 1 << 11, 1 << 16
RELATION_EXTENDED, RELATION_ACCESSOR = 1 << 14, 1 << 15
ACCESS_MASK, ACCESS_PUBLIC = 0b111 << 17, 0b110 << 17
DEPENDENCY_RECORD = 2
KINDS = {5: "enum", 6: "struct", 7: "class", 8: "protocol", 9: "extension", 11: "typealias", 12: "function",
         13: "variable", 15: "case", 16: "method", 17: "method", 18: "static method", 19: "property",
         20: "static property", 21: "static property", 22: "initializer", 25: "parameter"}
TYPES = {"enum", "struct", "class", "protocol"}


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Symbol:
    """A declaration, known by its unified symbol resolution, which is the same in every module that uses it."""

    def __init__(self, library, pointer):
        self.usr = str(library.indexstore_symbol_get_usr(pointer))
        self.name = str(library.indexstore_symbol_get_name(pointer))
        self.kind = KINDS.get(library.indexstore_symbol_get_kind(pointer), "other")
        properties = library.indexstore_symbol_get_properties(pointer)
        self.is_public = properties & ACCESS_MASK == ACCESS_PUBLIC


class Occurrence:
    def __init__(self, symbol, roles, line, relations):
        self.symbol, self.roles, self.line = symbol, roles, line
        self.relations = relations  # Pairs of roles and a symbol.

    def related(self, role):
        return [symbol for roles, symbol in self.relations if roles & role]


class Index:
    def __init__(self, store):
        self.library = load_library()
        error = ctypes.c_void_p()
        self.store = self.library.indexstore_store_create(str(store).encode(), ctypes.byref(error))
        if not self.store:
            raise OSError(f"no index at {store}; a debug build of the package writes it")

    def units(self):
        """Returns the newest unit of each source file that still exists: its path and the names of its records."""
        names = []
        self._each(self.library.indexstore_store_units_apply_f, self.store, ctypes.c_uint(1), by_value=names)
        newest = {}
        for name in names:
            unit = self.library.indexstore_unit_reader_create(self.store, name.encode(), None)
            if not unit:
                continue
            seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
            self.library.indexstore_unit_reader_get_modification_time(
                unit, ctypes.byref(seconds), ctypes.byref(nanoseconds))
            time = (seconds.value, nanoseconds.value)
            file = str(self.library.indexstore_unit_reader_get_main_file(unit))
            if file.endswith(".swift") and time > newest.get(file, ((0, 0), []))[0]:
                records = []

                def note(_, dependency):
                    if self.library.indexstore_unit_dependency_get_kind(dependency) == DEPENDENCY_RECORD:
                        path = str(self.library.indexstore_unit_dependency_get_filepath(dependency))
                        # A unit lists the records of the interfaces it imports, too.
                        if path == file:
                            records.append(str(self.library.indexstore_unit_dependency_get_name(dependency)))
                    return True

                self.library.indexstore_unit_reader_dependencies_apply_f(unit, None, VISIT(note))
                newest[file] = (time, records)
            self.library.indexstore_unit_reader_dispose(unit)
        return {file: records for file, (_, records) in newest.items() if pathlib.Path(file).exists()}

    def occurrences(self, record):
        """Returns what a record holds: each name in one source file, with what the compiler resolved it to."""
        reader = self.library.indexstore_record_reader_create(self.store, record.encode(), None)
        if not reader:
            return []
        found, symbols = [], {}

        def symbol(pointer):
            if pointer not in symbols:
                symbols[pointer] = Symbol(self.library, pointer)
            return symbols[pointer]

        def note(_, occurrence):
            line, column = ctypes.c_uint(), ctypes.c_uint()
            self.library.indexstore_occurrence_get_line_col(
                occurrence, ctypes.byref(line), ctypes.byref(column))
            relations = []

            def relate(_, relation):
                relations.append((
                    self.library.indexstore_symbol_relation_get_roles(relation),
                    symbol(self.library.indexstore_symbol_relation_get_symbol(relation))))
                return True

            self.library.indexstore_occurrence_relations_apply_f(occurrence, None, VISIT(relate))
            found.append(Occurrence(
                symbol(self.library.indexstore_occurrence_get_symbol(occurrence)),
                self.library.indexstore_occurrence_get_roles(occurrence), line.value, relations))
            return True

        self.library.indexstore_record_reader_occurrences_apply_f(reader, None, VISIT(note))
        self.library.indexstore_record_reader_dispose(reader)
        return found

    def _each(self, function, *arguments, by_value):
        def note(_, text):
            by_value.append(str(text))
            return True

        function(*arguments, None, VISIT_TEXT(note))


VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
VISIT_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


def load_library():
    compiler = shutil.which("swift")
    if not compiler:
        raise OSError("no swift in PATH")
    library = ctypes.CDLL(str(pathlib.Path(compiler).resolve().parent.parent / "lib" / "libIndexStore.so"))
    pointer, text, number = ctypes.c_void_p, Text, ctypes.c_uint64
    results = {
        "store_create": pointer, "unit_reader_create": pointer, "unit_reader_get_main_file": text,
        "unit_dependency_get_name": text, "unit_dependency_get_filepath": text, "record_reader_create": pointer,
        "symbol_get_usr": text, "symbol_get_name": text, "symbol_get_properties": number,
        "occurrence_get_symbol": pointer, "occurrence_get_roles": number,
        "symbol_relation_get_symbol": pointer, "symbol_relation_get_roles": number,
    }
    for name, result in results.items():
        getattr(library, f"indexstore_{name}").restype = result
    # Pointers are passed as whole words: without these types ctypes would cut them to 32 bits.
    for name, arguments in {
        "store_create": [ctypes.c_char_p, pointer], "store_units_apply_f": [pointer, ctypes.c_uint, pointer, VISIT_TEXT],
        "unit_reader_create": [pointer, ctypes.c_char_p, pointer], "unit_reader_dispose": [pointer],
        "unit_reader_get_main_file": [pointer], "unit_reader_get_modification_time": [pointer] * 3,
        "unit_reader_dependencies_apply_f": [pointer, pointer, VISIT], "unit_dependency_get_kind": [pointer],
        "unit_dependency_get_name": [pointer], "unit_dependency_get_filepath": [pointer],
        "record_reader_create": [pointer, ctypes.c_char_p, pointer], "record_reader_dispose": [pointer],
        "record_reader_occurrences_apply_f": [pointer, pointer, VISIT], "occurrence_get_symbol": [pointer],
        "occurrence_get_roles": [pointer], "occurrence_get_line_col": [pointer] * 3,
        "occurrence_relations_apply_f": [pointer, pointer, VISIT], "symbol_relation_get_symbol": [pointer],
        "symbol_relation_get_roles": [pointer], "symbol_get_usr": [pointer], "symbol_get_name": [pointer],
        "symbol_get_kind": [pointer], "symbol_get_properties": [pointer],
    }.items():
        getattr(library, f"indexstore_{name}").argtypes = arguments
    return library
