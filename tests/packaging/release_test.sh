#!/usr/bin/env bash
# Makes what scripts/portable makes, of what is compiled in build folder $1, in folder $2, and starts it where nothing is installed but
# what a desktop has: in a Debian 11 made for that, the oldest that it is for; with SLOTSCAPE_THOROUGH in Debian 12, 13 and
# testing, too. The wheel is installed into virtual environments: of this Debian 12, and of those, whose NumPy comes from PyPI. Where such a place cannot be made it is skipped (exit status 77).
set -euo pipefail

build=$(realpath "$1")
folder=$2
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
suites=(bullseye)
[[ -z ${SLOTSCAPE_THOROUGH:-} ]] || suites+=(bookworm trixie testing)

fail()
{
  echo "release_test: $1" >&2
  exit 1
}
skip()
{
  echo "release_test: skipped, because $1"
  exit 77
}

# shellcheck source=/dev/null
[[ $(. /etc/os-release && echo "$ID $VERSION_ID $(uname --machine)") == "debian 12 x86_64" ]] || skip "this is no Debian 12 on x86_64"
command -v mmdebstrap > /dev/null || skip "mmdebstrap is not installed"
if [[ $EUID -ne 0 ]] || ! unshare --mount true; then skip "root that may mount is needed"; fi

mkdir -p "$folder/made" "$folder/roots"
folder=$(realpath "$folder")
made=$folder/made
rm -f "$made"/slotscape-*  # of older versions
"$root/scripts/portable" --without-cuda --from "$build" --into "$made" > "$folder/log.txt" 2>&1 || fail "it could not be made: $(tail --lines=30 "$folder/log.txt")"
one_file=$(basename "$made"/*.run)
wheel=$(basename "$made"/*.whl)

# in_root SUITE COMMAND...: becomes that command, in that system, with an empty /tmp, what was made in /made, and an environment of
# its own. Call it in a subshell.
in_root()
{
  # shellcheck disable=SC2016
  exec unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/tmp" &&
    mkdir -p "$0/made" "$0/tmp/home" && mount --bind "$1" "$0/made" && shift &&
    exec env --ignore-environment PATH=/usr/sbin:/usr/bin:/bin HOME=/tmp/home DISPLAY="${DISPLAY:-}" LIBGL_ALWAYS_SOFTWARE=1 chroot "$0" "$@"' \
    "$folder/roots/$1" "$made" "${@:2}"
}

make_root()
{
  local place=$folder/roots/$1
  [[ ! -e $place/complete ]] || return 0
  rm -rf "$place"
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --include=libgl1,libegl1,libgl1-mesa-dri,libx11-6,libxrandr2,libxinerama1,libxcursor1,libxi6,python3-venv "$1" "$place" \
    > "$folder/log.txt" 2>&1 || fail "could not make a root of $1: $(tail --lines=20 "$folder/log.txt")"
  touch "$place/complete"
}

# What one file does in a system without a screen. It is unpacked once, whoever starts it how often.
cat > "$made/without_a_screen.sh" << 'END'
set -eu
fail()
{
  echo "release_test: $1" >&2
  exit 1
}
file=/made/$1
"$file" --version > /tmp/1.txt &
sh "$file" --version > /tmp/2.txt &
wait
grep -q '^slotscape [0-9]' /tmp/1.txt && cmp /tmp/1.txt /tmp/2.txt || fail "it does not say its version"
[ "$(ls /tmp/home/.cache/slotscape | wc -l)" = 1 ] || fail "it is unpacked more than once"
"$file" run tour/1-half-full --headless --frames 1 --size 640x360 --screenshot /tmp/picture.png
[ -s /tmp/picture.png ] || fail "no picture was drawn"
[ "$("$file" lesson | grep -c '^[0-9]')" -ge 16 ] || fail "there are no lessons"
"$file" lesson export 1-what-a-hash-table-is --web /tmp/page.html && [ -s /tmp/page.html ] || fail "no page was made"
if "$file" --no-such-option 2> /tmp/errors.txt; then fail "arguments do not reach the program"; fi
grep -q -e --no-such-option /tmp/errors.txt || fail "arguments do not reach the program: $(cat /tmp/errors.txt)"

# said SENTENCE HOME FILE: it does not start there, says so, and leaves nothing behind.
said()
{
  if HOME=$2 sh "$3" --version > /tmp/errors.txt 2>&1; then fail "it starts where it cannot: $1"; fi
  grep -q "$1" /tmp/errors.txt || fail "it does not say '$1': $(cat /tmp/errors.txt)"
  [ "$(wc -l < /tmp/errors.txt)" -le 3 ] || fail "it says more than it should: $(cat /tmp/errors.txt)"
  [ -z "$(ls -A "$2/.cache/slotscape" 2> /dev/null)" ] || fail "it leaves something behind: $1"
}
head -c 5000000 "$file" > /tmp/half.run
said "is not whole" /tmp/half /tmp/half.run
said "set XDG_CACHE_HOME" /proc/none "$file"
mkdir /tmp/closed /tmp/machine
mount -t tmpfs -o noexec tmpfs /tmp/closed
said "from which programs may be started" /tmp/closed "$file"
printf '#!/bin/sh\necho Linux aarch64\n' > /tmp/machine/uname
chmod +x /tmp/machine/uname
PATH=/tmp/machine:$PATH
said "this machine is Linux aarch64" /tmp/other "$file"
END

server=
end_server()
{
  kill $server 2> /dev/null || true
  wait
}
trap end_server EXIT
exec 3> "$folder/display"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 2> "$folder/server.txt" &
server=$!
for _ in {1..600}; do
  [[ ! -s $folder/display ]] || break
  sleep 0.05
done
DISPLAY=:$(< "$folder/display")
export DISPLAY
[[ $DISPLAY != : ]] || fail "the display did not start: $(< "$folder/server.txt")"

# Whether the window's middle shows more than one surface.
has_picture()
{
  [[ $(import -window root -crop 300x300+400+200 -format %k info: 2> /dev/null) -gt 20 ]]
}

# A window that was ended goes away a little later.
until_none()
{
  for _ in {1..200}; do
    has_picture || return 0
    sleep 0.05
  done
  fail "a window stays"
}

# What is done with the installed wheel, in folder $1: a table, the program, and its windows.
cat > "$made/wheel.py" << 'END'
import subprocess
import sys

import numpy
import slotscape
from slotscape._windows import program_path

table = slotscape.Table(numpy.arange(1000), numpy.arange(1000) * 3)
assert table.find([7, 2000])[0].tolist() == [21, 0]
program = program_path()
assert program.startswith(sys.prefix), program
run = [program, "run", "tour/1-half-full", "--headless", "--frames", "1", "--screenshot", sys.argv[1] + "/picture.png"]
subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
export = [program, "lesson", "export", "1-what-a-hash-table-is", "--web", sys.argv[1] + "/page.html"]
subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
slots = numpy.full(4096, -1)
slots[:2000] = numpy.arange(2000)
layout = {"slots": 4096, "key": {"bits": 64}, "empty_key": -1, "hash": {"function": "identity", "reduction": "mask"},
          "probing": {"scheme": "linear"}}
with slotscape.watch(slots, layout) as watched:
    shown = slotscape.show(table, block=False)
    input()  # until the test has seen that both are drawn
    assert watched.viewers == 1 and watched.window.is_open and shown.is_open
    shown.close()
    watched.window.close()
END

# try_wheel NAME COMMAND...: runs wheel.py by it, and goes on once both windows are there.
try_wheel()
{
  local name=$1 end
  exec 4> >("${@:2}" > "$folder/wheel.txt" 2>&1)
  local python=$!
  end=$((SECONDS + 60))
  until [[ $(xdotool search --onlyvisible --name '^Slotscape' 2> /dev/null | wc -l) == 2 ]] && has_picture; do
    if ! kill -0 "$python" 2> /dev/null || ((SECONDS > end)); then fail "the wheel $name: $(< "$folder/wheel.txt")"; fi
    sleep 0.05
  done
  sleep 1  # the second one has begun to look, too
  echo >&4
  exec 4>&-
  wait "$python" || fail "the wheel $name: $(< "$folder/wheel.txt")"
  echo "release_test: the wheel works $name"
}

rm -rf "$folder/venv"
/usr/bin/python3 -m venv --system-site-packages "$folder/venv"  # Debian's, whose NumPy is installed
"$folder/venv/bin/python" -m pip install --quiet --no-index --no-deps "$made/$wheel" > "$folder/log.txt" 2>&1 \
  || fail "the wheel cannot be installed: $(< "$folder/log.txt")"
LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME=$folder/config try_wheel "in this Debian 12" "$folder/venv/bin/python" "$made/wheel.py" "$folder"

until_none

for suite in "${suites[@]}"; do
  make_root "$suite"
  (in_root "$suite" sh /made/without_a_screen.sh "$one_file") || fail "in $suite"
  started=$(date +%s%N)
  in_root "$suite" "/made/$one_file" > "$folder/window.txt" 2>&1 &
  window=$!
  until has_picture; do
    kill -0 "$window" 2> /dev/null || fail "in $suite the window does not open: $(< "$folder/window.txt")"
    (($(date +%s%N) - started < 60000000000)) || fail "in $suite nothing is drawn"
    sleep 0.02
  done
  echo "release_test: in $suite, the first picture came $((($(date +%s%N) - started) / 1000000)) ms after the first start"
  kill "$window"
  wait "$window" || true
  until_none
  version=$(in_root "$suite" python3 -c 'import sys; print("{}.{}".format(*sys.version_info))')
  [[ $version != 3.9 ]] || continue  # is too old for the package
  "$folder/venv/bin/python" -m pip download --quiet --no-deps --only-binary=:all: --python-version "$version" --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_27_x86_64 --dest "$made/numpy" numpy > "$folder/log.txt" 2>&1 || fail "there is no NumPy: $(< "$folder/log.txt")"
  in_wheel="python3 -m venv /tmp/venv && /tmp/venv/bin/pip install --quiet --no-index --find-links /made/numpy /made/$wheel &&
    exec /tmp/venv/bin/python /made/wheel.py /tmp"
  try_wheel "in $suite" in_root "$suite" sh -c "$in_wheel"
  until_none
done
(cd "$made" && stat --format='release_test: %n, %s bytes' "$one_file" "$wheel")
echo "release_test: passed"
