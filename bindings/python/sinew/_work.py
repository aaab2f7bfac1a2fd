"""What can be done to a character: the methods of sinew.Character that do work."""
from __future__ import annotations

import ctypes
import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _declarations as c
from ._arrays import Handle, pointer_to, taken
from ._library import Report, Result, call, call_with_progress, lib, options_struct
from ._options import (Direction, Json, PartRule, bind_options, fit_options, generate_options, given, handle_of,
                       number_of, recognise_options, retarget_options)

if TYPE_CHECKING:
    from .character import Character


class BindReport(Report):
    """The report of :meth:`Character.bind`.

    Attributes:
        field: bytes of a .skincells file, of a method that makes one; otherwise None.
    """

    field: Optional[bytes] = None


class FitReport(Report):
    """The report of :meth:`Character.fit`, :meth:`Character.generate_skeleton` and :meth:`Character.rig`.

    Attributes:
        picture: with ``explain``, a PNG that shows how the mesh was read; otherwise None.
    """

    picture: Optional[bytes] = None


def fit_report(result: Result) -> FitReport:
    report = FitReport(result.report, result.report.warnings)
    report.picture = result.file_called("readings.png")
    return report


class Work:
    """Mixed into :class:`sinew.Character`: methods that do work."""

    def recognise(self, *, up: Optional[Direction] = None, forward: Optional[Direction] = None, cells: int = 96,
                  threads: int = 0, progress: Any = None) -> Report:
        """Looks what the mesh shows.

        Args:
            up, forward: which way is up and which way the body faces: "z", "-y" or a vector; None: found out.
            cells: of the voxel grid along the longest side, 48 … 256.

        Returns:
            ``kind`` ("person", "four legs", "bird", …) and its ``probability``; ``probabilities`` of all kinds; ``up``,
            ``up_probability``, ``forward``, ``forward_probability``; ``mirror_point``, ``symmetry``; of a person also
            ``pose``: ``name`` ("T", "A", "arms down", "other") and ``probability``.
        """
        options = recognise_options(cells=cells, up=up, forward=forward, threads=threads)
        return call_with_progress(lib.sinew_recognise, self._view.number, options, ..., None, progress=progress).report

    def fit(self, source: Union["Character", str, None] = None, *, cells: int = 96, y_is_up: bool = False,
            keep_axes: bool = False, symmetric: bool = True, networks: Union[bool, bytes] = False,
            networks_alone: bool = False, held: Optional[Mapping[int, Sequence[float]]] = None,
            up: Optional[Direction] = None, forward: Optional[Direction] = None, kind: Optional[str] = None,
            least_confidence: Optional[float] = None, explain: bool = False,
            markers: Optional[Mapping[str, Sequence[float]]] = None,
            markers_on_skin: Union[bool, Sequence[str]] = False, ignore: Sequence[str] = (), threads: int = 0,
            progress: Any = None) -> FitReport:
        """Moves a skeleton into the mesh. Weights and motions of the character go.

        Args:
            source: a character whose skeleton to take, or the name of a built-in one: "adult", "mitten" or
                "quadruped". None: the built-in one of a person or a four-legged animal, whichever the mesh shows, or
                for another creature one that is made for it; ``report["skeleton"]`` tells which.
            cells: of the voxel grid along the longest side, 48 … 256; more finds thinner gaps between limbs.
            y_is_up: do not look for another up axis.
            keep_axes: leave a body that stands along another axis as it lies; otherwise it is turned.
            symmetric: mirror left and right joints where the mesh is symmetric.
            networks: trained networks as a second opinion about people: True, or bytes of a .sinewfit file.
            networks_alone: do not read the inside of the mesh.
            held: places of joints that are not looked for: ``{hero.joint("Hips"): (0, 1, 0)}``.
            up, forward: which way is up and which way the body faces: "z", "-y" or a vector; None: found out.
            kind: what the mesh is, "person" or "four-legs"; then an unsure fit only warns. None: judged.
            least_confidence: a fit that is less probably right is refused, 0 … 1; 0 takes any. None: 0.7.
            explain: say how the mesh was read: ``report["readings"]``, the most probable first, and ``report.picture``.
                When the fit is refused, ``error.report["readings"]`` has them.
            markers: places of the body that you point at: ``{"chin": (0, 1.5, 0), "wrist.L": (0.7, 1.4, 0)}``; names are
                those of :func:`sinew.marker_names`, or of joints. Joints stand exactly there, mirrored where the mesh is
                symmetric.
            markers_on_skin: markers, all of them or those with these names, are places on the skin: joints go into the
                middle of the limb behind them.
            ignore: parts that say nothing about the body: names, materials, or "#N" for a piece.

        Returns:
            ``confidence``, the probability that the fit is right; every joint's ``position``, ``confidence`` and
            ``inside``; ``up``, ``forward``, ``symmetry``, ``four_legs``.
        """
        options = fit_options(**given(locals(), "source"))
        from . import builtin_skeleton
        if isinstance(source, str):
            source = builtin_skeleton(source)
        read = handle_of(source)
        with self._changing() as number:
            return fit_report(call_with_progress(lib.sinew_fit, number, number_of(read), options, progress=progress))

    def middle_of_limb(self, on_surface: Sequence[float]) -> Any:
        """(3,) float64: the middle of the limb behind a place ``on_surface``: where a joint belongs that was clicked at."""
        place = taken(list(on_surface), "on_surface", np.float64, (3,))
        middle = (ctypes.c_double * 3)()
        call(lib.sinew_middle_of_limb, self._view.number, pointer_to(place, ctypes.c_double), middle)
        return np.array(middle)

    def generate_skeleton(self, *, density: float = 1.0, max_joints: int = 0, small_parts: bool = True,
                          symmetric: bool = True, up: Direction = "y", forward: Optional[Direction] = None,
                          cells: int = 96, keep_axes: bool = False, ignore: Sequence[str] = (), threads: int = 0,
                          progress: Any = None) -> FitReport:
        """Makes a skeleton from the mesh alone, for any creature. Weights and motions of the character go.

        Args:
            density: joints along limbs, spine and tail over what artists use, 0.25 … 4.
            max_joints: at most so many, 4 … 1000; 0: no limit.
            small_parts: fingers, toes, ears, horns.
            symmetric: mirror left and right where the mesh is symmetric.
            up, forward: "y", "-z" or a vector: legs reach down, the head is in front; None: found from the shape.
            cells: of the voxel grid along the longest side, 48 … 256; more finds thinner limbs.
            keep_axes: leave a creature that stands along another axis as it lies; otherwise it is turned.
            ignore: parts that say nothing about the creature: names, materials, or "#N" for a piece.
        """
        options = generate_options(**given(locals()))
        with self._changing() as number:
            return fit_report(call_with_progress(lib.sinew_generate_skeleton, number, options, progress=progress))

    def bind(self, method: str = "auto", *, max_influences: int = 4, joints: Union[str, Sequence[str]] = "auto",
             seed: int = 1, threads: int = 0, pins: Optional[Json] = None, joint_softness: Optional[Json] = None,
             body: Optional["Character"] = None, poses: Optional["Character"] = None,
             reference: Optional["Character"] = None, networks: Optional[bytes] = None,
             resume: Optional[bytes] = None, save_state: Optional[Callable[[bytes], None]] = None,
             parts: Sequence[Union[PartRule, Tuple]] = (), progress: Any = None, **values: Any) -> BindReport:
        """Computes skin weights for the mesh and its skeleton.

        Args:
            method: "auto", "heat", "atlas", "biharmonic", "skincells" or "proximity"; see :func:`sinew.methods`.
            max_influences: joints per vertex, 1 … 16.
            joints: that take weights: "auto", "all", "weighted", or names; "-Jaw" leaves one out.
            pins: weights that stay as they are, as JSON or what becomes it (biharmonic, skincells).
            joint_softness: ``{"default": 0.5, "LeftForeArm": 0.2}`` (atlas).
            body: a garment stays outside this skinned character (skincells).
            poses: its motions are what the skin is optimised over (skincells).
            reference: its weights are what the field is first fitted to (skincells).
            networks: bytes of a .sinewweights file (auto), see :func:`sinew.train_weights`.
            save_state: called now and then with bytes from which a stopped bind goes on (skincells).
            resume: bytes that save_state was given: goes on from there, to the same bits.
            parts: what you decide about parts of the mesh, a later rule overrules an earlier one:
                ``[("rigid", "Helmet", "Head"), ("attach", "Sword", "RightHand"), ("ignore", "Cape"), ("keep", "Face*")]``.
            values: options of the method: ``hero.bind("atlas", softness=0.3)``.

        Returns:
            ``vertices``, ``joints``, ``mean_influences``, ``seconds`` and more; ``report.field`` of skincells.
        """
        options = bind_options(method, values, max_influences=max_influences, joints=joints, seed=seed, threads=threads,
                               pins=pins, joint_softness=joint_softness, body=body, poses=poses, reference=reference,
                               networks=networks, resume=resume, save_state=save_state, parts=parts)
        with self._changing() as number:
            result = call_with_progress(lib.sinew_bind, number, options, progress=progress, failures=options.failures)
        report = BindReport(result.report, result.report.warnings)
        report.field = result.file_called("field.skincells")
        return report

    def apply_field(self, field: bytes) -> Report:
        """Weights out of a field that ``bind("skincells")`` made, for another mesh, level of detail, garment or cloud
        that lies where the field's mesh lay. The character has a skeleton with the field's joints."""
        with self._changing() as number:
            return call(lib.sinew_apply_field, number, field, len(field)).report

    def use_skeleton(self, source: "Character") -> Report:
        """Takes skeleton and motions of ``source``, another character, where they are. Weights go."""
        read = handle_of(source)
        with self._changing() as number:
            return call(lib.sinew_use_skeleton, number, read.number).report

    def retarget(self, clip: "Character", *, keep_contacts: bool = True, in_place: bool = False, scale: float = 0.0,
                 motions: Optional[Sequence[int]] = None, frames_per_second: float = 0.0, begin: float = 0.0,
                 end: float = 0.0, speed: float = 1.0, mirror: bool = False, keep_motions: bool = False,
                 rest: Union["Character", str, int, None] = None, joint_map: Optional[Json] = None,
                 contact_speed: float = 0.3, contact_height: float = 0.06, contact_shortest: float = 0.06,
                 contact_ground_share: float = 0.05, loop: bool = False, root_motion: bool = False, threads: int = 0,
                 progress: Any = None) -> Report:
        """Plays the motions of another character on this one's skeleton.

        Args:
            clip: a character or skeleton with motions.
            keep_contacts: feet and hands that stand in the clip stand, and hands stay on the own body.
            in_place: leave out the path over the ground.
            scale: of the path; 0: by the lengths of the legs.
            motions: indices of the clip's motions; None: all.
            frames_per_second: 0: the clip's own.
            begin, end: seconds of the clip to take; an end of 0 is its end.
            speed: times as fast.
            mirror: exchange left and right.
            keep_motions: that the character has; otherwise they go.
            rest: the clip's rest pose: that of a character, "none" (as it is stored), or the number of a frame. None or
                "auto": found out.
            joint_map: corrections to the automatic map; see :meth:`joint_map`.
            contact_speed, contact_height: a foot stands that is slower and lower, in leg lengths per second and above
                the ground.
            contact_shortest: seconds that a foot stands at least.
            contact_ground_share: of the frames that are taken to be on the ground, 0 … 1.
            loop: the end eases into the first pose, so that the motion repeats.
            root_motion: path and heading on the first joint or node above the hips.

        Returns:
            ``linked_joints``, ``mapped_share`` of the body, and of each motion how far feet slide and limbs point
            elsewhere (``motions``, ``worst_slide``).
        """
        options = retarget_options(**given(locals(), "clip"))
        read = handle_of(clip)
        with self._changing() as number:
            return call_with_progress(lib.sinew_retarget, number, read.number, options, progress=progress).report

    def joint_map(self, clip: "Character", *, rest: Union["Character", str, int, None] = None,
                  joint_map: Optional[Json] = None) -> Dict[str, Any]:
        """Which joint would follow which of the clip: edit it and give it to :meth:`retarget`.

        Args:
            rest, joint_map: as in :meth:`retarget`.
        """
        return json.loads(self._mapped(clip, rest, joint_map).file())

    def explain_retarget(self, clip: "Character", *, rest: Union["Character", str, int, None] = None,
                         joint_map: Optional[Json] = None) -> Report:
        """What :meth:`retarget` would do, and why, also for a motion that it refuses.

        Args:
            rest, joint_map: as in :meth:`retarget`.

        Returns:
            ``parts`` of the body: each one's ``name``, ``joint``, the joint of the clip that it follows (``source``, None:
            none) and the ``reason`` ("name", "role", "structure", "given", "none"); ``mapped_share`` of the body that
            follows something, ``linked_joints``, and names of joints that follow nothing (``unlinked``).
        """
        return self._mapped(clip, rest, joint_map).report

    def _mapped(self, clip: "Character", rest: Any, joint_map: Optional[Json]) -> Result:
        options = retarget_options(rest=rest, joint_map=joint_map)
        return call(lib.sinew_map_retargeting, self._view.number, clip._view.number, options)

    def rig(self, clip: Optional["Character"] = None, *, skeleton: Optional["Character"] = None, method: str = "auto",
            max_influences: int = 4, in_place: bool = False, motions: Optional[Sequence[int]] = None, cells: int = 96,
            networks: Union[bool, bytes] = False, keep_axes: bool = False, up: Optional[Direction] = None,
            forward: Optional[Direction] = None, kind: Optional[str] = None, least_confidence: Optional[float] = None,
            explain: bool = False, generate: Union[bool, Mapping[str, Any]] = False,
            parts: Sequence[Union[PartRule, Tuple]] = (), markers: Optional[Mapping[str, Sequence[float]]] = None,
            markers_on_skin: Union[bool, Sequence[str]] = False, fit: Optional[Mapping[str, Any]] = None,
            bind: Optional[Mapping[str, Any]] = None, retarget: Optional[Mapping[str, Any]] = None, threads: int = 0,
            progress: Any = None, **values: Any) -> FitReport:
        """From a bare mesh and a clip to a moving character: fit, bind and retarget in one go.

        Args:
            clip: a character or skeleton with motions; None: the character stays at rest.
            skeleton: to fit instead of the clip's own; None without a clip: the one that suits it, as in :meth:`fit`.
            method, values: of the weights, as in :meth:`bind`.
            generate: make a skeleton from the mesh instead of fitting one, as :meth:`generate_skeleton` does: True, or
                its arguments.
            cells, networks, keep_axes, up, forward, kind, least_confidence, explain, markers, markers_on_skin: as in
                :meth:`fit`.
            max_influences, parts: as in :meth:`bind`; what is ignored or attached is not looked at when fitting either.
            in_place, motions: as in :meth:`retarget`.
            fit, bind, retarget: more arguments of these methods: ``fit={"ignore": ["Sword"]}``,
                ``bind={"joints": "all"}``, ``retarget={"speed": 2, "mirror": True}``.
        """
        made = None
        to_fit = dict(cells=cells, networks=networks, keep_axes=keep_axes, up=up, forward=forward, kind=kind,
                      least_confidence=least_confidence, explain=explain, markers=markers,
                      markers_on_skin=markers_on_skin)
        fitted = fit_options(**{**to_fit, **(fit or {})})
        bound = bind_options(method, values, **{**dict(max_influences=max_influences, parts=parts), **(bind or {})})
        moved = retarget_options(**{**dict(in_place=in_place, motions=motions), **(retarget or {})})
        if generate:
            shape = dict(cells=cells, up=up, forward=forward, keep_axes=keep_axes)
            made = generate_options(**{**shape, **(generate if isinstance(generate, Mapping) else {})})
        read, other = handle_of(clip), handle_of(skeleton)
        options = options_struct(c.sinew_rig_options, skeleton=number_of(other), fit=ctypes.pointer(fitted),
                                 bind=ctypes.pointer(bound), retarget=ctypes.pointer(moved), threads=threads,
                                 generate=None if made is None else ctypes.pointer(made))
        with self._changing() as number:
            return fit_report(call_with_progress(lib.sinew_rig, number, number_of(read), options, progress=progress,
                                                 failures=bound.failures))

    def lods(self, levels: int = 4, *, ratio: float = 0.25, vertex_counts: Optional[Sequence[int]] = None,
             weight_importance: float = 0.05, uv_importance: float = 0.25, keep_seams: bool = False,
             progress: Any = None) -> List["Character"]:
        """Levels of detail, finest first. The first one is the character itself.

        Args:
            levels: with the finest.
            ratio: vertices of a level over those of the next finer one.
            vertex_counts: of the coarser levels, descending; replaces levels and ratio.
            weight_importance: cost of an error of 1 in a weight, in bounding diagonals.
            uv_importance: cost of texture that slides over that of the same distance off the surface.
            keep_seams: UV seams and borders keep their shape, even if a level keeps more vertices.
        """
        from .character import Character
        options = options_struct(c.sinew_lod_options, levels=levels, ratio=ratio, weight_importance=weight_importance,
                                 uv_importance=uv_importance, keep_seams=keep_seams)
        if vertex_counts is not None:
            counts = taken(vertex_counts, "vertex_counts", np.uint64, (None,))
            options.coarse_count, options.coarse_vertex_counts = len(counts), pointer_to(counts, ctypes.c_uint64)
            levels = len(counts) + 1
        made, count = (ctypes.c_void_p * max(levels, 1))(), ctypes.c_size_t()
        call_with_progress(lib.sinew_make_lods, self._view.number, options, ..., made, len(made), ctypes.byref(count),
                           progress=progress)
        return [Character._of(Handle(number)) for number in made[:count.value]]

    def simulate(self, folder: Union[str, os.PathLike], *, poses: int = 200, own_motions: bool = True,
                 motions: Optional[Sequence[int]] = None, every: int = 4, run_length: int = 20, step: float = 20.0,
                 cells: int = 15_000, cell_size: float = 0.0, bone_thickness: float = 0.45,
                 volume_stiffness: float = 32.0, contact: bool = True, seed: int = 1, threads: int = 0,
                 progress: Any = None) -> Report:
        """Makes training shapes for correctives by soft-tissue simulation, in a folder. A second call with the same
        arguments continues there; :func:`sinew.train_correctives` learns from them.

        Args:
            poses: along random paths within the joints' ranges.
            own_motions, motions: simulate the character's motions too, all or those with these indices.
            every: of a motion, take every Nth frame.
            run_length: poses that follow one another; what a stop may cost.
            step: degrees a joint turns at most between neighbouring random poses.
            cells: about this many elements.
            cell_size: edge of an element instead; 0: by cells.
            bone_thickness: radius of a bone over its depth under the skin, 0.05 … 0.9.
            volume_stiffness: resistance to change of volume over shear.
            contact: the skin does not pass through itself.
        """
        options = options_struct(c.sinew_simulate_options, poses=poses, own_motions=own_motions, every=every,
                                 run_length=run_length, step=step, cells=cells, cell_size=cell_size,
                                 bone_thickness=bone_thickness, volume_stiffness=volume_stiffness, contact=contact,
                                 seed=seed, threads=threads)
        if motions is not None:
            chosen = taken(motions, "motions", np.int32, (None,))
            options.motion_count, options.motions = len(chosen), pointer_to(chosen, ctypes.c_int32)
        return call_with_progress(lib.sinew_simulate, self._view.number, os.fsencode(folder), options,
                                  progress=progress).report
