"""Parts of a mesh, and names out of a list."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from . import _declarations as c
from .errors import wrong_argument

BINDINGS = ("skinned", "attached", "fixed")


class Part(NamedTuple):
    """A run of vertices and faces: one object or material. ``binding``: "skinned", "attached" (follows one joint rigidly,
    like a sword in a hand) or "fixed"."""

    name: str
    material: str
    vertices: slice
    faces: slice
    binding: str = "fixed"


def index_of(name: str, names: Sequence[str], what: str) -> int:
    if name not in names:
        raise wrong_argument(f"there is no {what} '{name}'", "there are: " + ", ".join(names))
    return names.index(name)


def part_struct(part: Part) -> Any:
    binding = index_of(part.binding, BINDINGS, "part binding")
    return c.sinew_part(part.name.encode(), part.material.encode(), part.vertices.start,
                        part.vertices.stop - part.vertices.start, part.faces.start,
                        part.faces.stop - part.faces.start, binding)
