"""What Blender reads before it runs any code, and what its later versions do not have any more."""
import ast
import re
import tomllib
import unittest
from pathlib import Path

from scenes import addon

FOLDER = Path(addon().__file__).parent
OURS = sorted(path for path in FOLDER.glob("*.py"))

# As `blender --command extension validate` of 4.2 and later has them.
REQUIRED = {"id": str, "schema_version": str, "name": str, "tagline": str, "version": str, "type": str,
            "maintainer": str, "license": list, "blender_version_min": str}
OPTIONAL = {"blender_version_max": str, "website": str, "copyright": list, "permissions": dict, "tags": list,
            "platforms": list, "wheels": list}
PERMISSIONS = {"files", "network", "clipboard", "camera", "microphone"}
PLATFORMS = {"windows-x64", "windows-arm64", "macos-x64", "macos-arm64", "linux-x64", "linux-arm64"}
TAGS = {"3D View", "Add Curve", "Add Mesh", "Animation", "Bake", "Camera", "Compositing", "Development", "Game Engine",
        "Geometry Nodes", "Grease Pencil", "Import-Export", "Lighting", "Material", "Mesh", "Modeling", "Node", "Object",
        "Paint", "Physics", "Pipeline", "Render", "Rigging", "Scene", "Sculpt", "Sequencer", "System", "Text Editor",
        "Tracking", "User Interface", "UV"}

# Names of Blender's Python that 4.0 … 4.5 took away or gave another meaning.
GONE = {"use_auto_smooth", "auto_smooth_angle", "calc_normals", "calc_normals_split", "create_normals_split",
        "free_normals_split", "has_custom_normals_split", "bone_groups", "bone_group", "bone_group_index", "layers_protected",
        "face_maps", "bevel_weight", "use_edge_crease", "vertex_colors", "select_face", "asset_file_handle", "version_char",
        "context_override", "bgl"}


def short(text):
    """What the platform calls a terse description."""
    return 0 < len(text) <= 64 and text == text.strip() and (text[-1].isalnum() or text[-1] in ")]}")


class Manifest(unittest.TestCase):
    def setUp(self):
        self.manifest = tomllib.loads((FOLDER / "blender_manifest.toml").read_text(encoding="utf-8"))

    def test_is_what_blender_4_2_and_later_take(self):
        manifest = self.manifest
        self.assertLessEqual(set(REQUIRED), set(manifest))
        for key, value in manifest.items():
            self.assertIsInstance(value, {**REQUIRED, **OPTIONAL}[key], key)
        self.assertTrue(manifest["id"].isidentifier() and "__" not in manifest["id"] and manifest["id"][0] != "_")
        self.assertEqual(manifest["id"], FOLDER.name)
        self.assertTrue(short(manifest["tagline"]))
        self.assertEqual(manifest["type"], "add-on")
        self.assertRegex(manifest["schema_version"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(manifest["version"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(manifest["blender_version_min"], r"^4\.\d+\.\d+$")
        self.assertTrue(manifest["license"] and all(re.match(r"SPDX:\S+$", one) for one in manifest["license"]))
        self.assertTrue(manifest["tags"] and set(manifest["tags"]) <= TAGS)
        self.assertTrue(manifest["platforms"] and set(manifest["platforms"]) <= PLATFORMS)
        self.assertLessEqual(set(manifest["permissions"]), PERMISSIONS)
        self.assertTrue(all(short(why) for why in manifest["permissions"].values()))

    def test_says_what_the_add_on_says_to_earlier_ones(self):
        said = addon().bl_info
        self.assertEqual(self.manifest["name"], said["name"])
        self.assertEqual(self.manifest["version"], ".".join(map(str, said["version"])))
        self.assertIn(said["category"], self.manifest["tags"])
        self.assertGreaterEqual((4, 2, 0), said["blender"])
        self.assertEqual(self.manifest["version"], addon().library.sinew.__version__)


class LaterVersions(unittest.TestCase):
    def test_nothing_is_used_that_they_do_not_have(self):
        self.assertGreater(len(OURS), 15)
        for path in OURS:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = getattr(node, "attr", None) or getattr(node, "id", None)
                self.assertNotIn(name, GONE, f"{path.name}:{getattr(node, 'lineno', 0)}")

    def test_the_package_is_found_wherever_it_is_installed(self):
        """As an extension it is called bl_ext.user_default.sinew_rigging: nothing may be imported by its short name."""
        for path in [*OURS, *(FOLDER / "sinew").glob("*.py")]:
            if path.name == "library.py":
                continue  # takes the one of Debian where the zip has none
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else (
                    [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 else [])
                for name in names:
                    self.assertNotIn(name.split(".")[0], ("sinew", "sinew_rigging"), path.name)

    def test_operators_do_not_make_themselves(self):
        """From 4.4 on a class that Blender makes and that has a constructor must call that of Blender."""
        for path in OURS:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and "_OT_" in node.name:
                    self.assertNotIn("__init__", [part.name for part in node.body if isinstance(part, ast.FunctionDef)])
