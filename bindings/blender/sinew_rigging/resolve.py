"""Solve again around painted weights: what an artist painted are constraints, everything around it follows smoothly."""
from __future__ import annotations

import hashlib
from typing import Any, Callable, Iterator, List, Optional, Tuple

import bpy
import numpy as np
from mathutils.kdtree import KDTree

from . import read, rows, write
from .bind import PAINTED, WRITTEN, Skin, painted_vertices
from .library import Problem, sinew
from .settings import method_values
from .task import Task, TaskOperator

_EVERYWHERE = 0.999  # a reach beyond this is all of the mesh

# The last solver and what it was made for: the next solve of the same meshes starts from it and is much quicker.
_kept: Optional[Tuple[bytes, Any]] = None


def forget_solver() -> None:
    global _kept
    _kept = None


def _near(points: np.ndarray, places: np.ndarray, distance: float) -> np.ndarray:
    """(points,) bool: which lie within `distance` of one of the places."""
    tree = KDTree(len(places))
    for index, place in enumerate(places.tolist()):
        tree.insert(place, index)
    tree.balance()
    return np.array([tree.find(point)[2] <= distance for point in points.tolist()], bool)


class ResolveTask(Task):
    title = "Re-solve"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.kind, self.group = settings.painted, settings.painted_group
        self.values = method_values(settings, "biharmonic")
        self.reach, self.most, self.keep_locked = settings.reach, settings.max_influences, settings.keep_locked
        self.skin = Skin(context)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context)
        _, meshes = self.skin.objects()
        names = self.skin.bones.names
        if not any(old.any() for old in self.skin.old):
            raise Problem("There are no weights yet: bind first")
        self.locked = read.locked_bones(meshes, names) & (self.keep_locked or self.kind == "LOCKED")
        self.painted = [painted_vertices(item, old, names) for item, old in zip(meshes, self.skin.old)]
        # A vertex without any weight has nothing to keep.
        self.keep = [self._kept(item, old, painted) & old.any(axis=1)
                     for item, old, painted in zip(meshes, self.skin.old, self.painted)]
        if not any(keep.any() for keep in self.keep):
            raise Problem({"PAINTED": "Nothing was painted since Sinew wrote the weights: paint, or choose what to keep",
                           "SELECTED": "No vertex with weights is selected",
                           "LOCKED": "No locked vertex group has weights",
                           "GROUP": f"The vertex group '{self.group}' is empty or does not exist"}[self.kind])

    def _kept(self, item: Any, old: np.ndarray, painted: np.ndarray) -> np.ndarray:
        if self.kind == "PAINTED":
            return painted
        if self.kind == "SELECTED":
            return read.selected_vertices(item)
        if self.kind == "LOCKED":
            return (old * self.locked).any(axis=1)
        return read.read_rows(item, [self.group])[:, 0] > 0

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character = self.skin.character()
        places = np.concatenate(self.skin.split(character.vertices))
        old, keep = np.concatenate(self.skin.old), np.concatenate(self.keep)
        size = np.linalg.norm(character.vertices.max(axis=0) - character.vertices.min(axis=0))
        near = (np.ones(len(old), bool) if self.reach > _EVERYWHERE else
                _near(places, places[keep], self.reach * float(size)))
        free = near & ~keep
        pinned = ~free & old.any(axis=1)
        solved = self._solve(character, pinned, old, progress)
        new = rows.combined(old, solved, locked=self.locked, chosen=np.ones(old.shape[1], bool), vertices=free,
                            most=self.most)
        self.new = np.split(new, np.cumsum([len(part) for part in self.skin.old])[:-1])
        self.changed = int(free.sum())

    def _solve(self, character: Any, pinned: np.ndarray, old: np.ndarray, progress: Callable) -> np.ndarray:
        safe = self.skin.bones.joint_name
        used = [safe(joint) for joint in np.nonzero(old.any(axis=0))[0]]
        painter = self._painter(character, used, progress)
        # Vertices are counted through all meshes there, with what Mirror modifiers added in between.
        numbers = np.concatenate(self.skin.split(np.arange(len(character.vertices))))
        pins = []
        for vertex in np.nonzero(pinned)[0]:
            joints = np.nonzero(old[vertex])[0]
            pins.append({"vertex": int(numbers[vertex]),
                         "weights": {safe(joint): float(old[vertex, joint]) for joint in joints}})
        painter.pins = {"pins": pins}
        painter.solve(character, progress=progress)
        return np.concatenate(self.skin.split(self.skin.bones.weights_of(character)))

    def _painter(self, character: Any, used: List[str], progress: Callable) -> Any:
        global _kept
        key = hashlib.blake2b(repr((self.most, used, self.values)).encode())
        for array in (character.vertices, character.faces, character.rest):
            key.update(np.ascontiguousarray(array).tobytes())
        if _kept is None or _kept[0] != key.digest():
            _kept = None
            painter = sinew.Painter(character, max_influences=self.most, joints=used, progress=progress, **self.values)
            _kept = (key.digest(), painter)
        return _kept[1]

    def apply(self, context: Any) -> Iterator[None]:
        painted = self.keep if self.kind != "LOCKED" else [before & keep for before, keep in zip(self.painted, self.keep)]
        yield from self.skin.apply(context, self.new, painted)
        self.message = f"{sum(int(k.sum()) for k in self.keep)} vertices kept their weights, {self.changed} followed"


class SINEW_OT_resolve(TaskOperator, bpy.types.Operator):
    """Keep painted weights as they are, and solve for smooth weights around them"""

    bl_idname = "sinew.resolve"
    bl_label = "Re-solve Around Painted"

    def make_task(self, context: Any) -> Task:
        return ResolveTask(context)


class SINEW_OT_select_painted(bpy.types.Operator):
    """Select the vertices that count as painted: their weights changed since Sinew wrote them"""

    bl_idname = "sinew.select_painted"
    bl_label = "Select Painted"
    bl_options = {"UNDO"}

    def execute(self, context: Any) -> set:
        count = 0
        for item, painted in _each_painted(context):
            write.select_vertices(context, item, painted)
            count += int(painted.sum())
        self.report({"INFO"}, f"{count} painted vertices")
        return {"FINISHED"}


class SINEW_OT_forget_painted(bpy.types.Operator):
    """Present weights count as not painted from now on"""

    bl_idname = "sinew.forget_painted"
    bl_label = "Forget Painted"
    bl_options = {"UNDO"}

    def execute(self, context: Any) -> set:
        for item, _ in _each_painted(context):
            names = read.deforming_bones(item.find_armature())
            with write.out_of_edit_mode(context, [item]):
                write.write_integers(item, WRITTEN, rows.fingerprints(read.read_rows(item, names), names))
                write.write_integers(item, PAINTED, np.zeros(len(item.data.vertices), np.int32))
        return {"FINISHED"}


def _each_painted(context: Any) -> Iterator[Tuple[Any, np.ndarray]]:
    armature = read.chosen_armature(context)
    for item in read.chosen_meshes(context, armature):
        if item.find_armature() is not None:
            names = read.deforming_bones(item.find_armature())
            yield item, painted_vertices(item, read.read_rows(item, names), names)


classes = (SINEW_OT_resolve, SINEW_OT_select_painted, SINEW_OT_forget_painted)
