"""Out of Blender's data into NumPy arrays in character space (spaces.py). Main thread only."""
from __future__ import annotations

import contextlib
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import bpy
import numpy as np

from .library import Problem
from .spaces import moved, rigid, to_character


class Bones(NamedTuple):
    """Bones as joints. The first ``len(names)`` joints are bones, what follows are end markers."""

    armature: str  # name of the object
    names: List[str]  # of the bones, parents first
    joint_names: List[str]  # of all joints, for the library: unique, without what its word lists give a meaning
    parents: np.ndarray
    rest: np.ndarray  # (joints, 4, 4), rigid
    kinds: List[str]

    def give_to(self, character: Any) -> None:
        character.set_skeleton(self.joint_names, self.parents, self.rest, self.kinds)


class Surface(NamedTuple):
    """One mesh object. ``vertices`` may go on behind the object's own ``count``: the other half of a Mirror modifier."""

    name: str
    count: int
    vertices: np.ndarray
    faces: np.ndarray


def character_space(context: Any) -> np.ndarray:
    """World space to character space."""
    units = context.scene.unit_settings
    return to_character(units.scale_length if units.system != "NONE" else 1.0)


def find_object(name: str, kind: str) -> Any:
    """By name, because tasks outlive references."""
    found = bpy.data.objects.get(name)
    if found is None or found.type != kind:
        raise Problem(f"'{name}' is gone")
    return found


# --- which objects ---


def chosen_armature(context: Any) -> Any:
    """The active armature, else a selected one, else that of the active or a selected mesh; None where there is none."""
    objects = [context.object] if context.object else []
    objects += [item for item in context.selected_objects if item is not context.object]
    for item in objects:
        if item.type == "ARMATURE":
            return item
    for item in objects:
        if item.type == "MESH" and item.find_armature():
            return item.find_armature()
    return None


def chosen_meshes(context: Any, armature: Any = None) -> List[Any]:
    """Selected meshes and the active one; else all that `armature` deforms. In order of name."""
    meshes = {item.name: item for item in context.selected_objects if item.type == "MESH"}
    if context.object and context.object.type == "MESH":
        meshes[context.object.name] = context.object
    if not meshes and armature is not None:
        meshes = {item.name: item for item in context.scene.objects
                  if item.type == "MESH" and item.find_armature() == armature}
    return [meshes[name] for name in sorted(meshes)]


# --- bones ---


def ordered_bones(armature: Any) -> List[Any]:
    """Parents before children."""
    result: List[Any] = []
    pending = [bone for bone in reversed(armature.data.bones) if bone.parent is None]
    while pending:
        bone = pending.pop()
        result.append(bone)
        pending += reversed(list(bone.children))
    return result


def deforming_bones(armature: Any) -> List[str]:
    """Names, in the order of read_bones(…, deforming_only=True)."""
    return [bone.name for bone in ordered_bones(armature) if bone.use_deform]


def library_names(names: Sequence[str]) -> List[str]:
    """Names that the library can be given in lists: "," separates, "*" is a wildcard, "-" at the beginning takes away."""
    result: List[str] = []
    used = set()
    for name in names:
        safe = name.replace(",", "_").replace("*", "_")
        safe = "_" + safe[1:] if safe.startswith("-") else safe
        while safe in used:
            safe += "_"
        used.add(safe)
        result.append(safe)
    return result


def read_bones(armature: Any, space: np.ndarray, *, deforming_only: bool) -> Bones:
    """The rest pose.

    Args:
        deforming_only: bones that may take weights, each below the nearest one above it; the last ones of a chain end
            at their tails. Otherwise all bones, as they are.
    """
    bones = [bone for bone in ordered_bones(armature) if bone.use_deform or not deforming_only]
    if not bones:
        raise Problem(f"'{armature.name}' has no bone" + (" that deforms" if deforming_only else ""))
    to_space = space @ np.array(armature.matrix_world)
    index = {bone.name: i for i, bone in enumerate(bones)}
    parents = []
    for bone in bones:
        above = bone.parent
        while above is not None and above.name not in index:
            above = above.parent
        parents.append(-1 if above is None else index[above.name])
    rest = [to_space @ np.array(bone.matrix_local) for bone in bones]
    names = [bone.name for bone in bones]
    joint_names, kinds = list(names), ["joint"] * len(bones)
    with_children = set(parents)
    for i, bone in enumerate(bones):
        if deforming_only and i not in with_children:
            tail = rest[i].copy()
            tail[:3, 3] = moved(to_space, np.array(bone.tail_local)[None])[0]
            rest.append(tail)
            parents.append(i)
            joint_names.append(bone.name + "_End")
            kinds.append("end")
    return Bones(armature.name, names, library_names(joint_names), np.array(parents, np.int32), rigid(np.array(rest)), kinds)


def selected_bones(armature: Any) -> List[str]:
    """Names of the bones that are selected in Pose Mode, Edit Mode or Weight Paint."""
    if armature.mode == "EDIT":
        return [bone.name for bone in armature.data.edit_bones if bone.select]
    # Blender 5 keeps the selection with the pose.
    posed = {bone.name: bone for bone in armature.pose.bones}
    return [bone.name for bone in armature.data.bones
            if getattr(bone if hasattr(bone, "select") else posed[bone.name], "select", False)]


# --- meshes ---


def _positions(vertices: Any) -> np.ndarray:
    flat = np.empty(3 * len(vertices), np.float32)
    vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)


def _triangles(mesh: Any) -> np.ndarray:
    mesh.calc_loop_triangles()
    flat = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", flat)
    return flat.reshape(-1, 3)


def fresh_mesh(item: Any) -> Any:
    """The object's own mesh, with what Edit Mode has changed."""
    if item.mode == "EDIT":
        item.update_from_editmode()
    return item.data


@contextlib.contextmanager
def _only_mirrors(item: Any) -> Iterator[None]:
    hidden = [modifier for modifier in item.modifiers if modifier.type != "MIRROR" and modifier.show_viewport]
    for modifier in hidden:
        modifier.show_viewport = False
    try:
        yield
    finally:
        for modifier in hidden:
            modifier.show_viewport = True


def _in_space(item: Any, positions: np.ndarray, faces: np.ndarray, count: int, space: np.ndarray) -> Surface:
    to_space = space @ np.array(item.matrix_world)
    if np.linalg.det(to_space[:3, :3]) < 0:
        faces = faces[:, ::-1]
    return Surface(item.name, count, moved(to_space, positions.astype(float)).astype(np.float32), faces)


def read_base_surface(item: Any, space: np.ndarray) -> Surface:
    """The object's own vertices alone."""
    mesh = fresh_mesh(item)
    if len(mesh.vertices) == 0:
        raise Problem(f"'{item.name}' has no vertices")
    return _in_space(item, _positions(mesh.vertices), _triangles(mesh), len(mesh.vertices), space)


def mirrors(item: Any) -> bool:
    return any(modifier.type == "MIRROR" and modifier.show_viewport for modifier in item.modifiers)


def read_surface(context: Any, item: Any, space: np.ndarray) -> Surface:
    """The base mesh, because vertex groups belong to its vertices; where a Mirror modifier makes the other half, with that
    half, because half a body hides which side a bone is on."""
    if not mirrors(item):
        return read_base_surface(item, space)
    mesh = fresh_mesh(item)
    positions, count = _positions(mesh.vertices), len(mesh.vertices)
    with _only_mirrors(item):
        evaluated = item.evaluated_get(context.evaluated_depsgraph_get())
        whole = evaluated.to_mesh()
        mirrored, faces = _positions(whole.vertices), _triangles(whole)
        evaluated.to_mesh_clear()
    # The modifier puts its copies behind the originals; bisecting takes originals away.
    if len(mirrored) < count:
        return read_base_surface(item, space)
    return _in_space(item, np.concatenate([positions, mirrored[count:]]), faces, count, space)


def selected_vertices(item: Any) -> np.ndarray:
    """(vertices,) bool: as selected in Edit Mode, or by the paint mask of Weight Paint."""
    vertices = fresh_mesh(item).vertices
    selected = np.empty(len(vertices), bool)
    vertices.foreach_get("select", selected)
    return selected


# --- weights ---


def read_rows(item: Any, names: Sequence[str]) -> np.ndarray:
    """(vertices, names) float32: vertex groups of these names, as they are."""
    column_of: Dict[str, int] = {name: i for i, name in enumerate(names)}
    columns = [column_of.get(group.name, -1) for group in item.vertex_groups]
    vertices = fresh_mesh(item).vertices
    rows = np.zeros((len(vertices), len(names)), np.float32)
    if not columns:
        return rows
    places, joints, values = [], [], []
    for vertex in vertices:
        for element in vertex.groups:
            column = columns[element.group]
            if column >= 0:
                places.append(vertex.index)
                joints.append(column)
                values.append(element.weight)
    rows[places, joints] = values
    return rows


def locked_bones(meshes: Sequence[Any], names: Sequence[str]) -> np.ndarray:
    """(names,) bool: whose vertex group is locked in one of these meshes."""
    locked = {group.name for item in meshes for group in item.vertex_groups if group.lock_weight}
    return np.array([name in locked for name in names], bool)
