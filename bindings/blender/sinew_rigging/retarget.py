"""Retarget action: the motions of a file, or the action of another armature, on this armature."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterator, List

import bpy
import numpy as np

from . import action, read
from .library import Problem, sinew
from .spaces import globals_of, locals_of, matrices_of, quaternions_of, rigid
from .task import Task, TaskOperator


class RetargetTask(Task):
    title = "Retarget"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.all = settings.clip_all
        self.choices = {"keep_contacts": settings.keep_contacts, "in_place": settings.in_place,
                        "mirror": settings.clip_mirror, "speed": settings.clip_speed, "begin": settings.clip_begin,
                        "end": settings.clip_end, "scale": settings.clip_scale,
                        "rest": {"AUTO": None, "STORED": "none", "FRAME": settings.clip_rest_frame}[settings.clip_rest]}
        armature = read.chosen_armature(context)
        if armature is None:
            raise Problem("Select the armature that is to move")
        self.armature = armature.name
        self.file = self.source = ""
        if settings.clip_from == "FILE":
            self.file = bpy.path.abspath(settings.clip_file)
            if not os.path.isfile(self.file):
                raise Problem(f"There is no file '{settings.clip_file}'" if settings.clip_file else "Choose a file")
        else:
            source = settings.clip_armature
            if source is None or source == armature:
                raise Problem("Choose another armature, whose action is to be played")
            if source.animation_data is None or source.animation_data.action is None:
                raise Problem(f"'{source.name}' has no action")
            self.source = source.name
        render = context.scene.render
        self.rate = render.fps / render.fps_base

    def gather(self, context: Any) -> Iterator[None]:
        self.space = read.character_space(context)
        armature = read.find_object(self.armature, "ARMATURE")
        self.targets = action.Targets(armature, self.space)
        if self.source:
            yield from self._sample(context, read.find_object(self.source, "ARMATURE"))
        yield

    def _sample(self, context: Any, source: Any) -> Iterator[None]:
        """The evaluated pose at every frame: constraints, drivers and layers count."""
        self.clip_bones = read.read_bones(source, self.space, deforming_only=False)
        played = source.animation_data.action
        first, last = (int(round(frame)) for frame in played.frame_range)
        scene, now = context.scene, context.scene.frame_current
        poses = []
        try:
            for frame in range(first, last + 1):
                scene.frame_set(frame)
                evaluated = source.evaluated_get(context.evaluated_depsgraph_get())
                to_space = self.space @ np.array(evaluated.matrix_world)
                poses.append(to_space @ np.array([evaluated.pose.bones[name].matrix for name in self.clip_bones.names]))
                yield
        finally:
            scene.frame_set(now)
        self.clip_name = played.name
        self.clip_poses = np.array(poses)

    def _clip(self) -> Any:
        if self.file:
            return sinew.load(self.file)
        clip = sinew.Character(name=self.source)
        self.clip_bones.give_to(clip)
        local = locals_of(rigid(self.clip_poses), self.clip_bones.parents)
        clip.add_motion(sinew.Motion(self.clip_name, self.rate, local[..., :3, 3], quaternions_of(local)))
        return clip

    def compute(self, progress: Callable[[float, str], None]) -> None:
        clip = self._clip()
        self.warnings += [str(warning) for warning in clip.warnings]
        if not clip.motions:
            raise Problem(f"'{self.file}' has no motion")
        character = sinew.Character(name=self.armature)
        self.targets.bones.give_to(character)
        report = character.retarget(clip, motions=None if self.all else [0], frames_per_second=self.rate,
                                    progress=progress, **self.choices)
        self.warn(report)
        self.share = report["mapped_share"]
        parents = self.targets.bones.parents
        self.made: List[Any] = []
        for motion in character.motions:
            posed = globals_of(matrices_of(motion.translations, motion.rotations, motion.scales), parents)
            self.made.append((motion.name or "motion", self.targets.channels(posed)))

    def apply(self, context: Any) -> Iterator[None]:
        armature = read.find_object(self.armature, "ARMATURE")
        actions = []
        for name, channels in self.made:
            actions.append((yield from action.write_action(armature, name, channels)))
        frames = max(len(channels.rotations) for _, channels in self.made)
        self.message = f"'{self.armature}' plays '{actions[0].name}': {frames} frames" + (
            f", and {len(actions) - 1} more actions" if len(actions) > 1 else "") + (
            f"; {100 * self.share:.0f} % of the body follows it" if self.share < 1 else "")
        action.play(armature, actions[0])
        context.scene.frame_end = max(context.scene.frame_end, frames)
        yield


class SINEW_OT_retarget(TaskOperator, bpy.types.Operator):
    """Play the motion of a file, or the action of another armature, on this armature"""

    bl_idname = "sinew.retarget"
    bl_label = "Retarget Action"

    def make_task(self, context: Any) -> Task:
        return RetargetTask(context)


classes = (SINEW_OT_retarget,)
