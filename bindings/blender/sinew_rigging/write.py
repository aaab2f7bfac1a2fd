"""Into Blender's data. Main thread only; generators yield so that the window has a turn."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator, Sequence

import bmesh
import bpy
import numpy as np

from .library import Problem


@contextlib.contextmanager
def out_of_edit_mode(context: Any, items: Sequence[Any]) -> Iterator[None]:
    """Weights of objects in Edit Mode can only be written outside it."""
    edited = [item for item in items if item.mode == "EDIT"]
    if edited:
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if edited:
            bpy.ops.object.mode_set(mode="EDIT")


def select_vertices(context: Any, item: Any, chosen: np.ndarray) -> None:
    """These and no others; in Edit Mode and by the paint mask."""
    with out_of_edit_mode(context, [item]):
        item.data.polygons.foreach_set("select", np.zeros(len(item.data.polygons), bool))
        item.data.edges.foreach_set("select", np.zeros(len(item.data.edges), bool))
        item.data.vertices.foreach_set("select", np.ascontiguousarray(chosen, bool))
        item.data.update()


def write_rows(item: Any, names: Sequence[str], old: np.ndarray, new: np.ndarray) -> Iterator[None]:
    """Changes vertex groups from `old` to `new`, (vertices, names). Groups that would be empty are not made."""
    if len(item.data.vertices) != len(new):
        raise Problem(f"'{item.name}' has other vertices than when the work began; nothing was written")
    for column, name in enumerate(names):
        before, after = old[:, column], new[:, column]
        changed = np.nonzero(before != after)[0]
        if not len(changed):
            continue
        group = item.vertex_groups.get(name) or item.vertex_groups.new(name=name)
        gone = changed[after[changed] == 0]
        if len(gone):
            group.remove(gone.tolist())
        kept = changed[after[changed] > 0]
        kept = kept[np.argsort(after[kept], kind="stable")]
        values, first = np.unique(after[kept], return_index=True)
        add = group.add
        for number, (value, vertices) in enumerate(zip(values.tolist(), np.split(kept, first[1:]))):
            add(vertices.tolist(), value, "REPLACE")
            if number % 512 == 511:
                yield
        yield


def attach(item: Any, armature: Any) -> bool:
    """Makes `armature` deform the mesh, as Blender's own "Armature Deform" does. Whether anything had to be done."""
    if item.find_armature() == armature:
        return False
    modifier = item.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    if item.parent is None:
        placed = item.matrix_world.copy()
        item.parent = armature
        item.matrix_parent_inverse = armature.matrix_world.inverted()
        item.matrix_world = placed
    return True


def write_integers(item: Any, name: str, values: np.ndarray) -> None:
    """A named attribute of the mesh, one whole number per vertex."""
    attribute = item.data.attributes.get(name)
    if attribute is not None and (attribute.data_type != "INT" or attribute.domain != "POINT"):
        item.data.attributes.remove(attribute)
        attribute = None
    if attribute is None:
        attribute = item.data.attributes.new(name, "INT", "POINT")
    attribute.data.foreach_set("value", np.ascontiguousarray(values, np.int32))


def read_integers(item: Any, name: str) -> "np.ndarray | None":
    """None where the mesh has no such attribute, or one of another kind."""
    if item.mode == "EDIT":
        vertices = bmesh.from_edit_mesh(item.data).verts
        layer = vertices.layers.int.get(name)
        return None if layer is None else np.array([vertex[layer] for vertex in vertices], np.int32)
    attribute = item.data.attributes.get(name)
    if attribute is None or attribute.data_type != "INT" or attribute.domain != "POINT":
        return None
    values = np.empty(len(item.data.vertices), np.int32)
    attribute.data.foreach_get("value", values)
    return values
