#!/usr/bin/env bash
# Starts the program (path in $1) on a virtual display and uses it as a person would, with real key and mouse events.
# Checks what came of it: pictures, statistics and a clean end.
set -euo pipefail

program=$(realpath "$1")
missing=()
for tool in xvfb-run xdotool import convert identify python3; do
  command -v "$tool" > /dev/null || missing+=("$tool")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "window_test: missing: ${missing[*]}; install the packages xvfb, xdotool, imagemagick and python3" >&2
  exit 1
fi
if [[ -z ${SLOTSCAPE_ON_XVFB:-} ]]; then
  SLOTSCAPE_ON_XVFB=1 exec xvfb-run --auto-servernum --server-args="-screen 0 1280x800x24" bash "$0" "$program"
fi

folder=$(mktemp -d)
window_process=
trap '[[ -z $window_process ]] || kill "$window_process" 2>/dev/null || true; rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config
export LIBGL_ALWAYS_SOFTWARE=1

fail()
{
  echo "window_test: $1" >&2
  exit 1
}

cat > "$folder/scenario.json" <<'JSON'
{ "version": 1,
  "table": { "family": "linear_probing", "slots": 65536, "deletion": "empty_value", "hash": "murmur3" },
  "steps": [ { "op": "insert", "count": 20000, "keys": "uniform" } ],
  "view": { "color_by": "state", "layout": "rows", "zoom": 1.0 } }
JSON

# start ARGUMENTS...: opens the window and waits until it is drawn.
start()
{
  "$program" "$@" --size 1200x760 2> "$folder/errors.txt" &
  window_process=$!
  for _ in $(seq 100); do
    window=$(xdotool search --onlyvisible --name '^Slotscape' 2>/dev/null | head -n 1 || true)
    [[ -z $window ]] || break
    kill -0 "$window_process" 2>/dev/null || { cat "$folder/errors.txt" >&2; fail "the program ended at its start"; }
    sleep 0.2
  done
  [[ -n $window ]] || fail "no window appeared"
  xdotool windowfocus --sync "$window" || true
  sleep 2
}

# stop KEY: presses it, and expects the program to end with 0, within a minute.
stop()
{
  xdotool key "$1"
  local code=0
  for _ in $(seq 300); do
    kill -0 "$window_process" 2>/dev/null || break
    sleep 0.2
  done
  if kill -9 "$window_process" 2>/dev/null; then fail "the window did not close"; fi
  wait "$window_process" || code=$?
  window_process=
  [[ $code -eq 0 ]] || { cat "$folder/errors.txt" >&2; fail "exit code $code"; }
}

press()
{
  xdotool key "$1"
  sleep "${2:-0.6}"
}

picture()
{
  import -silent -window "$window" "$folder/$1.png"
}

# statistic PATH: a number from the statistics written at the end.
statistic()
{
  python3 -c 'import functools, json, sys
value = json.load(open(sys.argv[1]))
print(functools.reduce(lambda node, name: node[name], sys.argv[2].split("."), value))' "$folder/stats.json" "$1"
}

colors()
{
  identify -format '%k' "$folder/$1.png"
}

# pixels NAME [WIDTHxHEIGHT+X+Y]: a fingerprint of a picture, or of a part of it.
pixels()
{
  convert "$folder/$1.png" ${2:+-crop "$2"} +repage rgb:- | md5sum
}

# different NAME NAME [PART]
different()
{
  [[ $(pixels "$1" "${3:-}") != $(pixels "$2" "${3:-}") ]]
}

# --- a scenario, driven by hand
start run "$folder/scenario.json" --stats "$folder/stats.json"
picture fitted
[[ $(colors fitted) -gt 50 ]] || fail "the picture is blank"

press i          # inserts 4096 keys
press i
press e          # erases 4096
xdotool mousemove --window "$window" 560 380
sleep 0.4
for _ in 1 2 3 4 5 6 7 8; do xdotool click 4; sleep 0.1; done   # the wheel, towards the cursor
sleep 0.8
picture zoomed
different fitted zoomed || fail "zooming changed nothing"
xdotool mousedown 1 mousemove_relative -- 60 40 mouseup 1       # a drag
sleep 0.6
picture panned
different zoomed panned || fail "panning changed nothing"

xdotool click --repeat 2 --delay 60 1                           # a double click
sleep 1.2
picture refitted
different panned refitted 300x300+400+200 || fail "the double click did not show the whole table"

press space 1.5  # the mix runs
press space      # and is paused
picture paused
sleep 0.8
picture paused_still
different refitted paused 300x300+400+200 || fail "the mix did not run"
different paused paused_still 300x300+400+200 && fail "the mix runs on while paused"
stop ctrl+q

live=$(statistic table.live)
tombstones=$(statistic table.tombstones)
operations=$(python3 -c 'import json, sys; print(" ".join(o["op"] for o in json.load(open(sys.argv[1]))["operations"]))' \
             "$folder/stats.json")
[[ $live -gt 20000 ]] || fail "$live live keys: the inserts were not done"
[[ $tombstones -gt 0 ]] || fail "no tombstones: the erase was not done"
[[ $operations == "insert insert insert erase"* ]] || fail "operations are '$operations'"

# --- step mode: typed, stepped through forwards and back, left, and done in the end
cat > "$folder/steps.json" <<'JSON'
{ "version": 1,
  "table": { "family": "linear_probing", "slots": 32, "deletion": "empty_value", "hash": "murmur3" },
  "steps": [ { "op": "insert", "count": 20, "keys": "uniform" } ] }
JSON
start run "$folder/steps.json" --stats "$folder/stats.json"
press t 1
xdotool type 4093
press Return 1.5
picture step_0
press Right 1.2
picture step_1
different step_0 step_1 || fail "Right did not step on"
press Left 1.2
picture step_back
different step_0 step_back 500x300+350+300 && fail "Left did not step back"
press End 1.2
picture step_end
different step_1 step_end || fail "End did not go to the last step"
press Escape 1
stop ctrl+q
[[ $(statistic table.live) -eq 20 ]] || fail "stepping through an insertion changed the table"

# --- a plain start fills a small table by itself, and settings persist
start
picture opening
sleep 1.5
picture filling
different opening filling || fail "the opening stands still"
press 1 0.6
picture one_table
press F3 2  # the table beside another
picture compared
different one_table compared 300x300+400+200 || fail "no tables are compared"
press F2 2
picture one_again
different compared one_again 300x300+400+200 || fail "there is no way back from the comparison"
press F3 1
stop ctrl+q
[[ -s $XDG_CONFIG_HOME/slotscape/settings.json ]] || fail "no settings were saved"
grep -q '"state"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the colouring was not saved"
grep -q '"tables"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the compared tables were not saved"

echo "window_test: passed ($live live keys, $tombstones tombstones)"
