#!/usr/bin/env bash
# Builds the Python package for the CPU in a virtual environment in folder $1, and runs its tests with program $2.
set -euo pipefail

folder=$1
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
log=$folder/log.txt
mkdir -p "$folder"

fail()
{
  echo "python_test: $1: $(tail -n 30 "$log")" >&2
  exit 1
}

/usr/bin/python3 -m venv --system-site-packages "$folder/venv"  # Debian's, whose NumPy and headers are installed
python=$folder/venv/bin/python
"$python" -m pip install --quiet --require-hashes -r "$root/tests/python/requirements.txt" > "$log" 2>&1 \
  || fail "could not install what the package needs"
CUDACXX=none CMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true) "$python" -m pip install --quiet --no-build-isolation --no-deps --no-index \
  --config-settings=build-dir="$folder/build" "$root/gpu/python" > "$log" 2>&1 || fail "could not build the package"
SLOTSCAPE_PROGRAM=$2 "$python" -m unittest discover -v -s "$root/tests/python" || fail "its tests fail"
