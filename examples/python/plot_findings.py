"""Breaks a skin on purpose, checks and repairs it, and plots what was found: pictures of findings, and severities before
and after.

    python plot_findings.py FOLDER
"""
import io
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sinew


def broken_character() -> sinew.Character:
    """A person whose belly follows a hand, and whose head follows a foot in single vertices."""
    hero = sinew.make_character(vertices=4000)
    weights = hero.dense_weights()
    places, joints = hero.vertices, hero.joint_positions
    belly = np.linalg.norm(places - joints[hero.joint("Spine")], axis=1) < 0.2
    head = np.nonzero(hero.dense_weights()[:, hero.joint("Head")] > 0.9)[0][::60]
    for vertices, joint in ((belly, "LeftHand"), (head, "RightFoot")):
        weights[vertices] = 0
        weights[vertices, hero.joint(joint)] = 1
    hero.weights = weights
    return hero


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    hero = broken_character()
    found = hero.check()
    report = hero.fix()
    for repair in report.repairs:
        print(f"{repair.finding.what}: {repair.outcome}")

    figure, axes = plt.subplots(2, 1, figsize=(8, 7), layout="constrained", height_ratios=(2, 1))
    axes[0].imshow(plt.imread(io.BytesIO(found.picture(0, width=800, height=400))))
    axes[0].set_axis_off()
    axes[0].set_title(found.findings[0].what, wrap=True, fontsize=9)
    names = [f"{repair.finding.kind}, {repair.finding.joint}" for repair in report.repairs]
    rows = np.arange(len(names))
    axes[1].barh(rows + 0.2, [repair.finding.severity for repair in report.repairs], 0.4, label="before")
    axes[1].barh(rows - 0.2, [0 if repair.outcome == "repaired" else repair.severity for repair in report.repairs], 0.4,
                 label="after")
    axes[1].set_yticks(rows, names)
    axes[1].invert_yaxis()
    axes[1].set_xlabel("severity: how far skin is off, of the character's size")
    axes[1].legend()
    figure.savefig(folder / "findings.png", dpi=80)
    print("wrote", folder / "findings.png")


if __name__ == "__main__":
    main()
