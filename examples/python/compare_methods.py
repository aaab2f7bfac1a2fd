"""How far is each weight method from the weights that a character came with? A bar chart.

    python compare_methods.py FOLDER
"""
import sys
from pathlib import Path

import matplotlib.pyplot as plt

import sinew


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    truth = sinew.make_character("toon", vertices=2000)
    errors = {}
    for method in ("proximity", "heat", "atlas"):
        mine = truth.copy()
        mine.bind(method)
        errors[method] = mine.evaluate(truth, random_poses=8, poses_per_motion=4, intersection_poses=0)["metrics"]["ade"]
        print(f"{method}: {errors[method]:.5f}")
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.bar(list(errors), list(errors.values()))
    axes.set(ylabel="mean error, of the bounding diagonal", title="Weight methods against the character's own weights")
    figure.savefig(folder / "methods.png", dpi=80)
    print("wrote", folder / "methods.png")


if __name__ == "__main__":
    main()
