"""Check and repair skins: what a lead artist would send back, found by posing the character joint by joint.

    report = hero.check()
    for finding in report.findings:
        print(finding.what, finding.remedy)                      # "the left hand moves 34 vertices of the belly …"
    worst = report.findings[0]
    bent = hero.posed_vertices(report.pose(worst))[worst.vertices]
    report.save_page("check.html")                               # with pictures; opens from disk
    print(hero.fix().repairs)                                    # repairs what it can and nothing else

docs/check.md says what the kinds mean.
"""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import TRANSFORM_DOUBLES, transforms_pointer, view
from ._library import Result, call, call_with_progress, lib, options_struct
from .errors import Warning, no_pickle, wrong_argument
from .motion import Pose

if TYPE_CHECKING:
    from .character import Character


class CheckPose(NamedTuple):
    """One joint turned about one axis; all others as in the bind pose."""

    #: "left elbow bent 90°"
    name: str
    #: Name of the joint that turns.
    joint: str
    #: (3,) unit vector in character space, through the joint.
    axis: np.ndarray
    #: Counter-clockwise, seen against the axis.
    degrees: float
    #: In ``report.poses``.
    index: int


class Finding(NamedTuple):
    """One thing that is wrong with a skin."""

    #: "bleed", "spike", …: see :func:`sinew.finding_kinds`.
    kind: str
    #: Name of the joint whose influence is wrong, or at which it is wrong; None: of no one joint.
    joint: Optional[str]
    #: Name of the part where most of the vertices are; None: the character has no parts.
    part: Optional[str]
    #: (n,) uint32, indices in rising order; all copies of a place.
    vertices: np.ndarray
    #: The pose where it shows most; None: in none.
    pose: Optional[CheckPose]
    #: How far skin is off in that pose, as a share of the character's bounding diagonal.
    severity: float
    #: One sentence: what is wrong and where.
    what: str
    #: One sentence: what to do about it.
    remedy: str

    def __repr__(self) -> str:
        return f"<sinew.Finding {self.kind}, off by {100 * self.severity:.1f} %: {self.what}>"


class Repair(NamedTuple):
    """What :meth:`Character.fix` did about one finding."""

    #: As it was before.
    finding: Finding
    #: "repaired", "improved" or "left-alone".
    outcome: str
    #: Of what is left.
    severity: float
    #: (n,) uint32: whose weights are others now.
    vertices: np.ndarray
    #: One sentence: what was done, or why nothing was.
    how: str

    def __repr__(self) -> str:
        return f"<sinew.Repair {self.outcome}: {self.how}>"


class _ReportHandle:
    """A report of the C interface, destroyed with this object."""

    def __init__(self, number: int, destroy: Any):
        self.number, self._destroy = number, destroy

    def __copy__(self) -> "_ReportHandle":
        return self  # nobody changes a report

    def __deepcopy__(self, _memo: Any) -> "_ReportHandle":
        return self

    def __reduce__(self) -> Any:
        raise no_pickle(self, "send its findings, which are plain tuples with arrays")

    def __del__(self) -> None:
        self._destroy(self.number)


class _Names(NamedTuple):
    """Of the character when it was checked."""

    joints: List[str]
    parts: List[str]

    @staticmethod
    def of(character: "Character") -> "_Names":
        return _Names(character.joint_names, [part.name for part in character.parts])


def _sized(struct_type: type) -> Any:
    return struct_type(struct_size=ctypes.sizeof(struct_type))


def _finding_of(found: Any, handle: Any, names: _Names, poses: Sequence[CheckPose]) -> Finding:
    return Finding(found.kind.decode(), names.joints[found.joint] if found.joint >= 0 else None,
                   names.parts[found.part] if found.part >= 0 else None,
                   view(handle, found.vertices, (found.vertex_count,), "<u4"),
                   poses[found.pose] if found.pose >= 0 else None, found.severity, found.what.decode(),
                   found.remedy.decode())


class CheckReport:
    """What :meth:`Character.check` found. It keeps the character as it was then, also when the character changes.

    Attributes:
        findings: list of :class:`Finding`, worst first.
        poses: list of :class:`CheckPose` in which the character was looked at.
        vertices: how many were looked at.
        sides_compared: whether mesh and skeleton are alike on both sides.
        warnings: what could not be looked at.
    """

    def __init__(self, handle: _ReportHandle, names: _Names, warnings: Sequence[Warning] = ()):
        info = _sized(c.sinew_check_info)
        call(lib.sinew_get_check_info, handle.number, ctypes.byref(info))
        self._handle = handle
        self._joint_count = len(names.joints)
        self.warnings: List[Warning] = list(warnings)
        self.vertices: int = info.vertex_count
        self.sides_compared: bool = bool(info.sides_compared)
        self.poses: List[CheckPose] = [self._pose(index, names) for index in range(info.pose_count)]
        self.findings: List[Finding] = [self._finding(index, names) for index in range(info.finding_count)]

    def _pose(self, index: int, names: _Names) -> CheckPose:
        found = _sized(c.sinew_check_pose)
        call(lib.sinew_get_check_pose, self._handle.number, index, ctypes.byref(found))
        return CheckPose(found.name.decode(), names.joints[found.joint], np.array(found.axis[:]), found.degrees, index)

    def _finding(self, index: int, names: _Names) -> Finding:
        found = _sized(c.sinew_finding)
        call(lib.sinew_get_finding, self._handle.number, index, ctypes.byref(found))
        return _finding_of(found, self._handle, names, self.poses)

    @property
    def metrics(self) -> Dict[str, float]:
        """For quality gates: "findings" and "worst", and how many findings there are of each kind."""
        counts: Dict[str, float] = {kind: 0 for kind in finding_kinds()}
        for finding in self.findings:
            counts[finding.kind] += 1
        return {"findings": len(self.findings), "worst": max((f.severity for f in self.findings), default=0.0), **counts}

    def pose(self, shown: Union[Finding, CheckPose, int]) -> Pose:
        """The pose of the whole skeleton in which a finding shows most, or one of :attr:`poses`.

        Args:
            shown: a finding, a pose of this report, or the index of one.
        """
        if isinstance(shown, Finding):
            if shown.pose is None:
                raise wrong_argument("this finding shows in no pose")
            shown = shown.pose
        index = shown.index if isinstance(shown, CheckPose) else shown
        if index < 0:
            raise wrong_argument(f"poses count from 0, got {index}")
        packed = np.empty((self._joint_count, TRANSFORM_DOUBLES))
        call(lib.sinew_take_check_pose, self._handle.number, index, transforms_pointer(packed), len(packed))
        return Pose._over(packed)

    def picture(self, finding: Union[Finding, int] = 0, *, width: int = 640, height: int = 320, samples: int = 8,
                threads: int = 0, progress: Any = None) -> bytes:
        """A PNG of a finding, in its pose, with its vertices dark red: the character, and beside it the place.

        Args:
            finding: one of this report, or its index.
            width, height: of the picture, in pixels.
            samples: rays per pixel.
        """
        index = self._index(finding)
        options = options_struct(c.sinew_finding_picture_options, width=width, height=height, samples=samples,
                                 threads=threads)
        return call_with_progress(lib.sinew_picture_finding, self._handle.number, index, options,
                                  progress=progress).file()

    def _index(self, finding: Union[Finding, int]) -> int:
        for index, own in enumerate(self.findings):
            if own is finding or index == finding:
                return index
        raise wrong_argument("the report does not have this finding")

    def page(self, *, width: int = 640, height: int = 320, samples: int = 8, threads: int = 0,
             progress: Any = None) -> str:
        """One HTML page with every finding, its picture, pose, severity and remedy. It needs no other file.

        Args:
            width, height, samples: of each :meth:`picture`.
        """
        options = options_struct(c.sinew_finding_picture_options, width=width, height=height, samples=samples,
                                 threads=threads)
        return call_with_progress(lib.sinew_make_check_page, self._handle.number, options,
                                  progress=progress).file().decode()

    def save_page(self, path: Union[str, os.PathLike], *, width: int = 640, height: int = 320, samples: int = 8,
                  threads: int = 0, progress: Any = None) -> None:
        """Writes :meth:`page` to a file.

        Args:
            path: of the file.
            width, height, samples: of each :meth:`picture`.
        """
        text = self.page(width=width, height=height, samples=samples, threads=threads, progress=progress)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __bool__(self) -> bool:
        """A report is always true; ask ``len(report)`` or ``report.findings``."""
        return True

    def __repr__(self) -> str:
        return f"<sinew.CheckReport: {len(self.findings)} findings in {len(self.poses)} poses>"


class FixReport:
    """What :meth:`Character.fix` did.

    Attributes:
        repairs: list of :class:`Repair`, in the order in which they were tried.
        before, after: the checks, as :class:`CheckReport`.
        beyond_weights: what no weights can repair, a sentence each: a joint whose twist pinches the limb.
        warnings: what could not be looked at.
    """

    def __init__(self, handle: _ReportHandle, names: _Names, warnings: Sequence[Warning]):
        before, after = ctypes.c_void_p(), ctypes.c_void_p()
        call(lib.sinew_get_fix_checks, handle.number, ctypes.byref(before), ctypes.byref(after))
        self._handle = handle
        self.warnings: List[Warning] = list(warnings)
        self.before, self.after = (CheckReport(_ReportHandle(made.value, lib.sinew_check_report_destroy), names)
                                   for made in (before, after))
        info = _sized(c.sinew_fix_info)
        call(lib.sinew_get_fix_info, handle.number, ctypes.byref(info))
        self.beyond_weights: List[str] = [line.decode() for line in info.beyond[:info.beyond_count]]
        self.repairs: List[Repair] = [self._repair(index, names) for index in range(info.repair_count)]

    def _repair(self, index: int, names: _Names) -> Repair:
        finding, repair = _sized(c.sinew_finding), _sized(c.sinew_repair)
        call(lib.sinew_get_repair, self._handle.number, index, ctypes.byref(finding), ctypes.byref(repair))
        return Repair(_finding_of(finding, self._handle, names, self.before.poses), repair.outcome.decode(),
                      repair.severity, view(self._handle, repair.vertices, (repair.vertex_count,), "<u4"),
                      repair.how.decode())

    def __repr__(self) -> str:
        return f"<sinew.FixReport: {len(self.before)} findings before, {len(self.after)} after>"


def finding_kinds() -> List[str]:
    """Every kind of finding: "unweighted", "split-seam", "spike", "bleed", …"""
    return call(lib.sinew_list_finding_kinds).report["kinds"]


def _check_options(max_influences: int, tolerance: float, kinds: Union[str, Sequence[str]], threads: int) -> Any:
    texts = [kind.encode() for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return options_struct(c.sinew_check_options, max_influences=max_influences, tolerance=tolerance,
                          kinds=(ctypes.c_char_p * len(texts))(*texts), kind_count=len(texts), threads=threads)


def _check_report(made: ctypes.c_void_p, names: _Names, result: Result) -> CheckReport:
    return CheckReport(_ReportHandle(made.value, lib.sinew_check_report_destroy), names, result.report.warnings)


class Checks:
    """Mixed into :class:`sinew.Character`."""

    def check(self: "Character", *, max_influences: int = 8, tolerance: float = 0.02,
              kinds: Union[str, Sequence[str]] = (), threads: int = 0, progress: Any = None) -> CheckReport:
        """Poses the character through a range of motion and finds what is wrong with its skin. Needs no reference.

        Args:
            max_influences: joints per vertex; more is a finding.
            tolerance: severities below this are not reported, as a share of the bounding diagonal.
            kinds: look for these only, see :func:`sinew.finding_kinds`; none: for all.
        """
        options = _check_options(max_influences, tolerance, kinds, threads)
        made = ctypes.c_void_p()
        names = _Names.of(self)
        result = call_with_progress(lib.sinew_check, self._view.number, options, ..., ctypes.byref(made),
                                    progress=progress)
        return _check_report(made, names, result)

    def fix(self: "Character", *, max_influences: int = 8, tolerance: float = 0.02,
            kinds: Union[str, Sequence[str]] = (), max_repairs: int = 100, threads: int = 0,
            progress: Any = None) -> FixReport:
        """Repairs what :meth:`check` finds, and nothing else. A repair stays when its finding is gone or much smaller and
        nothing else became worse. Only the weights change.

        Args:
            max_influences, tolerance: what counts as a finding.
            kinds: repair these only; none: all.
            max_repairs: findings to try, worst kinds first.
        """
        check = _check_options(max_influences, tolerance, kinds, threads)
        options = options_struct(c.sinew_fix_options, check=ctypes.pointer(check), max_repairs=max_repairs,
                                 threads=threads)
        made = ctypes.c_void_p()
        names = _Names.of(self)
        with self._changing() as number:
            result = call_with_progress(lib.sinew_fix, number, options, ..., ctypes.byref(made), progress=progress)
        return FixReport(_ReportHandle(made.value, lib.sinew_fix_report_destroy), names, result.report.warnings)

    def range_of_motion(self: "Character") -> CheckReport:
        """The poses that :meth:`check` uses, without looking at any skin: each joint as a body moves it, within its
        limits. Needs a skeleton alone."""
        made = ctypes.c_void_p()
        result = call(lib.sinew_range_of_motion, self._view.number, ctypes.byref(made))
        return _check_report(made, _Names.of(self), result)
