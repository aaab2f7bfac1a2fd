"""Bind: skin weights for meshes and an armature."""
from __future__ import annotations

from typing import Any, Callable, Iterator, List

import bpy
import numpy as np

from . import read, rows, write
from .library import Problem, sinew
from .settings import method_values
from .task import Task, TaskOperator

# Attributes of bound meshes: what was written to a vertex, to recognise painting, and which vertices were painted.
WRITTEN, PAINTED = "sinew_written", "sinew_painted"


class Skin:
    """Meshes and armature of one bind, as arrays. Keeps names only."""

    def __init__(self, context: Any):
        armature = read.chosen_armature(context)
        if armature is None:
            raise Problem("Select an armature and the meshes that it is to move")
        meshes = read.chosen_meshes(context, armature)
        if not meshes:
            raise Problem(f"Select the meshes that '{armature.name}' is to move")
        self._take(armature, meshes)

    @classmethod
    def of(cls, armature: Any, meshes: List[Any]) -> "Skin":
        """Whatever is selected."""
        skin = cls.__new__(cls)
        skin._take(armature, meshes)
        return skin

    def _take(self, armature: Any, meshes: List[Any]) -> None:
        for item in meshes:
            other = item.find_armature()
            if other not in (None, armature):
                raise Problem(f"'{other.name}' moves '{item.name}' already: remove its Armature modifier, or select "
                              f"'{other.name}' instead of '{armature.name}'")
        self.armature: str = armature.name
        self.meshes: List[str] = [item.name for item in meshes]

    def gather(self, context: Any, *, mirrored: bool = True) -> Iterator[None]:
        """`mirrored`: with what Mirror modifiers add, for which there are no weights."""
        armature, meshes = self.objects()
        space = read.character_space(context)
        self.bones = read.read_bones(armature, space, deforming_only=True)
        self.surfaces, self.old = [], []
        for item in meshes:
            self.surfaces.append(read.read_surface(context, item, space) if mirrored else
                                 read.read_base_surface(item, space))
            yield
            self.old.append(read.read_rows(item, self.bones.names))
            yield

    def objects(self) -> Any:
        return (read.find_object(self.armature, "ARMATURE"), [read.find_object(name, "MESH") for name in self.meshes])

    def character(self) -> Any:
        """All meshes in one character, a part each, with the deforming bones."""
        vertices, faces, parts = [], [], []
        first_vertex = first_face = 0
        for surface in self.surfaces:
            vertices.append(surface.vertices)
            faces.append(surface.faces.astype(np.int64) + first_vertex)
            end_vertex, end_face = first_vertex + len(surface.vertices), first_face + len(surface.faces)
            parts.append(sinew.Part(surface.name, "", slice(first_vertex, end_vertex), slice(first_face, end_face)))
            first_vertex, first_face = end_vertex, end_face
        made = sinew.Character(np.concatenate(vertices), np.concatenate(faces), name=self.armature, parts=parts)
        self.bones.give_to(made)
        return made

    def bound_character(self) -> Any:
        """The same with present weights. For meshes gathered without what modifiers add."""
        if not any(old.any() for old in self.old):
            raise Problem("There are no weights yet: bind first")
        made = self.character()
        self.bones.give_weights(made, rows.normalised(np.concatenate(self.old)))
        return made

    def split(self, whole: np.ndarray) -> List[np.ndarray]:
        """Rows of all vertices of the character, per mesh, without what modifiers added."""
        result, first = [], 0
        for surface in self.surfaces:
            result.append(whole[first:first + surface.count])
            first += len(surface.vertices)
        return result

    def apply(self, context: Any, new: List[np.ndarray], painted: List[np.ndarray]) -> Iterator[None]:
        """Writes weights, and for each mesh which vertices count as painted from now on."""
        armature, meshes = self.objects()
        with write.out_of_edit_mode(context, meshes):
            for item, old, rows_, kept in zip(meshes, self.old, new, painted):
                yield from write.write_rows(item, self.bones.names, old, rows_)
                write.attach(item, armature)
                write.write_integers(item, WRITTEN, rows.fingerprints(rows_, self.bones.names))
                write.write_integers(item, PAINTED, kept)
                item.data.update()
                yield


def painted_vertices(item: Any, old: np.ndarray, names: List[str]) -> np.ndarray:
    """(vertices,) bool: painted since Sinew wrote the weights, now or earlier. None at all on a mesh that it never
    bound."""
    written, before = write.read_integers(item, WRITTEN), write.read_integers(item, PAINTED)
    if written is None:
        return np.zeros(len(old), bool)
    changed = rows.fingerprints(old, names) != written
    return changed if before is None else changed | (before != 0)


class BindTask(Task):
    title = "Bind"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.method, self.values = settings.method, method_values(settings, settings.method)
        self.most = settings.max_influences
        self.keep_locked, self.which_bones = settings.keep_locked, settings.bind_bones
        self.selected_only = settings.bind_vertices == "SELECTED"
        self.skin = Skin(context)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context)
        armature, meshes = self.skin.objects()
        names = self.skin.bones.names
        self.locked = read.locked_bones(meshes, names) & self.keep_locked
        if self.locked.all():
            raise Problem("All vertex groups are locked: unlock those that are to change")
        self.chosen = np.ones(len(names), bool)
        if self.which_bones == "SELECTED":
            selected = set(read.selected_bones(armature))
            self.chosen = np.array([name in selected for name in names], bool)
            if not (self.chosen & ~self.locked).any():
                raise Problem("No deforming bone is selected, or all that are have locked vertex groups")
        self.vertices = [read.selected_vertices(item) if self.selected_only else np.ones(len(item.data.vertices), bool)
                         for item in meshes]
        if not any(vertices.any() for vertices in self.vertices):
            raise Problem("No vertex is selected")

    def _joints(self) -> str:
        """Joints that may take weight, in the library's words."""
        safe = self.skin.bones.joint_name
        # Where some bones have Deform off, an artist has said which bones deform.
        said = "helper" in self.skin.bones.kinds
        words = ["all" if self.which_bones == "ALL" or said else "auto"]
        if self.which_bones == "SELECTED":
            words += [safe(i) for i in np.nonzero(self.chosen & ~self.locked)[0]]
        return ",".join(words + ["-" + safe(i) for i in np.nonzero(self.locked)[0]])

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character = self.skin.character()
        report = character.bind(self.method, max_influences=self.most, joints=self._joints(), progress=progress,
                                **self.values)
        self.warn(report)
        solved = self.skin.split(self.skin.bones.weights_of(character))
        self.new = [rows.combined(old, new, locked=self.locked, chosen=self.chosen, vertices=vertices, most=self.most)
                    for old, new, vertices in zip(self.skin.old, solved, self.vertices)]

    def apply(self, context: Any) -> Iterator[None]:
        _, meshes = self.skin.objects()
        kept = [painted_vertices(item, old, self.skin.bones.names) & ~vertices
                for item, old, vertices in zip(meshes, self.skin.old, self.vertices)]
        yield from self.skin.apply(context, self.new, kept)
        vertices = sum(int(chosen.sum()) for chosen in self.vertices)
        used = int(np.any([(new > 0).any(axis=0) for new in self.new], axis=0).sum())
        self.message = f"Bound {vertices} vertices to {used} bones of '{self.skin.armature}'"


class SINEW_OT_bind(TaskOperator, bpy.types.Operator):
    """Compute skin weights of the selected meshes for the armature, or of all its meshes"""

    bl_idname = "sinew.bind"
    bl_label = "Bind"

    def make_task(self, context: Any) -> Task:
        return BindTask(context)


classes = (SINEW_OT_bind,)
