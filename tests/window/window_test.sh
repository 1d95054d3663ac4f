#!/usr/bin/env bash
# Starts the program (path in $1) on a virtual display and uses it as a person would, with real key and mouse events.
# Checks what came of it: pictures, statistics and a clean end.
set -euo pipefail

program=$(realpath "$1")
missing=()
for tool in Xvfb xdotool import convert identify python3; do
  command -v "$tool" > /dev/null || missing+=("$tool")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "window_test: missing: ${missing[*]}; install the packages xvfb, xdotool, imagemagick and python3" >&2
  exit 1
fi

fail()
{
  echo "window_test: $1" >&2
  exit 1
}

folder=$(mktemp -d)
window_process=
server_process=
end_all()
{
  local process
  for process in $window_process $server_process; do kill "$process" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap end_all EXIT
export XDG_CONFIG_HOME=$folder/config
export LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY

# within SECONDS COMMAND...: repeats the command until it succeeds.
within()
{
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}

# The server chooses a free display and says which: several may start at once.
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3> "$folder/display" 2> "$folder/server.txt" &
server_process=$!
within 30 test -s "$folder/display" || { cat "$folder/server.txt" >&2; fail "Xvfb did not start"; }
DISPLAY=:$(< "$folder/display")
export DISPLAY

cat > "$folder/scenario.json" <<'JSON'
{ "version": 1,
  "table": { "family": "linear_probing", "slots": 65536, "deletion": "empty_value", "hash": "murmur3" },
  "steps": [ { "op": "insert", "count": 20000, "keys": "uniform" } ],
  "view": { "color_by": "state", "layout": "rows", "zoom": 1.0 } }
JSON

# The middle of the window: the map, without panels, whose numbers may change at any time.
map=300x300+400+200
# The first words of the left panel: each scene has its own, and they do not change in it.
heading=90x60+0+35

window_is_there()
{
  kill -0 "$window_process" 2> /dev/null || { cat "$folder/errors.txt" >&2; fail "the program ended at its start"; }
  window=$(xdotool search --onlyvisible --name '^Slotscape' 2> /dev/null | head -n 1) && [[ -n $window ]]
}

# start ARGUMENTS...: opens the window and waits until it is drawn.
start()
{
  "$program" "$@" --size 1200x760 2> "$folder/errors.txt" &
  window_process=$!
  within 60 window_is_there || fail "no window appeared"
  xdotool windowfocus --sync "$window" || true
  within 60 drawn || fail "the picture is blank"
}

drawn()
{
  picture drawn
  [[ $(identify -format '%k' "$folder/drawn.png") -gt 50 ]]
}

has_ended()
{
  ! kill -0 "$window_process" 2> /dev/null
}

# stop KEY: presses it, and expects the program to end with 0, within a minute.
stop()
{
  xdotool key "$1"
  local code=0
  within 60 has_ended || fail "the window did not close"
  wait "$window_process" || code=$?
  window_process=
  [[ $code -eq 0 ]] || { cat "$folder/errors.txt" >&2; fail "exit code $code"; }
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

# pixels NAME [WIDTHxHEIGHT+X+Y]: a fingerprint of a picture, or of a part of it.
pixels()
{
  convert "$folder/$1.png" ${2:+-crop "$2"} +repage rgb:- | md5sum
}

# same NAME NAME [PART]
same()
{
  [[ $(pixels "$1" "${3:-}") == $(pixels "$2" "${3:-}") ]]
}

pictured_and_different()
{
  picture "$2"
  ! same "$1" "$2" "${3:-}"
}

pictured_and_same()
{
  picture "$2"
  same "$1" "$2" "${3:-}"
}

# changes FROM TO FAILURE [PART]: waits for a picture TO that is not the picture FROM.
changes()
{
  within 30 pictured_and_different "$1" "$2" "${4:-}" || fail "$3"
}

# returns TO NAME FAILURE [PART]: waits until the picture is the picture TO again.
returns()
{
  within 30 pictured_and_same "$1" "$2" "${4:-}" || fail "$3"
}

stands_still()
{
  picture "$1"
  sleep "$2"
  pictured_and_same "$1" still "$map"
}

# rests NAME FAILURE [SECONDS]: waits for a map that stays the same for so long.
rests()
{
  within 30 stands_still "$1" "${3:-0.3}" || fail "$2"
}

# --- a scenario, driven by hand
start run "$folder/scenario.json" --stats "$folder/stats.json"
rests fitted "the map changes though nothing happens"
xdotool key --delay 50 i i e      # inserts 4096 keys twice, erases 4096
changes fitted filled "inserting and erasing changed nothing" "$map"
rests filled "the map goes on changing after the operations"

xdotool mousemove --window "$window" 560 380
xdotool click --repeat 8 --delay 50 4                           # the wheel, towards the cursor
changes filled zoomed "zooming changed nothing" "$map"
rests zoomed "zooming does not end"
xdotool mousedown 1 mousemove_relative -- 60 40 mouseup 1       # a drag
changes zoomed panned "panning changed nothing" "$map"
rests panned "panning does not end"

xdotool click --repeat 2 --delay 60 1                           # a double click
changes panned refitted "the double click did not show the whole table" "$map"
rests refitted "the flight to the whole table does not end"

xdotool key space                 # the mix runs
changes refitted running "the mix did not run" "$map"
xdotool key space                 # and is paused
rests paused "the mix runs on while paused" 0.8
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
rests before "the map changes though nothing happens"
xdotool key t
changes before asked "T did not open the steps"
sleep 0.3                         # the field takes the keyboard
xdotool type 4093
xdotool key Return
changes before step_0 "no step is shown" "$map"
rests step_0 "the first step does not come to rest"
xdotool key Right
changes step_0 step_1 "Right did not step on" "$map"
rests step_1 "the second step does not come to rest"
xdotool key Left
returns step_0 step_back "Left did not step back" "$map"
xdotool key End
changes step_0 step_end "End did not go to the last step" "$map"
xdotool key Escape
returns before left "Escape did not leave the steps" "$map"
stop ctrl+q
[[ $(statistic table.live) -eq 20 ]] || fail "stepping through an insertion changed the table"

# --- a plain start fills a small table by itself, and settings persist
start
picture opening
changes opening filling "the opening stands still" "$map"
xdotool key 1
picture one_table
xdotool key F3                    # the table beside another
changes one_table compared "no tables are compared" "$heading"
xdotool key F2
returns one_table one_again "there is no way back from the comparison" "$heading"
xdotool key F3
changes one_table compared "no tables are compared again" "$heading"
stop ctrl+q
[[ -s $XDG_CONFIG_HOME/slotscape/settings.json ]] || fail "no settings were saved"
grep -q '"state"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the colouring was not saved"
grep -q '"tables"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the compared tables were not saved"

# A file from the desktop that cannot be opened: the window says so, over the scene it would have shown anyway.
echo broken > "$folder/broken.slotscape.json"
start "$folder/broken.slotscape.json"
stop ctrl+q

echo "window_test: passed ($live live keys, $tombstones tombstones)"
