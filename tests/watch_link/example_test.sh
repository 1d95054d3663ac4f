#!/usr/bin/env bash
# Builds the examples of docs/watching-your-table.md with the installed library, and looks at them while they run: with cmake
# ($1), from build folder $2, in folder $3, by the viewer $4. More arguments go to the example's cmake.
set -euo pipefail

fail()
{
  echo "example_test: $1" >&2
  exit 1
}

cmake=$1
build=$2
folder=$3
viewer=$4
shift 4
example=$(dirname "${BASH_SOURCE[0]}")/../../docs/examples/watching-your-table
rm -rf "$folder"
mkdir -p "$folder/run"
log=$folder/log.txt

"$cmake" --install "$build" --component tables --prefix "$folder/installed" > "$log" || fail "could not install: $(< "$log")"
[[ -e $folder/installed/include/slotscape/slotscape_watch.py ]] || fail "the Python module was not installed"
"$cmake" -S "$example" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/installed" "$@" > "$log" 2>&1 \
  || fail "could not configure the examples: $(< "$log")"
"$cmake" --build "$folder/build" --parallel 2 >> "$log" 2>&1 || fail "could not build the examples: $(< "$log")"

# Short, because the names of sockets are: at most 108 bytes with the folder.
XDG_RUNTIME_DIR=$(mktemp -d)
export XDG_RUNTIME_DIR
trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT

# look_at PROGRAM NAME KEYS EMPTY STRIDE BITS MANNER: while the program runs for some seconds.
look_at()
{
  "$folder/build/$1" 4 > "$folder/$1.txt" &
  local program=$!
  local seen
  seen=$("$viewer" "$2" "$3" "$4" "$5" "$6") || fail "nothing is seen of $1"
  [[ $seen == *"$7"* ]] || fail "$1 is seen in another way: $seen"
  echo "$seen"
  wait "$program" || fail "$1 is wrong: $(< "$folder/$1.txt")"
}

look_at own_table customers 1000 0 16 64 "shared memory"
look_at library_table orders 1000 0xffffffff 8 32 "read from the program's memory"
[[ -z $(ls "$XDG_RUNTIME_DIR/slotscape") ]] || fail "the programs left $(ls "$XDG_RUNTIME_DIR/slotscape") behind"
echo "example_test: passed"
