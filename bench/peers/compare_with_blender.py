#!/usr/bin/env python3
"""Sinew's `heat` beside Blender's automatic weights, against the artists' weights of skinned files.

  bench/peers/compare_with_blender.py SINEW BLENDER FILE…       prints a table in Markdown

Both compute weights from the file's mesh and skeleton, at most four influences, and are measured by `sinew evaluate` in the
same poses: the file's own motions, or random ones (20° per joint) where it has none. Blender is told which joints the
artist used; Sinew finds out. Files that Blender fails on (no weights at all) count for Sinew only in the number of
files; the means are over files that both manage.
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "blender_heat.py"


def sinew(program, *arguments):
    result = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    answer = json.loads(result.stdout) if result.stdout.strip() else {}
    return answer if result.returncode == 0 else None


def scores(program, candidate, truth):
    answer = sinew(program, "evaluate", candidate, truth, "--max-influences", "4", "--intersection-poses", "0")
    if answer is None:
        return None
    deformation = answer["deformation"]
    return deformation[deformation["headline"]]


def by_blender(blender, program, file, work):
    if sinew(program, "convert", file, str(work / "in.ply")) is None:
        return None
    target = work / "blender.ply"
    target.unlink(missing_ok=True)
    output = subprocess.run([blender, "--background", "--factory-startup", "--python", str(SCRIPT), "--",
                             str(work / "in.ply"), str(target)], capture_output=True, text=True).stdout
    for line in output.split("\n"):
        if line.startswith("RESULT") and target.exists():
            unweighted = int(line.split("unweighted=")[1])
            return unweighted, scores(program, str(target), file)
    return None


def by_sinew(program, file, work):
    # The artist's weights are not used: `auto` looks at mesh and skeleton only.
    bound = sinew(program, "bind", file, "-o", str(work / "sinew.glb"), "--method", "heat")
    if bound is None:
        return None
    return int(bound["metrics"]["unweighted"]), scores(program, str(work / "sinew.glb"), file)


def cell(result):
    if result is None or result[1] is None:
        return "fails"
    missing = f" ({result[0]})" if result[0] else ""
    return f"{result[1]['ade']:.5f} / {result[1]['mde']:.3f}{missing}"


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def main():
    program, blender, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    ours, theirs = [], []
    print("| file | Sinew heat | Blender automatic weights |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            mine, other = by_sinew(program, file, Path(folder)), by_blender(blender, program, file, Path(folder))
            ours.append(mine)
            theirs.append(other)
            print(f"| {Path(file).stem} | {cell(mine)} | {cell(other)} |", flush=True)
    good = lambda result: result is not None and result[1] is not None and result[1]["ade"] > 0
    both = [(a[1], b[1]) for a, b in zip(ours, theirs) if good(a) and good(b)]
    for name, results, which in (("Sinew heat", ours, 0), ("Blender", theirs, 1)):
        failed = sum(1 for r in results if not good(r))
        partly = sum(1 for r in results if good(r) and r[0] > 0)
        missing = sum(r[0] for r in results if good(r))
        print(f"{name}: geometric mean ADE {mean([pair[which]['ade'] for pair in both]):.5f}, "
              f"MDE {mean([pair[which]['mde'] for pair in both]):.4f} over {len(both)} files; "
              f"{failed} of {len(results)} fail, {partly} with {missing} unweighted vertices")
    closer = sum(1 for a, b in both if a["ade"] < b["ade"])
    print(f"Sinew is closer to the artist on {closer} of {len(both)} files")


main()
