#!/usr/bin/env python3
"""The C interface as its headers say it: functions, structs with the place of every member, enumerations.

  interface.py list          prints it; bindings/c/interface.txt holds the same, and a test compares the two: a change of
                             the interface is seen in review, and a removal is not missed
  interface.py ctypes FILE   writes it as a Python module with declarations for ctypes, for the Python package
  interface.py stubs FILE    writes a C file with a function of every name that does nothing: compiled with debugging
                             information, it has the binary interface of the library, which tools can compare

It reads the plain C of those headers, not C in general, and fails at what it does not understand.
"""
import ctypes
import re
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include" / "sinew"
HEADERS = ("runtime/runtime_c.h", "result_c.h", "character_c.h", "pipeline_c.h", "check_c.h", "weight_tools_c.h",
           "weight_transfer_c.h", "sinew_c.h")

PLAIN = {"int": "c_int", "double": "c_double", "float": "c_float", "size_t": "c_size_t", "uint8_t": "c_uint8",
         "uint16_t": "c_uint16", "uint32_t": "c_uint32", "uint64_t": "c_uint64", "int32_t": "c_int32"}


class Interface:
    def __init__(self):
        self.enums, self.structs, self.handles, self.functions = {}, {}, [], {}
        for header in HEADERS:
            self.read((INCLUDE / header).read_text(encoding="utf-8"), header)

    def read(self, text, header):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"^#.*$", " ", text, flags=re.M)
        text = re.sub(r'extern "C" \{|^\}\s*$', " ", text, flags=re.M)
        for statement in self.statements(" ".join(text.split())):
            if not self.take(statement):
                raise SystemExit(f"{header}: cannot read '{statement}'")

    @staticmethod
    def statements(text):
        """Cuts at semicolons outside braces."""
        depth, begin = 0, 0
        for at, letter in enumerate(text):
            depth += (letter == "{") - (letter == "}")
            if letter == ";" and depth == 0:
                yield text[begin:at].strip()
                begin = at + 1
        if text[begin:].strip():
            yield text[begin:].strip()

    def take(self, statement):
        enum = re.fullmatch(r"typedef enum (\w+) \{(.*)\} \1", statement)
        if enum:
            pairs = [entry.split("=") for entry in enum.group(2).split(",") if entry.strip()]
            self.enums[enum.group(1)] = {name.strip(): int(value) for name, value in pairs}
            return True
        handle = re.fullmatch(r"typedef struct (\w+) \1", statement)
        if handle:
            self.handles.append(handle.group(1))
            return True
        struct = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", statement)
        if struct:
            self.structs[struct.group(1)] = [self.member(m.strip()) for m in struct.group(2).split(";") if m.strip()]
            return True
        function = re.fullmatch(r"SINEW_API (.+?)\b(sinew_\w+)\((.*)\)", statement)
        if function:
            self.functions[function.group(2)] = (function.group(1).strip(), self.parameters(function.group(3)))
            return True
        return False

    def parameters(self, text):
        return [] if text == "void" else [self.member(p.strip()) for p in text.split(",")]

    @staticmethod
    def member(text):
        """(type, name); an array's length and a function's parameters are part of the type."""
        pointer = re.fullmatch(r"(.+?) ?\(\*(\w+)\)\((.*)\)", text)
        if pointer:
            return f"{pointer.group(1)}(*)({pointer.group(3)})", pointer.group(2)
        plain = re.fullmatch(r"(.+?[ *])(\w+)(\[\d+\])?", text)
        if not plain:
            raise SystemExit(f"cannot read '{text}'")
        return plain.group(1).strip() + (plain.group(3) or ""), plain.group(2)

    # --- ctypes ---

    def ctype(self, text):
        function = re.fullmatch(r"(.+?)\(\*\)\((.*)\)", text)
        if function:
            types = [function.group(1)] + [kind for kind, _ in self.parameters(function.group(2))]
            return "CFUNCTYPE(" + ", ".join(self.ctype(t) for t in types) + ")"
        array = re.fullmatch(r"(.+)\[(\d+)\]", text)
        if array:
            return f"{self.ctype(array.group(1))} * {array.group(2)}"
        name = re.sub(r"\bconst\b", "", text).replace(" ", "")
        if name == "void":
            return "None"
        if name in PLAIN:
            return PLAIN[name]
        if name in self.enums:
            return "c_int"
        if name in self.structs:
            return name
        if name == "char*":
            return "c_char_p"
        if name == "void*" or (name.endswith("*") and name[:-1] in self.handles):
            return "c_void_p"
        if name.endswith("*"):
            return f"POINTER({self.ctype(name[:-1])})"
        raise SystemExit(f"'{text}' is not a type that this program knows")

    def module(self):
        lines = ['"""Declarations of the C interface, made of its headers by bindings/c/interface.py."""',
                 "from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32,",
                 "                    c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)", ""]
        header = (INCLUDE / "version.h").read_text(encoding="utf-8")
        numbers = re.findall(r"^#define SINEW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M)
        lines.append(f'VERSION = "{".".join(numbers)}"')
        # The name by which a system has the library, as cmake/libraries.cmake makes it.
        lines.append(f'LIBRARY = "libsinew.so.{numbers[0] if numbers[0] != "0" else "0." + numbers[1]}"')
        for values in self.enums.values():
            lines += [f"{name} = {value}" for name, value in values.items()]
        for name, members in self.structs.items():
            lines += ["", "", f"class {name}(Structure):", "    _fields_ = ["]
            lines += [f'        ("{member}", {self.ctype(kind)}),' for kind, member in members]
            lines += ["    ]"]
        lines += ["", "", "FUNCTIONS = {"]
        for name, (result, parameters) in self.functions.items():
            types = ", ".join(self.ctype(kind) for kind, _ in parameters)
            lines.append(f'    "{name}": ({self.ctype(result)}, [{types}]),')
        return "\n".join(lines) + "\n}\n"

    # --- stubs ---

    def stubs(self):
        lines = ["/* Made of the headers by bindings/c/interface.py. */"]
        lines += [f"#include <sinew/{header}>" for header in HEADERS]
        for name, (result, parameters) in self.functions.items():
            declared = ", ".join(f"{kind} {member}" for kind, member in parameters) or "void"
            lines.append(f"{result} {name}({declared}) {{ {'' if result == 'void' else 'return 0; '}}}")
        return "\n".join(lines) + "\n"

    # --- the list ---

    def listing(self):
        declared = {}
        exec(self.module(), declared)
        lines = []
        for name, values in self.enums.items():
            lines += [f"enum {name} {key} = {value}" for key, value in values.items()]
        for name, members in self.structs.items():
            lines.append(f"struct {name}, {ctypes.sizeof(declared[name])} bytes")
            lines += [f"  {getattr(declared[name], member).offset:4} {kind} {member}" for kind, member in members]
        for name, (result, parameters) in sorted(self.functions.items()):
            lines.append(f"{result} {name}({', '.join(f'{kind} {member}' for kind, member in parameters)})")
        return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["list"]:
        sys.stdout.write(Interface().listing())
    elif sys.argv[1:2] == ["ctypes"] and len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(Interface().module(), encoding="utf-8")
    elif sys.argv[1:2] == ["stubs"] and len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(Interface().stubs(), encoding="utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
