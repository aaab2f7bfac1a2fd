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
from ._options import (Direction, Json, PartRule, bind_options, fit_options, generate_options, handle_of, json_text,
                       number_of, recognise_options, retarget_options)

if TYPE_CHECKING:
    from .character import Character


class Evaluation(Report):
    """The report of :meth:`Character.evaluate`.

    Attributes:
        vertex_errors: (n,) float32, mean distance per vertex of the truth; None without a truth.
    """

    vertex_errors: Optional[np.ndarray] = None


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
    report.picture = dict(result.files).get("readings.png")
    return report


class Work:
    """Methods that do work. All long ones take ``progress``: a function of (fraction, stage), a bar like tqdm's, or True
    for a bar on the terminal. What it raises cancels the work and is raised again; so does Ctrl-C. ``threads=0`` means
    all cores; the result has the same bits at any number.
    """

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
            markers: Optional[Mapping[str, Sequence[float]]] = None, markers_on_skin: bool = False,
            ignore: Sequence[str] = (), threads: int = 0, progress: Any = None) -> FitReport:
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
            markers_on_skin: markers are places on the skin: joints go into the middle of the limb behind them.
            ignore: parts that say nothing about the body: names, materials, or "#N" for a piece.

        Returns:
            ``confidence``, the probability that the fit is right; every joint's ``position``, ``confidence`` and
            ``inside``; ``up``, ``forward``, ``symmetry``, ``four_legs``.
        """
        from . import builtin_skeleton
        if isinstance(source, str):
            source = builtin_skeleton(source)
        options = fit_options(cells=cells, y_is_up=y_is_up, keep_axes=keep_axes, symmetric=symmetric, networks=networks,
                              networks_alone=networks_alone, held=held, threads=threads, up=up, forward=forward,
                              kind=kind, least_confidence=least_confidence, explain=explain, markers=markers,
                              markers_on_skin=markers_on_skin, ignore=ignore)
        read = handle_of(source)
        with self._changing() as number:
            return fit_report(call_with_progress(lib.sinew_fit, number, number_of(read), options, progress=progress))

    def middle_of_limb(self, on_surface: Sequence[float]) -> Any:
        """The middle of the limb behind a place on the skin: where a joint belongs that was clicked at."""
        place = taken(list(on_surface), "on_surface", np.float64, (3,))
        middle = (ctypes.c_double * 3)()
        call(lib.sinew_middle_of_limb, self._view.number, pointer_to(place, ctypes.c_double), middle)
        return np.array(middle)

    def generate_skeleton(self, *, density: float = 1.0, max_joints: int = 0, small_parts: bool = True,
                          symmetric: bool = True, up: Direction = "y", forward: Optional[Direction] = None,
                          cells: int = 96, ignore: Sequence[str] = (), threads: int = 0,
                          progress: Any = None) -> FitReport:
        """Makes a skeleton from the mesh alone, for any creature. Weights and motions of the character go.

        Args:
            density: joints along limbs, spine and tail over what artists use, 0.25 … 4.
            max_joints: at most so many, 4 … 1000; 0: no limit.
            small_parts: fingers, toes, ears, horns.
            symmetric: mirror left and right where the mesh is symmetric.
            up, forward: "y", "-z" or a vector: legs reach down, the head is in front; None: found from the shape.
            cells: of the voxel grid along the longest side, 48 … 256; more finds thinner limbs.
            ignore: parts that say nothing about the creature: names, materials, or "#N" for a piece.
        """
        options = generate_options(cells=cells, density=density, max_joints=max_joints, small_parts=small_parts,
                                   symmetric=symmetric, up=up, forward=forward, threads=threads, ignore=ignore)
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
        report.field = result.files[0][1] if result.files else None
        return report

    def apply_field(self, field: bytes) -> Report:
        """Weights out of a field that ``bind("skincells")`` made, for another mesh, level of detail, garment or cloud
        that lies where the field's mesh lay. The character has a skeleton with the field's joints."""
        with self._changing() as number:
            return call(lib.sinew_apply_field, number, field, len(field)).report

    def use_skeleton(self, source: "Character") -> Report:
        """Takes skeleton and motions of another character, where they are. Weights go."""
        read = handle_of(source)
        with self._changing() as number:
            return call(lib.sinew_use_skeleton, number, read.number).report

    def retarget(self, clip: "Character", *, keep_contacts: bool = True, in_place: bool = False, scale: float = 0.0,
                 motions: Optional[Sequence[int]] = None, frames_per_second: float = 0.0, keep_motions: bool = False,
                 rest: Optional["Character"] = None, joint_map: Optional[Json] = None, contact_speed: float = 0.3,
                 contact_height: float = 0.06, contact_shortest: float = 0.06, contact_ground_share: float = 0.05,
                 threads: int = 0, progress: Any = None) -> Report:
        """Plays the motions of another character on this one's skeleton.

        Args:
            clip: a character or skeleton with motions.
            keep_contacts: feet that stand in the clip stand in the result.
            in_place: leave out the path over the ground.
            scale: of the path; 0: by the lengths of the legs.
            motions: indices of the clip's motions; None: all.
            frames_per_second: 0: the clip's own.
            keep_motions: that the character has; otherwise they go.
            rest: whose rest rotations the clip's rest pose has; None: found out.
            joint_map: corrections to the automatic map; see :meth:`joint_map`.
            contact_speed, contact_height: a foot stands that is slower and lower, in leg lengths per second and above
                the ground.
            contact_shortest: seconds that a foot stands at least.
            contact_ground_share: of the frames that are taken to be on the ground, 0 … 1.
        """
        options = retarget_options(keep_contacts=keep_contacts, in_place=in_place, scale=scale, motions=motions,
                                   frames_per_second=frames_per_second, keep_motions=keep_motions, rest=rest,
                                   joint_map=joint_map, contact_speed=contact_speed, contact_height=contact_height,
                                   contact_shortest=contact_shortest, contact_ground_share=contact_ground_share,
                                   threads=threads)
        read = handle_of(clip)
        with self._changing() as number:
            return call_with_progress(lib.sinew_retarget, number, read.number, options, progress=progress).report

    def joint_map(self, clip: "Character") -> Dict[str, Any]:
        """Which joint would follow which of the clip: edit it and give it to :meth:`retarget`."""
        return json.loads(call(lib.sinew_map_retargeting, self._view.number, clip._view.number, None).files[0][1])

    def rig(self, clip: Optional["Character"] = None, *, skeleton: Optional["Character"] = None, method: str = "auto",
            max_influences: int = 4, in_place: bool = False, motions: Optional[Sequence[int]] = None, cells: int = 96,
            networks: Union[bool, bytes] = False, keep_axes: bool = False, up: Optional[Direction] = None,
            forward: Optional[Direction] = None, kind: Optional[str] = None, least_confidence: Optional[float] = None,
            explain: bool = False, generate: bool = False, parts: Sequence[Union[PartRule, Tuple]] = (),
            markers: Optional[Mapping[str, Sequence[float]]] = None, markers_on_skin: bool = False,
            threads: int = 0, progress: Any = None, **values: Any) -> FitReport:
        """From a bare mesh and a clip to a moving character: fit, bind and retarget in one go.

        Args:
            clip: a character or skeleton with motions; None: the character stays at rest.
            skeleton: to fit instead of the clip's own; None without a clip: the one that suits it, as in :meth:`fit`.
            method, values: of the weights, as in :meth:`bind`.
            generate: make a skeleton from the mesh instead of fitting one, as :meth:`generate_skeleton` does.
            cells, networks, keep_axes, up, forward, kind, least_confidence, explain, markers, markers_on_skin: as in
                :meth:`fit`; in_place, motions: as in :meth:`retarget`. For more, call these three one after the other.
            parts: as in :meth:`bind`; what is ignored or attached is not looked at when fitting either.
        """
        fit = fit_options(cells=cells, networks=networks, keep_axes=keep_axes, up=up, forward=forward, kind=kind,
                          least_confidence=least_confidence, explain=explain, markers=markers,
                          markers_on_skin=markers_on_skin)
        bind = bind_options(method, values, max_influences=max_influences, parts=parts)
        made = generate_options(cells=cells, up=up, forward=forward) if generate else None
        retarget = retarget_options(in_place=in_place, motions=motions)
        read, other = handle_of(clip), handle_of(skeleton)
        options = options_struct(c.sinew_rig_options, skeleton=number_of(other), fit=ctypes.pointer(fit),
                                 bind=ctypes.pointer(bind), retarget=ctypes.pointer(retarget), threads=threads,
                                 generate=None if made is None else ctypes.pointer(made))
        with self._changing() as number:
            return fit_report(call_with_progress(lib.sinew_rig, number, number_of(read), options, progress=progress))

    def lods(self, levels: int = 4, *, ratio: float = 0.25, vertex_counts: Optional[Sequence[int]] = None,
             weight_importance: float = 0.05, uv_importance: float = 0.25, keep_seams: bool = False,
             max_error: float = 0.0, whole_pieces: bool = True, progress: Any = None) -> List["Character"]:
        """Levels of detail, finest first. The first one is the character itself.

        Args:
            levels: with the finest.
            ratio: vertices of a level over those of the next finer one.
            vertex_counts: of the coarser levels, descending; replaces levels and ratio.
            weight_importance: cost of an error of 1 in a weight, in bounding diagonals.
            uv_importance: cost of texture that slides over that of the same distance off the surface.
            keep_seams: UV seams and borders keep their shape, even if a level keeps more vertices.
            max_error: the chain ends before a level that is off by more than this share of the bounding diagonal.
            whole_pieces: small pieces keep their shape or go as a whole, never as shards.
        """
        from .character import Character
        options = options_struct(c.sinew_lod_options, levels=levels, ratio=ratio, weight_importance=weight_importance,
                                 uv_importance=uv_importance, keep_seams=keep_seams, max_error=max_error,
                                 whole_pieces=whole_pieces)
        if vertex_counts is not None:
            counts = taken(vertex_counts, "vertex_counts", np.uint64, (None,))
            options.coarse_count, options.coarse_vertex_counts = len(counts), pointer_to(counts, ctypes.c_uint64)
            levels = len(counts) + 1
        made, count = (ctypes.c_void_p * max(levels, 1))(), ctypes.c_size_t()
        call_with_progress(lib.sinew_make_lods, self._view.number, options, ..., made, len(made), ctypes.byref(count),
                           progress=progress)
        return [Character._of(Handle(number)) for number in made[:count.value]]

    def evaluate(self, truth: Optional["Character"] = None, *, max_influences: int = 0, poses_per_motion: int = 24,
                 random_poses: int = 48, normal_degrees: float = 20.0, intersection_poses: int = 24, seed: int = 1,
                 joint_limits: Optional[Json] = None, threads: int = 0, progress: Any = None) -> Evaluation:
        """Measures the skin, alone or against another one (docs/metrics.md).

        Args:
            truth: the same mesh with an artist's weights.
            max_influences: reduce the weights to this many first; 0: as they are.
            poses_per_motion, random_poses, intersection_poses: in how many poses to measure.
            joint_limits: ranges of the random poses; None: by joint role.

        Returns:
            all that was measured; ``report["metrics"]`` has the figures by name, ``report.vertex_errors`` an error per
            vertex of the truth.
        """
        options = options_struct(c.sinew_evaluate_options, max_influences=max_influences,
                                 poses_per_motion=poses_per_motion, random_poses=random_poses,
                                 normal_degrees=normal_degrees, intersection_poses=intersection_poses, seed=seed,
                                 joint_limits=json_text(joint_limits), threads=threads)
        result = call_with_progress(lib.sinew_evaluate, self._view.number, number_of(handle_of(truth)), options,
                                    progress=progress)
        report = Evaluation(result.report, result.report.warnings)
        report.vertex_errors = np.frombuffer(result.values, np.float32) if result.values else None
        return report

    def render(self, mode: str = "shaded", *, joint: Optional[str] = None, view: str = "front", width: int = 800,
               height: int = 800, motion: int = -1, seconds: float = 0.0, dual_quaternions: bool = False,
               skeleton: bool = False, legend: bool = True, samples: int = 16, threads: int = 0,
               progress: Any = None) -> np.ndarray:
        """Draws the character: (height, width, 4) uint8, RGBA, ready for ``plt.imshow``.

        Args:
            mode: "shaded", "weights" (of joint), "dominant", "blended", "influences" or "parts".
            view: "front", "side", "back", "three-quarter", …, or "TURN:HEIGHT" in degrees.
            motion, seconds: the moment of a motion to show; -1: the bind pose.
            skeleton: draw it over the mesh.
            samples: rays per pixel.
        """
        data = self._render("rgba", mode, joint, view, width, height, motion, seconds, dual_quaternions, skeleton,
                            legend, samples, threads, progress)
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def save_picture(self, path: Union[str, os.PathLike], mode: str = "shaded", *, joint: Optional[str] = None,
                     view: str = "front", width: int = 800, height: int = 800, motion: int = -1, seconds: float = 0.0,
                     dual_quaternions: bool = False, skeleton: bool = False, legend: bool = True, samples: int = 16,
                     threads: int = 0, progress: Any = None) -> None:
        """The same as a PNG file."""
        data = self._render("png", mode, joint, view, width, height, motion, seconds, dual_quaternions, skeleton,
                            legend, samples, threads, progress)
        with open(path, "wb") as file:
            file.write(data)

    def _render(self, format, mode, joint, view, width, height, motion, seconds, dual_quaternions, skeleton, legend,
                samples, threads, progress) -> bytes:
        options = options_struct(c.sinew_render_options, format=format, mode=mode, joint=joint, view=view, width=width,
                                 height=height, motion=motion, seconds=seconds, dual_quaternions=dual_quaternions,
                                 skeleton=skeleton, legend=legend, samples=samples, threads=threads)
        return call_with_progress(lib.sinew_render, self._view.number, options, progress=progress).files[0][1]

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
