#!/usr/bin/env python3
"""Keeps README and docs/ true: every code block runs, compiles or parses, options and defaults are those of --help,
links lead somewhere, and pages keep to the rules of the house (docs/architecture.md, "Words").

  check_docs.py extract FOLDER                     writes docs_blocks.cpp and docs_blocks.c, which the build compiles
  check_docs.py run SINEW DOCS_BLOCKS FOLDER [PYTHON PACKAGE]   checks everything else; FOLDER is emptied and used for
                                                   work; PYTHON has NumPy, PACKAGE is the folder that holds sinew

A fenced block has a language. What happens to it:
  sh    runs in a folder of its page, after the page's blocks before it, with sinew on the PATH and sample files
  cpp   is compiled; statements also run, in a folder with the sample files
  c     is compiled
  json  is parsed
  python  runs, the blocks of a page one after the other in one session, in the folder of its page
  cmake, text  nothing: consumers in tests/consumer, and output of programs
A comment on the line before the fence changes that:
  <!-- not run: REASON -->   nothing is done (shell commands, or code that needs what is not here)
  <!-- file: NAME -->        the block becomes this file of the page's folder
  <!-- fails: CODE -->       the last command ends with this exit code
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MOST_WORDS = 900
# Pages for contributors may use the project's own words and need no command, picture or limits.
CONTRIBUTOR_PAGES = {"CONTRIBUTING.md", "docs/architecture.md"}
# Lists that nobody reads from top to bottom.
REFERENCE_PAGES = {"docs/README.md", "docs/errors.md", "docs/warnings.md", "docs/formats/viewer-protocol.md",
                   "docs/formats/viewer-packets.md"}
# Made of other files by a program, and compared with them by a test of its own: only links are checked.
GENERATED_PAGES = "docs/reference/"
OWN_WORDS = r"lessons?|rooms?|house|hangs?|hung|settles?|settled"
LANGUAGES = {"sh", "cpp", "c", "json", "python", "cmake", "text"}


class Block:
    def __init__(self, page, line, language, marker, text):
        self.page, self.line, self.language, self.text = page, line, language, text
        kind, _, value = (marker or "").partition(":")
        self.marker, self.value = kind.strip(), value.strip()

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    found = [p for p in (PROJECT / "docs").rglob("*.md")]
    found += [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
    return sorted(name for p in found if not (name := str(p.relative_to(PROJECT))).startswith(GENERATED_PAGES))


def generated_pages():
    return sorted(str(p.relative_to(PROJECT)) for p in (PROJECT / GENERATED_PAGES).rglob("*.md"))


def is_note(page):
    return page.startswith("docs/notes/")


def read(page):
    return (PROJECT / page).read_text(encoding="utf-8")


def blocks_of(page):
    blocks, lines, i = [], read(page).split("\n"), 0
    while i < len(lines):
        fence = re.match(r"^```(\S*)\s*$", lines[i])
        if not fence:
            i += 1
            continue
        comment = re.match(r"^<!-- (.*) -->$", lines[i - 1]) if i else None
        end = i + 1
        while end < len(lines) and lines[end] != "```":
            end += 1
        text = "\n".join(lines[i + 1 : end]) + "\n"
        blocks.append(Block(page, i + 1, fence.group(1), comment.group(1) if comment else None, text))
        i = end + 1
    return blocks


# --- C and C++ -------------------------------------------------------------------------------------------------------

def is_definition(text):
    """Whether the block defines functions instead of being a row of statements."""
    return bool(re.search(r"^(void|int|bool|static|struct|class)\b.*\{$|^ {16,}.*\) \{$", text, re.M))


def split_includes(text):
    lines = text.split("\n")
    includes = [line for line in lines if line.startswith("#include")]
    return includes, "\n".join(line for line in lines if not line.startswith("#include"))


def extract(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    includes, bodies, calls, c_text = [], [], [], []
    for page in pages():
        for number, block in enumerate(blocks_of(page)):
            if block.marker == "not run" or block.language not in ("cpp", "c"):
                continue
            name = re.sub(r"\W", "_", page) + f"_{number}"
            if block.language == "c":
                c_text.append(f'#line {block.line + 1} "{block.page}"\n' + block.text.replace("pose_frame", name))
                continue
            needed, rest = split_includes(block.text)
            includes += [line for line in needed if line not in includes]
            place = f'#line {block.line + 1 + len(needed)} "{block.page}"\n'
            if is_definition(rest):
                bodies.append(f"namespace {name} {{\n{place}{rest}}}\n")
            else:
                bodies.append(f"static void {name}() {{\n{place}{rest}}}\n")
                calls.append(f'    {{"{block.place}", {name}}},\n')
    main = (
        "#include <cstdio>\n#include <exception>\n"
        "int main() {\n  const struct { const char* place; void (*run)(); } blocks[] = {\n" + "".join(calls) + "  };\n"
        "  int failed = 0;\n"
        "  for (const auto& block : blocks) {\n"
        "    try {\n      block.run();\n      std::printf(\"ran %s\\n\", block.place);\n"
        "    } catch (const std::exception& error) {\n"
        "      std::printf(\"FAILED %s: %s\\n\", block.place, error.what());\n      failed = 1;\n    }\n  }\n"
        "  return failed;\n}\n"
    )
    write_if_changed(folder / "docs_blocks.cpp", "\n".join(includes) + "\n\n" + "\n".join(bodies) + "\n" + main)
    write_if_changed(folder / "docs_blocks.c", "\n".join(c_text) + "\ntypedef int not_empty;\n")


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


# --- running ---------------------------------------------------------------------------------------------------------

class Report:
    def __init__(self):
        self.failures, self.counts, self.not_run = [], {}, []

    def fail(self, place, what):
        self.failures.append(f"{place}: {what}")

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1


def make_samples(sinew, folder):
    """What the pages call hero.glb, walk.bvh and so on."""
    folder.mkdir(parents=True)
    for arguments in (
        ["make-character", "hero.glb", "--seed", "3", "--vertices", "2000"],
        ["make-character", "dog.glb", "--kind", "quadruped", "--vertices", "2000"],
        ["convert", "hero.glb", "hero.obj"],
        ["convert", "dog.glb", "dog.obj"],
        ["convert", "hero.glb", "walk.bvh"],
        ["bind", "hero.glb", "-o", "bound.glb"],
    ):
        subprocess.run([sinew, *arguments, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def run_shell(block, folder, environment, report):
    wanted = int(block.value) if block.marker == "fails" else 0
    try:
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], cwd=folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        report.fail(block.place, "still running after two minutes")
        return
    if result.returncode != wanted:
        report.fail(block.place, f"exit code {result.returncode}, expected {wanted}\n{result.stdout.strip()[-800:]}")
    report.count("run")


RUN_PYTHON = """
import json, sys, traceback
names = {"__name__": "__main__"}
for place, text in json.load(sys.stdin):
    try:
        exec(compile(text, place, "exec"), names)
    except BaseException:
        traceback.print_exc()
        sys.exit("in the block at " + place)
"""


def run_python(page, folder, environment, python, report):
    blocks = [block for block in blocks_of(page) if block.language == "python" and block.marker != "not run"]
    if not blocks:
        return
    if python is None or subprocess.run([python[0], "-c", "import numpy, scipy"], stderr=subprocess.DEVNULL).returncode:
        report.count("of Python not run")
        report.not_run.append(f"{page}: NumPy or SciPy is missing; make test installs them")
        return
    result = subprocess.run([python[0], "-c", RUN_PYTHON], cwd=folder, text=True, timeout=120,
                            env=dict(environment, PYTHONPATH=python[1]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            input=json.dumps([(block.place, block.text) for block in blocks]))
    if result.returncode != 0:
        report.fail(page, f"Python fails\n{result.stdout.strip()[-800:]}")
    for _ in blocks:
        report.count("run in Python")


def run_page(page, samples, work, environment, python, report):
    folder = work / re.sub(r"\W", "_", page)
    shutil.copytree(samples, folder)
    for block in blocks_of(page):
        if block.language not in LANGUAGES:
            report.fail(block.place, f"'{block.language}' is not a language this test knows: {', '.join(sorted(LANGUAGES))}")
        elif block.marker == "not run":
            report.count("not run")
            report.not_run.append(f"{block.place}: {block.value}")
            if not block.value:
                report.fail(block.place, "does not say why it is not run")
        elif block.marker not in ("", "file", "fails"):
            report.fail(block.place, f"'{block.marker}' is not a marker this test knows")
        elif block.language == "sh":
            run_shell(block, folder, environment, report)
        elif block.language == "json":
            try:
                json.loads(block.text)
                report.count("parsed")
            except ValueError as error:
                report.fail(block.place, str(error))
        elif block.language in ("cpp", "c"):
            report.count("compiled")
        if block.marker == "file":
            (folder / block.value).write_text(block.text, encoding="utf-8")
    run_python(page, folder, environment, python, report)


def run_blocks(sinew, docs_blocks, work, python, report):
    tools = work / "bin"
    tools.mkdir(parents=True)
    (tools / "sinew").symlink_to(sinew)
    environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", NO_COLOR="1")
    samples = make_samples(sinew, work / "samples")
    compiled = work / "compiled"
    shutil.copytree(samples, compiled)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [pool.submit(run_page, page, samples, work, environment, python, report) for page in pages()]
        for job in jobs:
            job.result()
    result = subprocess.run([docs_blocks], cwd=compiled, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        report.fail("C++ blocks", result.stdout.strip()[-800:])


# --- what pages say --------------------------------------------------------------------------------------------------

def prose(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    return re.sub(r"\]\([^)]*\)", "]", text)


def word_count(text):
    """Words of a page, those in tables too: what holds a letter, outside code blocks, comments and link targets."""
    return sum(1 for word in prose(text).split() if re.search(r"[^\W\d_]", word))


def anchors(text):
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", ""))
        found.add(slug.replace(" ", "-"))
    return found


def check_links(page, report):
    text = re.sub(r"^```.*?^```$", "", read(page), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (PROJECT / page).parent / path if path else PROJECT / page
        if not linked.exists():
            report.fail(page, f"links to {target}, which is not there")
        elif anchor and anchor not in anchors(linked.read_text(encoding="utf-8")):
            report.fail(page, f"links to {target}, but there is no such heading")


def check_words(page, report):
    text = read(page)
    if page.startswith("docs/") and not is_note(page) and page not in REFERENCE_PAGES and word_count(text) > MOST_WORDS:
        report.fail(page, f"{word_count(text)} words; a page has at most {MOST_WORDS} (move lab notes to docs/notes/)")
    if page not in CONTRIBUTOR_PAGES and not is_note(page):
        for match in re.finditer(rf"\b({OWN_WORDS})\b", prose(text), re.I):
            report.fail(page, f"'{match.group(1)}' is a word of our own; say it in words of the field")


def check_finished(page, report):
    for match in re.finditer(r"^[A-Z]{4,}$", prose(read(page)), re.M):
        report.fail(page, f"{match.group()} holds the place of something that was never written")


def check_shape(page, report):
    """A page for users begins with a command or code, and ends with its limits."""
    if page in CONTRIBUTOR_PAGES | REFERENCE_PAGES or is_note(page) or not page.startswith("docs/"):
        return
    text = read(page)
    first_block, first_heading = text.find("\n```"), text.find("\n## ")
    if "formats/" not in page and not 0 < first_block < first_heading:
        report.fail(page, "a page begins with something to copy and paste, before its first heading")
    if re.findall(r"^## (.*)$", text, re.M)[-1:] != ["Limits"]:
        report.fail(page, "the last heading of a page is Limits")


# --- options ---------------------------------------------------------------------------------------------------------

def help_of(sinew, command, known={}):
    if command not in known:
        text = subprocess.run([sinew, *command.split(), "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
        known[command] = {}
        name = None
        for line in text.split("\n"):
            entry = re.match(r"^  (-\S.*?)(  +(.*))?$", line)
            if entry:
                name = re.findall(r"--[\w-]+", entry.group(1))
                for option in name:
                    known[command][option] = entry.group(3) or ""
            elif name and line.startswith(" " * 26):
                for option in name:
                    known[command][option] += " " + line.strip()
            else:
                name = None
    return known[command]


def check_options(page, sinew, report):
    """Tables whose first column is 'option': every option exists, and defaults are those of the program."""
    text = read(page)
    commands = re.findall(r"\bsinew ([a-z][a-z-]+)", text)  # the page's command is the first one it names
    command, header = None, None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if header is None:
            header = cells
            named = re.match(r"option(?: of `([a-z -]+)`)?$", cells[0])
            command = (named.group(1) or (commands[0] if commands else None)) if named else None
            continue
        if command is None:
            continue
        options = help_of(sinew, command)
        names = re.findall(r"`(--[\w-]+)", cells[0])
        for name in names:
            if name not in options:
                report.fail(f"{page}:{number}", f"sinew {command} has no option {name}")
        if len(names) != 1 or header[-1] != "default" or names[0] not in options:
            continue
        value = cells[-1].strip("`")
        if re.match(r"^[\w.-]+$", value) and f"default {value}" not in options[names[0]]:
            if re.match(r"^[\d.]+$", value) or cells[-1].startswith("`"):
                report.fail(f"{page}:{number}", f"the default of {name} is not {value}: {options[names[0]]}")


# --- the rooms -------------------------------------------------------------------------------------------------------

def check_rooms(report):
    """docs/architecture.md has one row per room, in the order of sinew/rooms.txt, with what it uses."""
    wanted = []
    for line in (PROJECT / "sinew/rooms.txt").read_text(encoding="utf-8").split("\n"):
        if re.match(r"^[a-z]", line):
            cells = [cell.strip() for cell in line.split("|")]
            wanted.append((cells[0], " ".join(cells[1].split())))
    rows = re.findall(r"^\| `([a-z_]+)` \| ([a-z_ ]*?) ?\| ", read("docs/architecture.md"), re.M)
    if rows != wanted:
        report.fail("docs/architecture.md", f"its rooms differ from sinew/rooms.txt\n  page {rows}\n  list {wanted}")


# --- the front page --------------------------------------------------------------------------------------------------

def weights_column(table, title):
    """Of one column of the table in docs/benchmarks/weights.md: mean error, characters not wholly bound, seconds."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.strip().split("\n")]
    column = rows[0].index(title)
    cells = [row[column] for row in rows[2:-1]]
    seconds = sum(float(cell.split("/")[2].split("(")[0]) for cell in cells if cell != "FAIL")
    unbound = sum(1 for cell in cells if cell == "FAIL" or "(" in cell)
    return [re.search(r"[0-9.]+", rows[-1][column]).group(), str(unbound), f"{seconds:.2f} s"]


def check_front_page(report):
    """The numbers of README are those of the benchmark's table."""
    table = re.search(r"<!-- characters begin -->(.*?)<!-- characters end -->", read("docs/benchmarks/weights.md"), re.S)
    measured = zip(weights_column(table.group(1), "**sinew auto**"),
                   weights_column(table.group(1), "Blender 3.4 bone heat"))
    shown = re.findall(r"^\| [^|]+ \| \*\*([^*|]+)\*\* \| ([^|]+) \|$", read("README.md"), re.M)
    if shown != list(measured):
        report.fail("README.md", f"shows {shown}, but docs/benchmarks/weights.md has other numbers")


def main():
    if sys.argv[1:2] == ["extract"] and len(sys.argv) == 3:
        extract(sys.argv[2])
        return 0
    if sys.argv[1:2] != ["run"] or len(sys.argv) not in (5, 7):
        print(__doc__)
        return 2
    sinew, docs_blocks, work = str(Path(sys.argv[2]).resolve()), str(Path(sys.argv[3]).resolve()), Path(sys.argv[4])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    report = Report()
    for page in pages():
        check_links(page, report)
        check_words(page, report)
        check_finished(page, report)
        check_shape(page, report)
        check_options(page, sinew, report)
    for page in generated_pages():
        check_links(page, report)
    check_rooms(report)
    check_front_page(report)
    python = (sys.argv[5], str(Path(sys.argv[6]).resolve())) if len(sys.argv) == 7 else None
    run_blocks(sinew, docs_blocks, work.resolve(), python, report)
    for line in sorted(report.not_run):
        print("not run:", line)
    print(", ".join(f"{count} blocks {what}" for what, count in sorted(report.counts.items())))
    for failure in report.failures:
        print("FAILED", failure)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
