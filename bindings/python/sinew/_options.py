"""Structs of the C interface out of the arguments of methods."""
from __future__ import annotations

import ctypes
import json
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _declarations as c
from ._arrays import Handle, pointer_to, taken
from ._library import options_struct
from .errors import wrong_argument

if TYPE_CHECKING:
    from .character import Character

Json = Union[str, Mapping[str, Any], Sequence[Any]]
#: A direction: "x", "-z", or three numbers of any length.
Direction = Union[str, Sequence[float]]

_AXES = {sign + axis: tuple(value * (axis == other) for other in "xyz")
         for axis in "xyz" for sign, value in (("", 1.0), ("-", -1.0))}
_RULES = {"rigid": c.SINEW_PART_RIGID, "attach": c.SINEW_PART_ATTACH, "ignore": c.SINEW_PART_IGNORE,
          "keep": c.SINEW_PART_KEEP}


class PartRule(NamedTuple):
    """What you decide about a part of the mesh, for :meth:`Character.bind`."""

    #: "rigid" (all of it follows one joint), "attach" (hung on a joint as a prop is), "ignore" (not bound) or "keep" (the
    #: weights it has stay).
    kind: str
    #: Name of parts or of their material, * stands for any run of characters; or "#N" for the Nth piece, from 1.
    part: str
    #: Of "rigid" and "attach". Without one, a rigid part follows the joint that the method gives most of it.
    joint: Optional[str] = None


def given(arguments: Mapping[str, Any], *others: str) -> dict:
    """The options among the arguments of a method, which begins with ``given(locals(), …)``: what such a method takes
    stands in its signature alone."""
    return {name: value for name, value in arguments.items() if name not in ("self", "progress", *others)}


def json_text(value: Optional[Json]) -> Optional[str]:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def handle_of(character: Optional["Character"]) -> Optional[Handle]:
    """What a call reads. Take it before the call changes another character, which may be the same, and keep it."""
    return None if character is None else character._view


def number_of(handle: Optional[Handle]) -> Optional[int]:
    return None if handle is None else handle.number


def bytes_pointer(data: Optional[bytes]):
    """(pointer, size) for members that take bytes."""
    return (None, None) if data is None else (ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))


def direction(value: Optional[Direction], name: str) -> Any:
    """For members that take a direction; None: zeros, which means that it is looked for."""
    if isinstance(value, str):
        if value not in _AXES:
            raise wrong_argument(f"{name} is '{value}'", "there are: " + ", ".join(_AXES))
        value = _AXES[value]
    return None if value is None else (ctypes.c_double * 3)(*taken(value, name, np.float64, (3,)))


def part_rules(rules: Sequence[Union[PartRule, Tuple]]) -> Any:
    """A C array of rules, or None. Keep it during the call."""
    structs = []
    for rule in (PartRule(*given) for given in rules):
        if rule.kind not in _RULES:
            raise wrong_argument(f"there is no rule '{rule.kind}' for parts", "there are: " + ", ".join(_RULES))
        structs.append(c.sinew_part_rule(rule.part.encode(), None if rule.joint is None else rule.joint.encode(),
                                         _RULES[rule.kind]))
    return (c.sinew_part_rule * len(structs))(*structs) if structs else None


def _value_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _state_saver(save_state: Callable[[bytes], None], failures: List[BaseException]) -> Any:
    def saved(_user, state, size) -> None:
        try:
            save_state(ctypes.string_at(state, size))
        except BaseException as raised:  # ctypes would lose it
            failures.append(raised)

    return dict(c.sinew_bind_options._fields_)["save_state"](saved)


def bind_options(method: str, values: Mapping[str, Any], *, max_influences=None, joints=None, seed=None, threads=None,
                 pins=None, joint_softness=None, body=None, poses=None, reference=None, networks=None, resume=None,
                 save_state=None, parts=()) -> Any:
    """The C struct for what :meth:`Character.bind` takes. ``options.failures``: what save_state raised."""
    if joints is not None and not isinstance(joints, str):
        joints = ",".join(joints)
    texts = [f"{name.replace('_', '-')}={_value_text(value)}".encode() for name, value in values.items()]
    network_bytes, network_size = bytes_pointer(networks)
    resume_bytes, resume_size = bytes_pointer(resume)
    failures: List[BaseException] = []
    saver = None if save_state is None else _state_saver(save_state, failures)
    body, poses, reference = handle_of(body), handle_of(poses), handle_of(reference)
    rules = part_rules(parts)
    options = options_struct(
        c.sinew_bind_options, method=method, values=(ctypes.c_char_p * len(texts))(*texts), value_count=len(texts),
        max_influences=max_influences, joints=joints, seed=seed, threads=threads, pins=json_text(pins),
        joint_softness=json_text(joint_softness), body=number_of(body), poses=number_of(poses),
        reference=number_of(reference), networks=network_bytes, networks_size=network_size, resume=resume_bytes,
        resume_size=resume_size, save_state=saver, parts=rules, part_count=0 if rules is None else len(rules))
    options.kept += [body, poses, reference, networks, resume]
    options.failures = failures
    return options


def fit_options(*, cells=None, y_is_up=None, keep_axes=None, symmetric=None, networks=None, networks_alone=None,
                held=None, threads=None, up=None, forward=None, kind=None, least_confidence=None, explain=None,
                markers=None, markers_on_skin=False, ignore=()) -> Any:
    model, size = bytes_pointer(networks if isinstance(networks, bytes) else None)
    options = options_struct(c.sinew_fit_options, cells=cells, y_is_up=y_is_up, keep_axes=keep_axes,
                             symmetric=symmetric, use_networks=bool(networks) or None, networks_alone=networks_alone,
                             networks=model, networks_size=size, threads=threads, up=direction(up, "up"),
                             forward=direction(forward, "forward"), kind=kind, least_confidence=least_confidence,
                             explain=explain)
    if held:
        joints = taken(list(held.keys()), "held", np.int32, (len(held),))
        positions = taken(list(held.values()), "held", np.float64, (len(held), 3))
        options.held_count = len(held)
        options.held_joints = pointer_to(joints, ctypes.c_int32)
        options.held_positions = pointer_to(positions, ctypes.c_double)
        options.kept += [joints, positions, networks]
    if markers:
        names = text_array(markers.keys())
        places = taken(list(markers.values()), "markers", np.float64, (len(markers), 3))
        on_skin = (ctypes.c_uint8 * len(markers))(*on_skin_of(markers, markers_on_skin))
        options.marker_count, options.marker_names = len(markers), names
        options.marker_positions, options.marker_on_skin = pointer_to(places, ctypes.c_double), on_skin
        options.kept += [names, places, on_skin]
    return with_ignored(options, ignore)


def on_skin_of(markers: Mapping[str, Any], chosen: Union[bool, str, Sequence[str]]) -> List[int]:
    if not isinstance(chosen, (str, list, tuple, set, frozenset)):
        return [int(bool(chosen))] * len(markers)
    names = {chosen} if isinstance(chosen, str) else set(chosen)
    if not names <= set(markers):
        raise wrong_argument(f"markers_on_skin names no marker: {', '.join(sorted(names - set(markers)))}")
    return [int(name in names) for name in markers]


def save_options(*, vrm_authors: Sequence[str] = (), **values: Any) -> Any:
    if isinstance(vrm_authors, str):
        vrm_authors = (vrm_authors,)
    options = options_struct(c.sinew_save_options, **values)
    if vrm_authors:
        options.vrm_author_count, options.vrm_authors = len(vrm_authors), text_array(vrm_authors)
        options.kept.append(options.vrm_authors)
    return options


def text_array(texts: Any) -> Any:
    encoded = [str(text).encode() for text in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def with_ignored(options: Any, ignore: Sequence[str]) -> Any:
    if isinstance(ignore, str):
        ignore = (ignore,)
    if ignore:
        options.ignore_count, options.ignore = len(ignore), text_array(ignore)
        options.kept.append(options.ignore)
    return options


def recognise_options(*, cells=None, up=None, forward=None, threads=None) -> Any:
    return options_struct(c.sinew_recognise_options, cells=cells, up=direction(up, "up"),
                          forward=direction(forward, "forward"), threads=threads)


def generate_options(*, up=None, forward=None, ignore=(), **plain) -> Any:
    options = options_struct(c.sinew_generate_options, up=direction(up, "up"), forward=direction(forward, "forward"),
                             **plain)
    return with_ignored(options, ignore)


def retarget_options(*, motions=None, rest=None, joint_map=None, **plain) -> Any:
    """`rest`: a character, "auto", "none" or the number of a frame."""
    shown = rest if hasattr(rest, "_view") else None
    if shown is None and rest is not None and not isinstance(rest, str):
        plain["rest_frame"], rest = rest, "frame"
    read = handle_of(shown)
    options = options_struct(c.sinew_retarget_options, rest=number_of(read), joint_map=json_text(joint_map),
                             rest_pose=rest if shown is None else None, **plain)
    options.kept.append(read)
    if motions is not None:
        chosen = taken(motions, "motions", np.int32, (None,))
        options.motion_count, options.motions = len(chosen), pointer_to(chosen, ctypes.c_int32)
        options.kept.append(chosen)
    return options
