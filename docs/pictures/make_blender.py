#!/usr/bin/env python3
"""Crops the window test's pictures for docs/blender.md:
  tests/blender/check_window.sh build out/window && docs/pictures/make_blender.py out/window
"""
import sys
from pathlib import Path

from PIL import Image

source, target = Path(sys.argv[1]), Path(__file__).resolve().parent


def save(picture, name):
    picture.convert("RGB").quantize(256).save(target / name, optimize=True)


def part(name, box):
    return Image.open(source / f"{name}.png").crop(box)


save(part("running", (0, 30, 1320, 1000)).resize((1056, 776), Image.LANCZOS), "blender_running.png")
pair = Image.new("RGB", (2 * 480 + 12, 560), "white")
for column, name in enumerate(("painted", "solved")):
    pair.paste(part(name, (420, 150, 900, 710)), (column * 492, 0))
save(pair, "blender_painted.png")
save(part("findings", (300, 80, 1310, 930)), "blender_findings.png")
