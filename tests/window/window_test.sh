#!/usr/bin/env bash
# Starts the program (path in $1) on a virtual display and uses it as a person would, with real key and mouse events.
# Checks what came of it: pictures, statistics and a clean end.
set -euo pipefail

program=$(realpath "$1")
missing=()
for tool in Xvfb xdotool import compare convert identify python3; do
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

# within SECONDS COMMAND...: repeats the command until it succeeds. Only for what is outside the program.
within()
{
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}

# start_server: a display that Xvfb chooses; false where it did not start, as when another took the same one.
start_server()
{
  : > "$folder/display"
  Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3> "$folder/display" 2> "$folder/server.txt" &
  server_process=$!
  within 30 test -s "$folder/display" -o ! -e "/proc/$server_process" || return 1
  kill -0 "$server_process" 2> /dev/null || return 1
  DISPLAY=:$(< "$folder/display")
  export DISPLAY
}
start_server || start_server || { cat "$folder/server.txt" >&2; fail "Xvfb did not start"; }

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

# The program tells of each frame in a line, see --log-frames. $log is where the lines come out; it is opened for writing,
# too, so that it does not end with the program.
mkfifo "$folder/frames"
exec {log}<> "$folder/frames"
keys=0 clicks=0 wheel=0 line=

# await NAME=VALUE...: reads on to a frame that has them all, within a minute.
await()
{
  local end=$((SECONDS + 60)) wanted met
  while ((SECONDS < end)); do
    IFS= read -r -t 5 -u "$log" line || { has_ended && break; continue; }
    met=1
    for wanted in "$@"; do
      [[ " $line " == *" $wanted "* ]] || met=
    done
    [[ -z $met ]] || return 0
  done
  cat "$folder/errors.txt" >&2
  fail "no frame with $*; the last was: $line"
}

# Input, and then the frame in which it has arrived and everything rests again, or FRAME's words are true.
settled()
{
  await "keys=$keys" "clicks=$clicks" "wheel=$wheel" "${@:-moving=0}"
}

press()
{
  xdotool key "$@"
  keys=$((keys + $#))
}

# told NAME: its value in the last line.
told()
{
  [[ " $line" =~ \ $1=([^ ]*) ]] && echo "${BASH_REMATCH[1]}"
}

# type_text TEXT: types it into the field that has the keyboard, and waits until it is there.
type_text()
{
  local before
  before=$(told characters)
  xdotool type "$1"
  await "characters=$((before + ${#1}))"
  keys=$(told keys)
}

# start ARGUMENTS...: opens the window and waits until it is drawn, and then for what FRAME says.
start()
{
  keys=0 clicks=0 wheel=0
  xdotool mousemove 1279 799        # outside the window: nothing is hovered
  "$program" "$@" --size 1200x760 --log-frames "$folder/frames" 2> "$folder/errors.txt" &
  window_process=$!
  within 60 window_is_there || fail "no window appeared"
  xdotool windowfocus --sync "$window" || true
  await frame=3
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
  ! grep "interface:" "$folder/errors.txt" >&2 || fail "the interface is drawn with mistakes"
  while read -r -t 0 -u "$log" && IFS= read -r -t 1 -u "$log" line; do :; done
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

# alike NAME NAME PART: as far as one sees; glyphs that were rasterised in another order differ a little.
alike()
{
  local name
  for name in "$1" "$2"; do convert "$folder/$name.png" -crop "$3" +repage "$folder/$name-part.png"; done
  [[ $(compare -metric AE -fuzz 15% "$folder/$1-part.png" "$folder/$2-part.png" null: 2>&1) == 0 ]]
}

# expect_change FROM TO FAILURE [PART]: takes a picture TO, which must not be the picture FROM.
expect_change()
{
  picture "$2"
  ! same "$1" "$2" "${4:-}" || fail "$3"
}

# expect_same FROM TO FAILURE [PART]: takes a picture TO, which must be the picture FROM.
expect_same()
{
  picture "$2"
  same "$1" "$2" "${4:-}" || fail "$3"
}

# --- a scenario, driven by hand
start run "$folder/scenario.json" --stats "$folder/stats.json"
settled
picture fitted
[[ $(identify -format '%k' "$folder/fitted.png") -gt 50 ]] || fail "the picture is blank"
press i i e                       # inserts 4096 keys twice, erases 4096
settled
expect_change fitted filled "inserting and erasing changed nothing" "$map"

xdotool mousemove --window "$window" 560 380
xdotool click --repeat 8 4        # the wheel, towards the cursor
wheel=$((wheel + 8))
settled
expect_change filled zoomed "zooming changed nothing" "$map"
xdotool mousedown 1
clicks=$((clicks + 1))
settled
xdotool mousemove_relative -- 60 40 mouseup 1                   # a drag
settled releases=1 moving=0
expect_change zoomed panned "panning changed nothing" "$map"

xdotool click --repeat 2 1        # a double click
clicks=$((clicks + 2))
settled
expect_change panned refitted "the double click did not show the whole table" "$map"

press space                       # the mix runs
settled moving=1
for _ in 1 2 3; do await moving=1; done
expect_change refitted running "the mix did not run" "$map"
press space                       # and is paused
settled
picture paused
press F9                          # which does nothing
settled
expect_same paused later "the mix runs on while paused" "$map"
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
settled
picture before
press t
settled typing=1                  # the field has the keyboard
expect_change before asked "T did not open the steps"
type_text 4093
press Return
settled moving=0
expect_change before step_0 "no step is shown" "$map"
press Right
settled
expect_change step_0 step_1 "Right did not step on" "$map"
press Left
settled
expect_same step_0 step_back "Left did not step back" "$map"
press End
settled
expect_change step_0 step_end "End did not go to the last step" "$map"
press Escape
settled
picture left
alike before left "$map" || fail "Escape did not leave the steps"
stop ctrl+q
[[ $(statistic table.live) -eq 20 ]] || fail "stepping through an insertion changed the table"

# --- a lecturer's six keys, typed without a click, saved, and found again; and after SIGTERM, what was added later
cat > "$folder/empty.json" <<'JSON'
{ "version": 1, "table": { "family": "linear_probing", "slots": 16, "hash": "identity" } }
JSON
keys_of()                         # FILE: the keys that its steps insert
{
  python3 -c 'import json, sys
print(*(key for step in json.load(open(sys.argv[1]))["steps"] for key in step.get("keys", [step.get("key")])))' "$1"
}
start run "$folder/empty.json" --save-setup "$folder/lecture.json"
settled
picture empty
xdotool type '1'                  # goes to the field, which gets the keyboard
await typing=1
type_text '7, 42, 33-36'
press Return
settled moving=0
expect_change empty typed "typed keys did not go into the table" "$map"
press ctrl+q
within 60 has_ended || fail "the window did not close"
window_process=
[[ $(keys_of "$folder/lecture.json") == "17 42 33 34 35 36" ]] || fail "saved: $(keys_of "$folder/lecture.json")"

start run "$folder/lecture.json"
settled
picture reopened
alike typed reopened "$map" || fail "the reopened set-up does not look like the saved one"
press ctrl+z                      # there is nothing to undo yet
xdotool type '5'
await typing=1
keys=$(told keys)
press Return
settled moving=0
kill -TERM "$window_process"
within 60 has_ended || fail "SIGTERM did not end the program"
window_process=
last=$XDG_CONFIG_HOME/slotscape/settings.last.slotscape.json
[[ $(keys_of "$last") == "17 42 33 34 35 36 5" ]] || fail "kept after SIGTERM: $(keys_of "$last")"
start run "$folder/empty.json" --save-setup "$folder/went_on.json"
settled
press ctrl+g                      # goes on where the other one was
settled
stop ctrl+q
[[ $(keys_of "$folder/went_on.json") == "17 42 33 34 35 36 5" ]] || fail "Ctrl+G did not go on where it was"
rm "$last"

# --- the display is lost: what was done is kept
cat > "$folder/other_display" < /dev/null
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3> "$folder/other_display" 2> /dev/null &
other_server=$!
within 30 test -s "$folder/other_display" || fail "a second Xvfb did not start"
main_display=$DISPLAY
DISPLAY=:$(< "$folder/other_display") start run "$folder/empty.json"
DISPLAY=:$(< "$folder/other_display") xdotool windowfocus --sync "$window"
DISPLAY=:$(< "$folder/other_display") xdotool type '42'
await typing=1
DISPLAY=:$(< "$folder/other_display") xdotool key Return
await keys=3 moving=0
kill -9 "$other_server"
wait "$other_server" 2> /dev/null || true
within 60 has_ended || fail "the program lives on without a display"
window_process=
[[ $(keys_of "$last") == "42" ]] || fail "kept after the display was lost: $(keys_of "$last")"
rm "$last"
DISPLAY=$main_display

# --- a plain start fills a small table by itself, and settings persist
start
picture opening
for _ in {1..20}; do await moving=1; done
expect_change opening filling "the opening stands still" "$map"
press ctrl+1
settled moving=1
picture one_table
press F3                          # the table beside another
settled scene=compare
await scene=compare
expect_change one_table compared "no tables are compared" "$heading"
press F2
settled scene=slots
await scene=slots
expect_same one_table one_again "there is no way back from the comparison" "$heading"
press F3
settled scene=compare
stop ctrl+q
[[ -s $XDG_CONFIG_HOME/slotscape/settings.json ]] || fail "no settings were saved"
grep -q '"state"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the colouring was not saved"
grep -q '"tables"' "$XDG_CONFIG_HOME/slotscape/settings.json" || fail "the compared tables were not saved"

# --- menus: no click is lost, even where frames are slow and several inputs arrive in one
cat > "$folder/heavy.json" <<'JSON'
{ "version": 1,
  "table": { "family": "linear_probing", "slots": 4194304, "deletion": "tombstone_reuse" },
  "steps": [ { "op": "insert", "count": 2000000, "keys": "uniform" } ],
  "drive": { "running": true, "full_speed": true, "frame_budget_ms": 150 } }
JSON
start run "$folder/heavy.json"
for x in 96 138 180; do
  xdotool mousemove --window "$window" "$x" 12 click 1
  clicks=$((clicks + 1))
  settled "releases=$clicks" popups=1
  xdotool key Escape click 1      # Esc closes the menu, the click opens it again
  keys=$((keys + 1)) clicks=$((clicks + 1))
  settled "releases=$clicks"
  for _ in 1 2; do await "clicks=$clicks"; done
  [[ $(told popups) -eq 1 ]] || fail "the click after Esc was lost"
  press Escape
  settled popups=0
done
stop ctrl+q

# --- files: in the desktop's dialog, played by a script, and in the program's own
mkdir "$folder/programs"
cat > "$folder/programs/zenity" <<SCRIPT
#!/bin/sh
printf '%s\\n' "\$@" > '$folder/arguments.txt'
while [ ! -e '$folder/answer' ]; do sleep 0.02; done
cat '$folder/answer'
SCRIPT
chmod +x "$folder/programs/zenity"
unset XDG_CURRENT_DESKTOP

PATH=$folder/programs:$PATH start run "$folder/steps.json"
settled
picture before
press ctrl+d
within 30 test -s "$folder/arguments.txt" || fail "Ctrl+D did not start the desktop's dialog"
grep -q '^--save$' "$folder/arguments.txt" || fail "the desktop's dialog was not asked to save"
grep -q "^--attach=$window\$" "$folder/arguments.txt" || fail "the desktop's dialog does not know its window"
press space                       # the window goes on meanwhile
settled moving=1
press space
settled
expect_change before mixed "the window waits for the desktop's dialog" "$map"
echo "$folder/my scenario" > "$folder/answer"
within 30 test -s "$folder/my scenario.slotscape.json" || fail "what was chosen in the desktop's dialog was not saved"
rm "$folder/answer" "$folder/arguments.txt"
press ctrl+o
within 30 test -s "$folder/arguments.txt" || fail "Ctrl+O did not start the desktop's dialog"
stop ctrl+q
within 10 test -z "$(pgrep -f "$folder/programs/zenity")" || fail "the desktop's dialog outlived the program"

sed -i 's/"desktop_file_dialog": true/"desktop_file_dialog": false/' "$XDG_CONFIG_HOME/slotscape/settings.json"
PATH=$folder/programs:$PATH start run "$folder/steps.json"
settled
# save_as NAME: in the program's own dialog.
save_as()
{
  press ctrl+d
  settled typing=1 popups=1
  press ctrl+a
  type_text "$folder/$1"
  press Return
}
echo mine > "$folder/own.slotscape.json"
save_as own
settled popups=1 typing=0       # which is asked first
grep -q mine "$folder/own.slotscape.json" || fail "a file was overwritten before the user agreed"
press Return                      # agreed
settled popups=0
grep -q version "$folder/own.slotscape.json" || fail "the file was not replaced"
save_as fresh
settled popups=0
[[ -s $folder/fresh.slotscape.json ]] || fail "a name without an extension was not given one"
stop ctrl+q

# --- a file from the desktop that cannot be opened: the window says so, over the scene it would have shown anyway
echo broken > "$folder/broken.slotscape.json"
start "$folder/broken.slotscape.json"
stop ctrl+q

echo "window_test: passed ($live live keys, $tombstones tombstones)"
