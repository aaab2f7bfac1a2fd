"""Shows a finding of a check: its vertices and its bone are selected, and the armature takes the pose where it shows."""
import math
from typing import Any, Dict

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import read, write
from .library import Problem
from .spaces import rigid

# Of the settings: the armature and its pose before the first finding was shown, a matrix of 16 numbers per bone.
_POSE_BEFORE = "pose_before"


def checked_objects(settings: Any) -> Any:
    """(armature, meshes) of the last check. Problem: they are not what was checked."""
    armature = read.find_object(settings.checked_armature, "ARMATURE")
    meshes = []
    for name, count in settings["checked_counts"].items():
        item = read.find_object(name, "MESH")
        if len(read.fresh_mesh(item).vertices) != count:
            raise Problem(f"'{name}' has other vertices than when it was checked: check again")
        meshes.append(item)
    return armature, meshes


def posed_matrix(bone: Any, axis: Any, degrees: float, to_space: np.ndarray) -> Any:
    """What turns a bone about an axis of character space, as its matrix_basis; all other bones at rest."""
    direction = rigid(to_space)[:3, :3].T @ np.array(axis)
    turn = Matrix.Rotation(math.radians(degrees), 4, Vector(direction))
    head = Matrix.Translation(bone.head_local)
    return bone.matrix_local.inverted() @ head @ turn @ head.inverted() @ bone.matrix_local


def keep_pose(settings: Any, armature: Any) -> None:
    """What leave_finding goes back to. The pose of an earlier finding is not worth keeping."""
    if _POSE_BEFORE in settings and settings[_POSE_BEFORE]["armature"] == armature.name:
        return
    bones = {bone.name: [value for row in bone.matrix_basis for value in row] for bone in armature.pose.bones}
    settings[_POSE_BEFORE] = {"armature": armature.name, "bones": bones}


def select_bone(armature: Any, name: str) -> None:
    bones = armature.data.bones
    for bone in bones:
        for thing in (bone, armature.pose.bones[bone.name]):  # Blender 5 keeps the selection with the pose
            if hasattr(thing, "select"):
                thing.select = bone.name == name
    bones.active = bones.get(name)


class SINEW_OT_show_finding(bpy.types.Operator):
    """Select the vertices and the bone of this finding, and take the pose in which it shows most"""

    bl_idname = "sinew.show_finding"
    bl_label = "Show Finding"
    bl_options = {"UNDO", "INTERNAL"}

    index: bpy.props.IntProperty(min=0)

    def execute(self, context: Any) -> set:
        settings = context.scene.sinew
        if self.index >= len(settings.findings):
            self.report({"ERROR"}, "There is no such finding: check again")
            return {"CANCELLED"}
        settings.finding_index = self.index
        try:
            self._show(context, settings.findings[self.index])
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}

    @staticmethod
    def _show(context: Any, finding: Any) -> None:
        settings = context.scene.sinew
        armature, meshes = checked_objects(settings)
        per_mesh: Dict[str, Any] = finding["vertices"].to_dict()
        for item in meshes:
            chosen = np.zeros(len(item.data.vertices), bool)
            chosen[list(per_mesh.get(item.name, []))] = True
            write.select_vertices(context, item, chosen)
            group = item.vertex_groups.get(finding.bone)
            if group is not None:
                item.vertex_groups.active_index = group.index
        if finding.bone:
            select_bone(armature, finding.bone)
        if finding.pose_bone and settings.finding_pose:
            keep_pose(settings, armature)
            armature.data.pose_position = "POSE"
            for bone in armature.pose.bones:
                bone.matrix_basis = Matrix.Identity(4)
            bone = armature.data.bones[finding.pose_bone]
            to_space = read.character_space(context) @ np.array(armature.matrix_world)
            armature.pose.bones[bone.name].matrix_basis = posed_matrix(bone, finding.axis, finding.degrees, to_space)
        context.view_layer.update()


class SINEW_OT_leave_finding(bpy.types.Operator):
    """Back to the pose before findings were shown"""

    bl_idname = "sinew.leave_finding"
    bl_label = "Back to My Pose"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return _POSE_BEFORE in context.scene.sinew

    def execute(self, context: Any) -> set:
        settings = context.scene.sinew
        before = settings[_POSE_BEFORE].to_dict()
        armature = bpy.data.objects.get(before["armature"])
        if armature is not None and armature.type == "ARMATURE":
            for name, numbers in before["bones"].items():
                bone = armature.pose.bones.get(name)
                if bone is not None:
                    bone.matrix_basis = Matrix(np.reshape(list(numbers), (4, 4)).tolist())
        del settings[_POSE_BEFORE]
        context.view_layer.update()
        return {"FINISHED"}


class SINEW_UL_findings(bpy.types.UIList):
    """Worst first. A click on a row shows it."""

    bl_idname = "SINEW_UL_findings"

    def draw_item(self, _context: Any, layout: Any, _data: Any, item: Any, _icon: int, _active: Any, _property: str,
                  index: int = 0) -> None:
        layout.use_property_split = False
        row = layout.row(align=True)
        percent = row.row()
        percent.ui_units_x = 2.4
        percent.label(text=f"{100 * item.severity:.1f} %")
        shown = row.row()
        shown.alignment = "LEFT"
        shown.operator("sinew.show_finding", text=f"{item.kind}: {item.bone or item.what}", emboss=False).index = index


classes = (SINEW_OT_show_finding, SINEW_OT_leave_finding, SINEW_UL_findings)
