#!/usr/bin/env bash
# Makes the wheel, installs it into a clean environment of Debian's Python and uses it there: tests with pytest, and the
# examples. NumPy, SciPy, Matplotlib and pytest are Debian's.
#   check_wheel.sh BUILD_FOLDER      exit code 77: a package is missing, so nothing was tested
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
python=/usr/bin/python3
for module in venv ensurepip numpy pytest wheel setuptools; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: python3-$module is missing; make test installs it"; exit 77; }
done
command -v patchelf >/dev/null || { echo "skipped: patchelf is missing; make test installs it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wheel=$("$project/tools/make-wheel" "$build" "$work/dist")
case $(basename "$wheel") in
  sinew-*-py3-none-linux_*.whl) ;;
  *) echo "$wheel is not marked for every Python 3"; exit 1 ;;
esac
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps --disable-pip-version-check "$wheel"

# What the package loads lies in it, except the C and C++ library.
cd "$work"
installed=$("$work/venv/bin/python" -c 'import sinew, pathlib; print(pathlib.Path(sinew.__file__).parent)')
case $installed in "$work/venv/"*) ;; *) echo "sinew comes from $installed, not from the wheel"; exit 1 ;; esac
foreign=$(ldd "$installed/libsinew.so" "$installed/bin/sinew" "$installed"/libs/* | sed -nE 's/.* => ([^ ]+) .*/\1/p' |
  grep -v "^$installed/" | grep -vE '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so' | sort -u || true)
[ -z "$foreign" ] || { echo "the wheel needs libraries from outside: $foreign"; exit 1; }

export MPLBACKEND=Agg MPLCONFIGDIR=$work/matplotlib
SINEW_INTERFACE="$project/bindings/c/interface.py" "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$project/tests/python"
if "$python" -c 'import matplotlib' 2>/dev/null; then
  for example in "$project"/examples/python/*.py; do
    "$work/venv/bin/python" "$example" "$work/pictures"
  done
  [ "$(find "$work/pictures" -name '*.png' -size +5k | wc -l)" -ge "$(find "$project/examples/python" -name '*.py' | wc -l)" ] ||
    { echo "an example drew nothing"; exit 1; }
else
  echo "the examples were not run: python3-matplotlib is missing"
fi
