"""python -m sinew: the command line, which comes with the package."""
import os
import shutil
import sys
from pathlib import Path


def program() -> str:
    """The path of the program: that of the package, or the first `sinew` in PATH that is not this script."""
    own = Path(__file__).resolve().parent / "bin" / "sinew"
    if own.exists():
        return str(own)
    here = str(Path(sys.argv[0]).resolve().parent)
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.realpath(folder) != here]
    found = shutil.which("sinew", path=os.pathsep.join(folders))
    if found is None:
        sys.exit("the program sinew is not in this package and not in PATH")
    return found


def main() -> None:
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
