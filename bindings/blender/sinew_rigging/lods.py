"""Levels of detail: coarser copies of a mesh, each with a subset of its vertices and all that these have."""
from __future__ import annotations

from typing import Any, Callable, Iterator, List, NamedTuple

import bpy
import numpy as np

from . import read, rows, write
from .library import Problem, sinew
from .task import Task, TaskOperator

_MOST_VERTICES = 1 << 24  # numbers that a float holds exactly


class _Corners(NamedTuple):
    """A mesh as the library wants it: one vertex per place, material and texture coordinate."""

    vertex: np.ndarray  # (n,) of the object, per vertex here
    uv: np.ndarray  # (n, 2)
    material: np.ndarray  # (n,), ascending
    triangles: np.ndarray  # (m, 3), in order of material

    def parts(self) -> List[Any]:
        """One per material."""
        of_triangle = self.material[self.triangles[:, 0]]
        return [sinew.Part(f"material {number}", "", _run(self.material, number), _run(of_triangle, number))
                for number in np.unique(self.material)]


def _run(ascending: np.ndarray, value: int) -> slice:
    return slice(int(np.searchsorted(ascending, value)), int(np.searchsorted(ascending, value, side="right")))


def _read_corners(mesh: Any) -> _Corners:
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    loops, polygons = np.empty(3 * count, np.int32), np.empty(count, np.int32)
    mesh.loop_triangles.foreach_get("loops", loops)
    mesh.loop_triangles.foreach_get("polygon_index", polygons)
    vertex_of = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", vertex_of)
    uv_of = np.zeros(2 * len(mesh.loops), np.float32)
    if mesh.uv_layers.active is not None:
        mesh.uv_layers.active.data.foreach_get("uv", uv_of)
    uv_of = uv_of.reshape(-1, 2)
    material_of = np.empty(len(mesh.polygons), np.int32)
    mesh.polygons.foreach_get("material_index", material_of)

    order = np.argsort(material_of[polygons], kind="stable")
    flat = loops.reshape(-1, 3)[order].ravel()
    materials = np.repeat(material_of[polygons[order]], 3)
    keys = np.stack([materials, vertex_of[flat], *uv_of[flat].view(np.int32).T], axis=1)
    unique, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return _Corners(unique[:, 1], uv_of[flat[first]], unique[:, 0], place.reshape(-1, 3))


class LodTask(Task):
    title = "Levels of detail"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.levels, self.ratio, self.keep_seams = settings.lod_levels, settings.lod_ratio, settings.lod_keep_seams
        meshes = read.chosen_meshes(context)
        if not meshes:
            raise Problem("Select the meshes that coarser levels are for")
        if any(item.mode == "EDIT" for item in meshes):
            raise Problem("Leave Edit Mode first")
        self.meshes = [item.name for item in meshes]

    def gather(self, context: Any) -> Iterator[None]:
        space = read.character_space(context)
        self.inputs = []
        for name in self.meshes:
            item = read.find_object(name, "MESH")
            corners = _read_corners(item.data)
            if not len(corners.triangles):
                raise Problem(f"'{name}' has no faces")
            if len(corners.vertex) > _MOST_VERTICES:
                raise Problem(f"'{name}' has more than {_MOST_VERTICES} vertices")
            surface = read.read_base_surface(item, space)
            armature = item.find_armature()
            bones = read.read_bones(armature, space, deforming_only=True) if armature else None
            weights = read.read_rows(item, bones.names) if bones else None
            self.inputs.append((corners, surface.vertices, bones, weights))
            yield

    def compute(self, progress: Callable[[float, str], None]) -> None:
        self.made: List[List[Any]] = []
        for number, (corners, places, bones, weights) in enumerate(self.inputs):
            def told(fraction: float, stage: str, number: int = number) -> None:
                progress((number + fraction) / len(self.inputs), stage)
            self.made.append(self._levels(corners, places, bones, weights, told))

    def _levels(self, corners: _Corners, places: np.ndarray, bones: Any, weights: Any, told: Callable) -> List[Any]:
        # Colours come back as they are, so they carry the number of each vertex.
        numbers = np.zeros((len(corners.vertex), 4), np.float32)
        numbers[:, 0] = np.arange(len(numbers))
        character = sinew.Character(places[corners.vertex], corners.triangles, uvs=corners.uv, colors=numbers,
                                    parts=corners.parts())
        if bones is not None and weights.any():
            bones.give_to(character)
            character.set_weights(*rows.slots(rows.normalised(weights)[corners.vertex]))
        levels = character.lods(self.levels, ratio=self.ratio, keep_seams=self.keep_seams, progress=told)
        return [(np.rint(level.colors[:, 0]).astype(np.int64), level.faces.astype(np.int64)) for level in levels[1:]]

    def apply(self, context: Any) -> Iterator[None]:
        counts = []
        for name, (corners, _, _, _), levels in zip(self.meshes, self.inputs, self.made):
            item = read.find_object(name, "MESH")
            if len(item.data.vertices) <= int(corners.vertex.max()):
                raise Problem(f"'{name}' has other vertices than when the work began")
            for number, (kept, faces) in enumerate(levels, start=1):
                made = _make_level(item, f"{name}_LOD{number}", corners, kept[faces])
                counts.append(len(made.data.vertices))
                yield
        self.message = f"Made {len(counts)} levels with {', '.join(str(count) for count in counts)} vertices"


def _make_level(item: Any, name: str, corners: _Corners, faces: np.ndarray) -> Any:
    """A copy of the object whose mesh has only `faces`, three of the library's vertices each."""
    own = corners.vertex[faces]
    # Copies of one vertex along a seam are one vertex again; a face between two of them has no area.
    whole = (own[:, 0] != own[:, 1]) & (own[:, 1] != own[:, 2]) & (own[:, 2] != own[:, 0])
    faces, own = faces[whole], own[whole]
    kept, local = np.unique(own, return_inverse=True)
    places = np.empty(3 * len(item.data.vertices), np.float32)
    item.data.vertices.foreach_get("co", places)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places.reshape(-1, 3)[kept].tolist(), [], local.reshape(-1, 3).tolist())
    for material in item.data.materials:
        mesh.materials.append(material)
    mesh.polygons.foreach_set("material_index", corners.material[faces[:, 0]].astype(np.int32))
    smooth = np.empty(len(item.data.polygons), bool)
    item.data.polygons.foreach_get("use_smooth", smooth)
    mesh.polygons.foreach_set("use_smooth", np.full(len(mesh.polygons), smooth.mean() > 0.5))
    if item.data.uv_layers.active is not None:
        layer = mesh.uv_layers.new(name=item.data.uv_layers.active.name)
        layer.data.foreach_set("uv", corners.uv[faces].ravel())
    mesh.update()

    made = item.copy()
    made.name, made.data = name, mesh
    for collection in item.users_collection:
        collection.objects.link(made)
    made.select_set(False)
    names = [group.name for group in item.vertex_groups]
    weights = read.read_rows(item, names)[kept]
    for group in names:
        if group not in made.vertex_groups:
            made.vertex_groups.new(name=group)
    for _ in write.write_rows(made, names, np.zeros_like(weights), weights):
        pass
    return made


class SINEW_OT_lods(TaskOperator, bpy.types.Operator):
    """Make coarser copies of the selected meshes, with their weights, materials and texture coordinates"""

    bl_idname = "sinew.lods"
    bl_label = "Make Levels"

    def make_task(self, context: Any) -> Task:
        return LodTask(context)


classes = (SINEW_OT_lods,)
