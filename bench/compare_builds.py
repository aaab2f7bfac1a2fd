#!/usr/bin/env python3
"""Whether a build is slower than another one: two `sinew` programs do the same work in turns.

    bench/compare_builds.py OLD/bin/sinew NEW/bin/sinew [--runs N] [--vertices N] [--only TEXT]

Both work on the same built-in characters, which NEW makes. Processor time counts, of the process and its threads, and of
all runs the least: what is above it is other work on the machine. `nice -n -15` helps on a busy one. A command that one of the two does not know is left
out, with a line that says so. Skinning in real time has no command; where bin/bench_skinning stands beside both
programs, it is compared as well.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = {
    "bind proximity": ["bind", "hero.glb", "--method", "proximity", "-o", "out.glb"],
    "bind heat": ["bind", "hero.glb", "--method", "heat", "-o", "out.glb"],
    "bind atlas": ["bind", "hero.glb", "--method", "atlas", "-o", "out.glb"],
    "bind biharmonic": ["bind", "small.glb", "--method", "biharmonic", "-o", "out.glb"],
    "bind skincells": ["bind", "small.glb", "--method", "skincells", "-o", "out.glb"],
    "fit": ["fit", "bare.obj", "-o", "out.glb"],
    "rig, heat": ["rig", "bare.obj", "--motion", "walk.bvh", "--method", "heat", "-o", "out.glb"],
    "retarget": ["retarget", "walk.bvh", "hero.glb", "-o", "out.glb"],
    "GLB in and out": ["convert", "large.glb", "out.glb"],
    "GLB in": ["convert", "large.glb", "out.stl"],
    "lod": ["lod", "hero.glb", "-o", "out.glb", "--levels", "3"],
}


def processor_seconds(program, words):
    """None when the program refuses the words."""
    child = subprocess.Popen([program, *words, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = child.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == 2:
        return None
    if child.returncode != 0:
        sys.exit(f"{program} {' '.join(words)}: {message}")
    return used.ru_utime + used.ru_stime


def make_inputs(program, vertices):
    def run(*words):
        subprocess.run([program, *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    run("make-character", "hero.glb", "--vertices", str(vertices))
    run("make-character", "small.glb", "--vertices", str(min(vertices, 5000)))
    run("make-character", "large.glb", "--vertices", str(10 * vertices))
    run("make-character", "other.glb", "--vertices", "2000", "--seed", "7")
    run("convert", "hero.glb", "bare.obj")
    run("convert", "other.glb", "walk.bvh")


def skinning_seconds(program):
    """Least time per benchmark of bench_skinning, or None where there is none."""
    bench = Path(program).with_name("bench_skinning")
    if not bench.exists():
        return None
    subprocess.run([bench, "--benchmark_out=skinning.json"], check=True, capture_output=True)
    return {entry["name"]: entry["real_time"] for entry in json.loads(Path("skinning.json").read_text())["benchmarks"]}


def in_turns(programs, runs, measure):
    """The least of `runs` measurements of each program; None when one cannot."""
    least = [None, None]
    for _ in range(runs):
        for which, program in enumerate(programs):
            seconds = measure(program)
            if seconds is None:
                return None
            least[which] = seconds if least[which] is None else min(least[which], seconds)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--vertices", type=int, default=25_000)
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    arguments = parser.parse_args()
    programs = [str(Path(program).resolve()) for program in (arguments.old, arguments.new)]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_inputs(programs[1], arguments.vertices)
        print(f"{'':34}{'old s':>10}{'new s':>10}{'new / old':>12}")
        for name, words in CASES.items():
            if arguments.only not in name:
                continue
            least = in_turns(programs, arguments.runs, lambda program: processor_seconds(program, words))
            if least is None:
                print(f"{name:34}  left out: one of the two does not know this command")
            else:
                print(f"{name:34}{least[0]:>10.3f}{least[1]:>10.3f}{least[1] / least[0]:>12.3f}", flush=True)
        if arguments.only not in "skinning":
            return
        tables = [[skinning_seconds(program) for program in programs] for _ in range(arguments.runs)]
        if any(table is None for turn in tables for table in turn):
            print("skinning: bench_skinning does not stand beside both programs")
            return
        for name in tables[0][1]:
            if name in tables[0][0]:
                old, new = (min(turn[which][name] for turn in tables) for which in (0, 1))
                print(f"{name.split('/iterations')[0]:54}{new / old:>12.3f}")


if __name__ == "__main__":
    main()
