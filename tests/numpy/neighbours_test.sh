#!/usr/bin/env bash
# The Python that has NumPy: the distribution's, if another one comes first on the path.
set -euo pipefail
for python in python3 /usr/bin/python3; do
  if "$python" -c "import numpy" 2> /dev/null; then
    exec "$python" "$(dirname "${BASH_SOURCE[0]}")/neighbours.py" "$@"
  fi
done
echo "NumPy is missing: scripts/test installs it (python3-numpy)" >&2
exit 1
