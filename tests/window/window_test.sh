#!/usr/bin/env bash
# Uses every part of the window by hand: keys, mouse, menus, dialogs. Checks pictures, statistics and a clean end.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=window.sh
source "$(dirname "${BASH_SOURCE[0]}")/window.sh"

cat > "$folder/scenario.json" <<'JSON'
{ "version": 1,
  "table": { "family": "linear_probing", "slots": 65536, "deletion": "empty_value", "hash": "murmur3" },
  "steps": [ { "op": "insert", "count": 20000, "keys": "uniform" } ],
  "view": { "color_by": "state", "layout": "rows", "zoom": 1.0 } }
JSON

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
press Pause                       # which does nothing
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

# --- a plain start offers lessons and files, and behind them fills a small table by itself; settings persist
start
picture gallery
press Escape
settled moving=1
picture opening
expect_change gallery opening "Escape did not close the gallery" "$map"
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
within 30 differs before mixed "$map" || fail "the window waits for the desktop's dialog"
press space
settled
echo "$folder/my scenario" > "$folder/half"; mv "$folder/half" "$folder/answer"  # whole at once
within 30 test -s "$folder/my scenario.slotscape.json" || fail "what was chosen in the desktop's dialog was not saved"
rm "$folder/answer" "$folder/arguments.txt"
press ctrl+o
within 30 test -s "$folder/arguments.txt" || fail "Ctrl+O did not start the desktop's dialog"
stop ctrl+q
within 10 test -z "$(pgrep -f "$folder/programs/zenity")" || fail "the desktop's dialog outlived the program"

use_own_dialog
PATH=$folder/programs:$PATH start run "$folder/steps.json"
settled
echo mine > "$folder/own.slotscape.json"
save_as ctrl+d own
settled popups=1 typing=0       # which is asked first
grep -q mine "$folder/own.slotscape.json" || fail "a file was overwritten before the user agreed"
press Return                      # agreed
settled popups=0
grep -q version "$folder/own.slotscape.json" || fail "the file was not replaced"
save_as ctrl+d fresh
settled popups=0
[[ -s $folder/fresh.slotscape.json ]] || fail "a name without an extension was not given one"
stop ctrl+q

# --- a lesson: from page to page, shown as its teacher saves it, and remembered
cat > "$folder/lesson.json" <<'JSON'
{ "version": 1, "title": "A lesson", "pages": [
  { "title": "First", "text": "One key.", "set_up": { "table": { "slots": 16 }, "steps": [ { "op": "insert", "key": 5 } ] } },
  { "title": "Second", "text": "Two keys.", "set_up": { "table": { "slots": 16 }, "steps": [ { "op": "insert", "keys": [5, 6] } ] } } ] }
JSON
start lesson "$folder/lesson.json"
settled
picture first_page
press Next                        # Page Down
settled
expect_change first_page second_page "Page Down did not turn the page" "$map"
sed -i 's/Two keys/Three keys/' "$folder/lesson.json"
within 30 differs second_page saved_page || fail "what was saved is not shown"
echo broken > "$folder/lesson.json"
within 30 differs saved_page broken_page || fail "nothing is said of a broken lesson"
stop ctrl+q
page=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["lessons"][0]["page"])' \
              "$XDG_CONFIG_HOME/slotscape/settings.json")
[[ $page == 1 ]] || fail "the page of the lesson was not remembered: $page"

# --- a file from the desktop that cannot be opened: the window says so, over the scene it would have shown anyway
echo broken > "$folder/broken.slotscape.json"
start "$folder/broken.slotscape.json"
stop ctrl+q

echo "window_test: passed ($live live keys, $tombstones tombstones)"
