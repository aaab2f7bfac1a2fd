"""The tab "Sinew" in the sidebar of the 3D view."""
from __future__ import annotations

import textwrap
from typing import Any

import bpy

from . import library, task
from .settings import option_names


class _Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Sinew"

    @classmethod
    def poll(cls, _context: Any) -> bool:
        return library.sinew is not None

    def column(self) -> Any:
        """Labels left of their values, without the dots for key frames: settings are not animated."""
        self.layout.use_property_split, self.layout.use_property_decorate = True, False
        return self.layout.column()


class SINEW_PT_main(bpy.types.Panel):
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Sinew"
    bl_label = "Sinew"

    def draw(self, context: Any) -> None:
        layout = self.layout
        if library.sinew is None:
            column = layout.column()
            column.label(text="Sinew cannot run here", icon="ERROR")
            for line in library.problem.split(". "):
                column.label(text=line)
        elif task.running is not None:
            layout.label(text=f"{task.running.task.title}: {task.running.stage}")
            layout.prop(context.window_manager, "sinew_progress", text="Esc stops it", slider=True)
        else:
            layout.label(text=f"Version {library.sinew.__version__}")


class SINEW_PT_fit(_Panel, bpy.types.Panel):
    bl_label = "Fit Skeleton"
    bl_parent_id = "SINEW_PT_main"

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "fit_source")
        if settings.fit_source == "ARMATURE":
            column.prop(settings, "fit_armature")
        column.prop(settings, "fit_symmetric")
        if settings.fit_source != "GENERATE":
            column.prop(settings, "fit_networks")
            column.prop(settings, "fit_unsure")
        column.operator("sinew.fit", icon="ARMATURE_DATA")


class SINEW_PT_bind(_Panel, bpy.types.Panel):
    bl_label = "Bind"
    bl_parent_id = "SINEW_PT_main"

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "method")
        column.prop(settings, "max_influences")
        column.prop(settings, "bind_bones")
        column.prop(settings, "bind_vertices")
        column.prop(settings, "keep_locked")
        column.operator("sinew.bind", icon="MOD_ARMATURE")


class SINEW_PT_method_options(_Panel, bpy.types.Panel):
    bl_label = "Options of the method"
    bl_parent_id = "SINEW_PT_bind"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        return library.sinew is not None and bool(option_names(context.scene.sinew.method))

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        for name in option_names(settings.method):
            column.prop(settings.options, name)


class SINEW_PT_resolve(_Panel, bpy.types.Panel):
    bl_label = "Painted Weights"
    bl_parent_id = "SINEW_PT_main"

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "painted")
        if settings.painted == "GROUP":
            if context.object is not None and context.object.type == "MESH":
                column.prop_search(settings, "painted_group", context.object, "vertex_groups")
            else:
                column.prop(settings, "painted_group")
        column.prop(settings, "reach")
        column.operator("sinew.resolve", icon="BRUSH_DATA")
        if settings.painted == "PAINTED":
            row = column.row(align=True)
            row.operator("sinew.select_painted")
            row.operator("sinew.forget_painted")


class SINEW_PT_tools(_Panel, bpy.types.Panel):
    bl_label = "Weight Tools"
    bl_parent_id = "SINEW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "tool_vertices")
        column.prop(settings, "keep_locked")
        column.separator()
        column.prop(settings, "mirror_source")
        column.operator("sinew.mirror", icon="MOD_MIRROR")
        column.separator()
        column.prop(settings, "smooth_strength")
        column.prop(settings, "smooth_iterations")
        column.operator("sinew.smooth", icon="MOD_SMOOTH")


class SINEW_PT_transfer(_Panel, bpy.types.Panel):
    bl_label = "Transfer Weights"
    bl_parent_id = "SINEW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "transfer_source")
        column.prop(settings, "transfer_distance")
        column.prop(settings, "transfer_angle")
        column.prop(settings, "transfer_both_sides")
        column.prop(settings, "tool_vertices")
        column.prop(settings, "keep_locked")
        column.operator("sinew.transfer", icon="MOD_DATA_TRANSFER")


class SINEW_PT_check(_Panel, bpy.types.Panel):
    bl_label = "Check and Fix"
    bl_parent_id = "SINEW_PT_main"

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "check_tolerance")
        column.prop(settings, "check_influences")
        row = column.row(align=True)
        row.operator("sinew.check", icon="VIEWZOOM")
        row.operator("sinew.fix", icon="MODIFIER")
        if not settings.checked_armature:
            return
        if not settings.findings:
            column.label(text=f"No findings in '{settings.checked_armature}'", icon="CHECKMARK")
            return
        column.template_list("SINEW_UL_findings", "", settings, "findings", settings, "finding_index", rows=4)
        column.prop(settings, "finding_pose")
        if 0 <= settings.finding_index < len(settings.findings):
            self.draw_finding(context, settings.findings[settings.finding_index])
        column.operator("sinew.leave_finding", icon="LOOP_BACK")

    def draw_finding(self, context: Any, finding: Any) -> None:
        box = self.layout.box().column(align=True)
        letters = max(20, int(context.region.width / context.preferences.system.ui_scale / 7))
        pose = f"Off by {100 * finding.severity:.1f} % of the character's size"
        pose += f" in '{finding.pose_name}'" if finding.pose_name else ""
        for text in (finding.what, pose, finding.remedy):
            for line in textwrap.wrap(text, letters):
                box.label(text=line)


class SINEW_PT_retarget(_Panel, bpy.types.Panel):
    bl_label = "Retarget Action"
    bl_parent_id = "SINEW_PT_main"

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "clip_from")
        if settings.clip_from == "FILE":
            column.prop(settings, "clip_file")
            column.prop(settings, "clip_all")
        else:
            column.prop(settings, "clip_armature")
        column.prop(settings, "keep_contacts")
        column.prop(settings, "in_place")
        column.operator("sinew.retarget", icon="ACTION")


class SINEW_PT_motion_options(_Panel, bpy.types.Panel):
    bl_label = "Options of the motion"
    bl_parent_id = "SINEW_PT_retarget"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        for name in ("clip_begin", "clip_end", "clip_speed", "clip_scale", "clip_mirror", "clip_rest"):
            column.prop(settings, name)
        if settings.clip_rest == "FRAME":
            column.prop(settings, "clip_rest_frame")


class SINEW_PT_correctives(_Panel, bpy.types.Panel):
    bl_label = "Corrective Shape Keys"
    bl_parent_id = "SINEW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        column = self.column()
        column.label(text="Pose joints, select their bones")
        column.prop(context.scene.sinew, "corrective_cells")
        column.operator("sinew.corrective", icon="SHAPEKEY_DATA")


class SINEW_PT_lods(_Panel, bpy.types.Panel):
    bl_label = "Levels of Detail"
    bl_parent_id = "SINEW_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Any) -> None:
        settings, column = context.scene.sinew, self.column()
        column.prop(settings, "lod_levels")
        column.prop(settings, "lod_ratio")
        column.prop(settings, "lod_keep_seams")
        column.operator("sinew.lods", icon="MOD_DECIM")


classes = (SINEW_PT_main, SINEW_PT_fit, SINEW_PT_bind, SINEW_PT_method_options, SINEW_PT_resolve, SINEW_PT_tools,
           SINEW_PT_transfer, SINEW_PT_check, SINEW_PT_retarget, SINEW_PT_motion_options,
           SINEW_PT_correctives, SINEW_PT_lods)
