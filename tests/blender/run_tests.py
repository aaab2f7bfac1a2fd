"""Installs the zip into Blender, as a user would, and runs the tests beside this file.

  blender --background --factory-startup --python-exit-code 1 --python run_tests.py -- ZIP [-k WORDS]
"""
import sys
import time
import unittest
from pathlib import Path

import bpy

zip_file, *arguments = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
bpy.ops.preferences.addon_install(filepath=zip_file)
bpy.ops.preferences.addon_enable(module="sinew_rigging")

import scenes  # noqa: E402, after the add-on is there

if scenes.library() is None:
    sys.exit("the add-on cannot load its library: " + scenes.addon().library.problem)
if not Path(scenes.library().__file__).is_relative_to(bpy.utils.user_resource("SCRIPTS")):
    sys.exit(f"the library comes from {scenes.library().__file__}, not from the zip")


class Timed(unittest.TextTestResult):
    """Says how long each test took."""

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        self.stream.write(f"{time.monotonic() - self.began:.1f} s ")
        super().addSuccess(test)


loader = unittest.TestLoader()
words = arguments[arguments.index("-k") + 1:] if "-k" in arguments else []
loader.testNamePatterns = [f"*{word}*" for word in words] or None
suite = loader.discover(str(Path(__file__).resolve().parent), pattern="test_*.py")
done = unittest.TextTestRunner(verbosity=2, resultclass=Timed).run(suite)
bpy.ops.preferences.addon_disable(module="sinew_rigging")
if not done.wasSuccessful() or done.testsRun == 0:
    raise SystemExit("tests failed")
