"""What the panel shows and operators read: scene.sinew. The weight methods and their options come from the library."""

import math
from typing import Any, Dict, List

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty,
                       PointerProperty, StringProperty)

from . import library

_WIDE = 1e9  # the library says "no limit" with larger numbers


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()


def _option_property(option: Dict[str, Any]) -> Any:
    """The property for one option of a weight method, by the type of its default."""
    words = dict(name=_title(option["name"]), description=option["help"])
    default = option["default"]
    low, high = option.get("minimum", -_WIDE), option.get("maximum", _WIDE)
    if isinstance(default, bool):
        return BoolProperty(default=default, **words)
    if isinstance(default, int):
        return IntProperty(default=default, min=int(max(low, -_WIDE)), max=int(min(high, _WIDE)), **words)
    if isinstance(default, float):
        return FloatProperty(default=default, min=max(low, -_WIDE), max=min(high, _WIDE), precision=3, **words)
    if option.get("choices"):
        return EnumProperty(items=[(choice, _title(choice), "") for choice in option["choices"]], default=default, **words)
    return StringProperty(default=default, **words)


def _method_options() -> type:
    """One property per method and option, named METHOD__OPTION."""
    annotations = {f"{method['name']}__{option['name'].replace('-', '_')}": _option_property(option)
                   for method in library.methods() for option in method["options"]}
    return type("SinewMethodOptions", (bpy.types.PropertyGroup,), {"__annotations__": annotations})


SinewMethodOptions = _method_options()
_METHODS = [(method["name"], _title(method["name"]), method["summary"]) for method in library.methods()] or [
    ("auto", "Auto", "")]


class SinewFinding(bpy.types.PropertyGroup):
    """One thing that a check found. Its vertices are a custom property: a list of numbers per mesh."""

    kind: StringProperty()
    what: StringProperty()
    remedy: StringProperty()
    severity: FloatProperty()
    bone: StringProperty()  # "": of no one bone
    pose_name: StringProperty()
    pose_bone: StringProperty()  # "": shows in no pose
    axis: FloatVectorProperty(size=3)  # of character space
    degrees: FloatProperty()


class SinewSettings(bpy.types.PropertyGroup):
    # fit
    # Files keep the number of a choice: new ones get new numbers, wherever they stand.
    fit_source: EnumProperty(name="Skeleton", default="AUTO", items=[
        ("AUTO", "Automatic", "The built-in skeleton that suits what the mesh shows, or one made for it", 5),
        ("adult", "Person", "A built-in skeleton of a person with fingers", 0),
        ("mitten", "Person, one finger", "A built-in skeleton of a person whose fingers move as one", 1),
        ("quadruped", "Four legs", "A built-in skeleton of a four-legged animal", 2),
        ("GENERATE", "Made for the mesh", "A new skeleton from the shape of the mesh alone, for any creature", 3),
        ("ARMATURE", "This armature", "Move the bones of an armature of the scene into the mesh", 4)])
    fit_armature: PointerProperty(name="Armature", type=bpy.types.Object, poll=lambda _, item: item.type == "ARMATURE",
                                  description="Whose bones are moved into the mesh")
    fit_symmetric: BoolProperty(name="Symmetric", default=True,
                                description="Mirror left and right bones where the mesh is symmetric")
    fit_networks: BoolProperty(name="Networks", default=False,
                               description="Trained networks as a second opinion about people")
    fit_unsure: BoolProperty(name="Accept unsure", default=False,
                             description="Keep a fit that is probably wrong; otherwise it is refused")

    # bind
    method: EnumProperty(name="Method", items=_METHODS)
    options: PointerProperty(type=SinewMethodOptions)
    max_influences: IntProperty(name="Influences", default=4, min=1, max=16,
                                description="Most bones that move one vertex")
    keep_locked: BoolProperty(name="Keep locked", default=True,
                              description="Locked vertex groups keep their weights exactly; the others share the rest")
    bind_bones: EnumProperty(name="Bones", items=[
        ("AUTO", "Automatic", "Every bone that has Deform turned on; where all have, only those that drive skin: not "
                              "controls, roots on the floor, or bones outside the mesh"),
        ("ALL", "All deforming", "Every bone that has Deform turned on"),
        ("SELECTED", "Selected", "Only selected bones get new weights; the others keep theirs relative to each other")])
    bind_vertices: EnumProperty(name="Vertices", items=[
        ("ALL", "All", "Every vertex gets new weights"),
        ("SELECTED", "Selected", "Only vertices selected in Edit Mode, or by the paint mask, get new weights")])

    # solve again
    painted: EnumProperty(name="Keep", items=[
        ("PAINTED", "What I painted", "Vertices whose weights changed since Sinew last wrote them"),
        ("SELECTED", "Selected vertices", "Selected in Edit Mode, or by the paint mask of Weight Paint"),
        ("LOCKED", "Locked groups", "Vertices that a locked vertex group moves"),
        ("GROUP", "Vertex group", "Vertices of one vertex group")])
    painted_group: StringProperty(name="Group", description="Vertices in this group keep their weights")
    reach: FloatProperty(name="Reach", default=0.15, min=0.01, max=1.0, subtype="FACTOR",
                         description="How far weights change around what is kept, over the size of the mesh; 1 is everywhere")

    # tools
    tool_vertices: EnumProperty(name="Vertices", items=[
        ("ALL", "All", "Every vertex may change"),
        ("SELECTED", "Selected", "Only vertices selected in Edit Mode, or by the paint mask, change")])
    mirror_source: EnumProperty(name="Take from", items=[
        ("left", "Left side", "The character's left side is the model for its right side"),
        ("right", "Right side", "The character's right side is the model for its left side")])
    smooth_strength: FloatProperty(name="Strength", default=0.5, min=0.0, max=1.0, subtype="FACTOR",
                                   description="How far a weight goes to the mean around it, each time")
    smooth_iterations: IntProperty(name="Times", default=5, min=1, max=1000)
    transfer_source: PointerProperty(name="From", type=bpy.types.Object, poll=lambda _, item: item.type == "MESH",
                                     description="The mesh whose weights are taken: the body under a garment, another "
                                                 "level of detail")
    transfer_distance: FloatProperty(name="Distance", default=0.05, min=0.0, max=10.0, precision=3,
                                     description="Farther surfaces are no match, over the size of the source")
    transfer_angle: FloatProperty(name="Angle", default=math.radians(30), min=0.0, max=math.pi, subtype="ANGLE",
                                  description="Surfaces that face elsewhere are no match")
    transfer_both_sides: BoolProperty(name="Both sides", default=False,
                                      description="Surfaces that face the other way match too: linings")

    # check
    check_tolerance: FloatProperty(name="Tolerance", default=0.02, min=0.0, max=1.0, precision=3,
                                   description="How far skin may be off, over the size of the character")
    check_influences: IntProperty(name="Influences", default=8, min=1, max=64,
                                  description="Bones per vertex that are allowed")
    finding_pose: BoolProperty(name="Show pose", default=True,
                               description="A click on a finding also takes the pose in which it shows most")
    findings: CollectionProperty(type=SinewFinding)
    finding_index: IntProperty(default=-1)
    checked_armature: StringProperty()

    # retarget
    clip_from: EnumProperty(name="From", items=[
        ("ARMATURE", "Armature", "The action of another armature of the scene"),
        ("FILE", "File", "A BVH, glTF, FBX or DAE file")])
    clip_armature: PointerProperty(name="Armature", type=bpy.types.Object, poll=lambda _, item: item.type == "ARMATURE",
                                   description="Whose action is played")
    clip_file: StringProperty(name="File", subtype="FILE_PATH", description="BVH, GLB, glTF, FBX or DAE")
    clip_all: BoolProperty(name="All motions", default=False,
                           description="Every motion of the file becomes an action; otherwise the first one")
    keep_contacts: BoolProperty(name="Feet stand", default=True,
                                description="Feet that stand in the clip stand in the result")
    in_place: BoolProperty(name="In place", default=False, description="Leave out the path over the ground")
    clip_mirror: BoolProperty(name="Mirror", default=False, description="Exchange left and right")
    clip_speed: FloatProperty(name="Speed", default=1.0, min=0.01, max=100.0, description="Play it so many times as fast")
    clip_begin: FloatProperty(name="From second", default=0.0, min=0.0, description="Leave out what comes before")
    clip_end: FloatProperty(name="To second", default=0.0, min=0.0, description="Leave out what comes after; 0 is the end")
    clip_scale: FloatProperty(name="Scale of path", default=0.0, min=0.0, max=1000.0,
                              description="Of the path over the ground; 0: by the lengths of the legs")
    clip_rest: EnumProperty(name="Rest pose", items=[
        ("AUTO", "Automatic", "That of the motion's skeleton, or, where it cannot be one, what the motion shows"),
        ("STORED", "As stored", "That of the motion's skeleton, whatever it is"),
        ("FRAME", "A frame", "A frame of the motion in which the character stands in rest pose")])
    clip_rest_frame: IntProperty(name="Frame", default=0, min=0, description="Of the motion, from 0")

    # levels of detail
    lod_levels: IntProperty(name="Levels", default=4, min=2, max=16, description="With the mesh itself")
    lod_ratio: FloatProperty(name="Ratio", default=0.25, min=0.05, max=0.95, subtype="FACTOR",
                             description="Vertices of a level over those of the next finer one")
    lod_keep_seams: BoolProperty(name="Keep seams", default=False,
                                 description="UV seams and borders keep their shape, even if a level keeps more vertices")

    # correctives
    corrective_cells: IntProperty(name="Cells", default=15_000, min=100, max=1_000_000,
                                  description="Elements of the simulated flesh, about; more show finer folds and take longer")


def method_values(settings: SinewSettings, method: str) -> Dict[str, Any]:
    """Options of a method that are not at their default, as Character.bind takes them."""
    return {name[len(method) + 2:]: _plain(getattr(settings.options, name)) for name in option_names(method)
            if settings.options.is_property_set(name)}


def _plain(value: Any) -> Any:
    # Blender keeps single precision: 0.3 comes back as 0.30000001, which may be out of range.
    return float(f"{value:.6g}") if isinstance(value, float) else value


def option_names(method: str) -> List[str]:
    return [name for name in SinewMethodOptions.__annotations__ if name.startswith(method + "__")]


classes = (SinewMethodOptions, SinewFinding, SinewSettings)
