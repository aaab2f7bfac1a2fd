"""Binds a character and plots it: a picture of one joint's weights, and how they change along the arm.

    python plot_weights.py FOLDER
"""
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sinew


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    hero = sinew.make_character(vertices=4000)
    joints = ["LeftArm", "LeftForeArm", "LeftHand"]

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    left.imshow(hero.render("weights", joint="LeftForeArm", width=400, height=400, samples=4))
    left.set_axis_off()
    for method, style in (("heat", "-"), ("atlas", "--")):
        hero.bind(method)
        arm = hero.weights[:, [hero.joint(name) for name in joints]].toarray()
        near = arm.sum(axis=1) > 0.5
        order = np.argsort(hero.vertices[near, 0])
        for column, name in enumerate(joints):
            smooth = np.convolve(arm[near, column][order], np.ones(15) / 15, mode="valid")
            right.plot(hero.vertices[near, 0][order][7:-7], smooth, style, color=f"C{column}", label=f"{name}, {method}")
    right.set(xlabel="x in metres, from the shoulder to the hand", ylabel="weight", title="Weights along the left arm")
    right.legend(fontsize=8)
    figure.savefig(folder / "weights.png", dpi=80)
    print("wrote", folder / "weights.png")


if __name__ == "__main__":
    main()
