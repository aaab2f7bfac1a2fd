#!/usr/bin/env python3
"""Prints the reference of the C interface as Markdown: what its headers say, in their order, with an index.

  reference.py >docs/reference/c.md      a test compares the two

The headers are C with comments: a comment at the beginning introduces a header, "---- Title ----" begins a section, any
other comment explains the declarations below it, as far as the next empty line.
"""
import re
import sys
from pathlib import Path

from interface import HEADERS, INCLUDE

SECTION = re.compile(r"^---- (.*) ----$")


class Entry:
    """Declarations that belong together, with what is said of them."""

    def __init__(self, text, code):
        self.text, self.code = text, code

    @property
    def names(self):
        functions = re.findall(r"^SINEW_API .*?\b(sinew_\w+)\(", self.code, re.M)
        types = ["".join(name) for name in re.findall(r"^(?:\} (sinew_\w+);|typedef .* (sinew_\w+);)$", self.code, re.M)]
        return types + [name for name in functions if name.removesuffix("_defaults") not in types]

    @property
    def plain_code(self):
        """Without the mark of what the library exports, and with continued lines moved as far to the left."""
        lines, moved = [], False
        for line in self.code.split("\n"):
            if line.startswith("SINEW_API "):
                line, moved = line.removeprefix("SINEW_API "), True
            elif moved and line.startswith(" " * 10):
                line = line[10:]
            else:
                moved = False
            lines.append(line)
        return "\n".join(lines)


def comment_text(comment):
    """The lines of a comment without its stars."""
    lines = comment.strip().removeprefix("/*").removesuffix("*/").split("\n")
    return [re.sub(r"^ ?\*? ?", "", line).rstrip() if number else line.strip() for number, line in enumerate(lines)]


def paragraphs(lines):
    """Lines of a comment as Markdown: indented ones are code, those that go on are joined."""
    made, code = [], []

    def end_code():
        if code:
            made.extend(["```c", *"\n".join(line[2:] for line in code).strip().split("\n"), "```", ""])
            code.clear()

    for line in lines:
        in_list = bool(made) and made[-1].startswith("- ")
        if line.startswith("  ") and not in_list or code and not line:
            code.append(line)
            continue
        end_code()
        # Names of headers that stand below each other are a list too: "result_c.h     status, result, progress"
        line = re.sub(r"^(\S+\.h)  +(?=\S)", r"- `\1`: ", line)
        begins_list = line.startswith("- ")
        goes_on = line and made and made[-1] not in ("", "```") and not begins_list
        if goes_on and not (in_list and not line.startswith("  ")):
            made[-1] += " " + line.strip()
        else:
            if line and made and made[-1] and begins_list != in_list:
                made.append("")
            made.append(line)
    end_code()
    return "\n".join(made).strip()


def split_header(text):
    """Yields ("comment", lines), ("code", text) and ("gap", None) in the order of the header."""
    body = re.sub(r'^#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n', "", text, flags=re.M)
    body = re.sub(r"^/\*[^\n]*NOLINT(BEGIN|END)[^\n]*\*/\n", "", body, flags=re.M)
    body = re.sub(r"^#(?:\\\n|.)*\n", "", body, flags=re.M)
    for block in re.split(r"\n\s*\n(?=\S)", body):
        rest = block.strip("\n")
        while rest:
            comment = re.match(r"/\*.*?\*/\n?", rest, re.S)
            if comment:
                yield "comment", comment_text(comment.group())
                rest = rest[comment.end():]
                continue
            end = re.search(r"^/\*", rest, re.M)
            code = rest[:end.start()] if end else rest
            yield "code", code.strip("\n")
            rest = rest[len(code):]
        yield "gap", None


def read_header(header):
    """(introduction, [(title, text, entries)]) of one header."""
    introduction, sections, pending = None, [("", "", [])], None
    for kind, value in split_header((INCLUDE / header).read_text(encoding="utf-8")):
        if kind == "comment" and introduction is None:
            introduction = paragraphs(value)
        elif kind == "comment" and SECTION.match(value[0]):
            sections.append((SECTION.match(value[0]).group(1), paragraphs(value[1:]), []))
        elif kind == "comment":
            pending = paragraphs(value)
        elif kind == "code":
            entries = sections[-1][2]
            # The function that fills a struct stands with it.
            if pending is None and entries and re.fullmatch(r"SINEW_API void \w+_defaults\([^;]*\);", value):
                entries[-1].code += "\n\n" + value
            else:
                entries.append(Entry(pending or "", value))
            pending = None
    return introduction or "", sections


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def reference():
    body, index = [], []
    for header in (*HEADERS[-1:], *HEADERS[1:-1], *HEADERS[:1]):  # the whole first, real time last
        introduction, sections = read_header(header)
        body += [f"## {header}", introduction]
        for title, text, entries in sections:
            if title:
                body += [f"### {title}", text]
            for entry in entries:
                heading = ", ".join(entry.names)
                if not heading:
                    raise SystemExit(f"{header}: what is declared by '{entry.code}'?")
                body += [f"#### {heading}", entry.text, f"```c\n{entry.plain_code}\n```"]
                index += [(name, anchor(heading)) for name in entry.names]
    links = " · ".join(f"[{name}](#{place})" for name, place in sorted(index))
    head = ["# Reference of the C interface",
            "<!-- made of the headers by bindings/c/reference.py; a test compares the two -->",
            "[Use it from C](../c.md) shows how to begin. This page is what the headers say.", "## Index", links]
    return "\n\n".join(part for part in head + body if part) + "\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
