#!/usr/bin/env bash
# Four people at work in the window, each from the start to what they wanted: a lecturer, two engineers and a graphics
# person; and the lecturer again.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=window.sh
source "$(dirname "${BASH_SOURCE[0]}")/window.sh"

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
# settings PYTHON: whether it is true of the settings s
settings=$XDG_CONFIG_HOME/slotscape/settings.json
settings()
{
  python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
sys.exit(0 if eval(sys.argv[2]) else 1)' "$settings" "$1"
}
settings 's["window"] == {"width": 1200, "height": 760}' || fail "the window's size was lost with the display"
settings 's["recent"][0].endswith("empty.json")' || fail "the recent files were lost with the display"
sed -i 's/"width": 1200/"width": -4264/; s/"theme": "dark"/"theme": "light"/' "$settings"
start run "$folder/empty.json"    # one impossible value costs itself alone
settled
stop ctrl+q
settings 's["theme"] == "light" and s["recent"][0].endswith("empty.json")' || fail "one bad field cost others"
settings 's["window"] == {"width": 1200, "height": 760}' || fail "the impossible width stayed"
sed -i 's/"theme": "light"/"theme": "dark"/' "$settings"

# --- an engineer holds a load at full speed until tombstones fill the table: no frame takes long, and P clears them away
cat > "$folder/mix.json" <<'JSON'
{ "version": 1,
  "table": { "family": "warp_cooperative", "slots": 65536, "deletion": "empty_value" },
  "steps": [ { "op": "fill", "load": 0.667 } ],
  "drive": { "running": true, "full_speed": true, "hold_load": true, "target_load": 0.667 } }
JSON
# watch_frames COUNT: reads on, and fails at a frame that takes longer than 250 ms of CPU time.
watch_frames()
{
  local frames=0
  while ((frames < $1)); do
    await moving=1
    [[ $(told cpu_ms) -lt 250 ]] || fail "a frame took $(told cpu_ms) ms"
    frames=$((frames + 1))
  done
}
start run "$folder/mix.json" --stats "$folder/stats.json"
watch_frames 300
stop ctrl+q
effective=$(($(statistic table.live) + $(statistic table.tombstones)))
[[ $effective -gt 65000 ]] || fail "only $effective slots are taken: the tombstones did not fill the table"

start run "$folder/mix.json" --stats "$folder/stats.json"
watch_frames 300
press space p
settled
stop ctrl+q
[[ $(statistic table.tombstones) -eq 0 ]] || fail "P left $(statistic table.tombstones) tombstones"

# --- a graphics person lays a sphere over a survey, and finds every point of the result where it was surveyed
python3 - "$folder/survey.xyz" <<'PYTHON'
import math, sys
with open(sys.argv[1], "w") as file:
    for y in range(80):
        for x in range(80):
            print(f"{431250 + 2.5 * x:.3f} {4582100 + 2.5 * y:.3f} {310 + 10 * math.sin(0.1 * x) * math.cos(0.1 * y):.3f}",
                  file=file)
PYTHON
[[ -s $XDG_CONFIG_HOME/slotscape/settings.json ]] || { start && stop ctrl+q; }
use_own_dialog
start spatial "$folder/survey.xyz" sphere --grid 32
settled scene=spatial moving=0
save_as ctrl+shift+e result
within 60 test -s "$folder/result.ply" || fail "the result was not saved"
settled popups=0
stop ctrl+q
python3 - "$folder/survey.xyz" "$folder/result.ply" <<'PYTHON'
import struct, sys
survey = {tuple(float(number) for number in line.split()) for line in open(sys.argv[1])}
header, _, body = open(sys.argv[2], "rb").read().partition(b"end_header\n")
lines = header.decode().split("\n")
count = next(int(line.split()[-1]) for line in lines if line.startswith("element vertex"))
codes = {"double": "d", "float": "f", "uchar": "B", "ushort": "H", "short": "h", "int": "i", "uint": "I", "char": "b"}
layout = "<" + "".join(codes[line.split()[1]] for line in lines if line.startswith("property"))
points = [point[:3] for point in struct.iter_unpack(layout, body[:count * struct.calcsize(layout)])]
kept = sum(tuple(point) in survey for point in points)
print(f"{kept} of {len(survey)} surveyed points are in the result, which has {count}")
sys.exit(0 if kept == len(survey) else 1)
PYTHON

# --- an engineer looks for a table, looks at it slot by slot, and comes back to the results
cat > "$folder/tune.json" <<'JSON'
{ "version": 1, "tune": { "workload": { "count": 1000, "insert": 1, "hit": 1, "miss": 0 }, "seconds": 5 } }
JSON
start run "$folder/tune.json" --stats "$folder/stats.json"
settled scene=tune moving=0
press space
settled moving=0                  # the end of the sweep
press Return
settled scene=slots moving=0
press F8
settled scene=tune moving=0
stop ctrl+q
python3 - "$folder/stats.json" <<'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))
print(f"{len(found['candidates'])} tables were measured; the answer: {found['answer'][0]['text']}")
sys.exit(0 if len(found["candidates"]) > 3 and found["answer"] else 1)
PYTHON

# --- the lecturer records two seconds of a running mix: all frames come to ffmpeg, at real speed and without the strip
bytes_of_frame=$((1200 * 760 * 3))
mkdir "$folder/programs"
cat > "$folder/programs/ffmpeg" <<PROGRAM
#!/bin/sh
for file; do :; done
file=\${file#file:}
head -c $bytes_of_frame > "\$file"
wc -c > "\$file.rest"
PROGRAM
chmod +x "$folder/programs/ffmpeg"
cat > "$folder/running.json" <<'JSON'
{ "version": 1, "table": { "family": "robin_hood", "slots": 4096 }, "steps": [ { "op": "fill", "load": 0.5 } ],
  "drive": { "running": true } }
JSON
search_path=$PATH
PATH=$folder/programs:$PATH
start run "$folder/running.json"
PATH=$search_path
await moving=1
picture before
press ctrl+shift+r                # how
settled popups=1
press Return                      # as proposed: MP4, 30 frames a second, the whole window
settled typing=1 popups=1         # where
press ctrl+a
type_text "$folder/film.mp4"
press Return
settled popups=0
within 20 test -s "$folder/film.mp4" || fail "no recording began"
sleep 2
picture recorded
press ctrl+shift+r
within 30 test -s "$folder/film.mp4.rest" || fail "the recording did not end"
rest=$(< "$folder/film.mp4.rest")
[[ $((rest % bytes_of_frame)) -eq 0 ]] || fail "the recording has half a frame"
frames=$((rest / bytes_of_frame + 1))
[[ $frames -ge 60 && $frames -lt 600 ]] || fail "more than two seconds have $frames frames"
convert -size 1200x760 -depth 8 rgb:"$folder/film.mp4" "$folder/frame.png"
strip=795x14+400+3                                        # wherever the device leaves room for it
for part in "$heading" "$strip"; do
  alike frame before "$part" || fail "the first frame does not look like the window at $part"
done
! alike recorded before "$strip" || fail "the window shows no strip while it is recorded"
stop ctrl+q

echo "$test_name: passed"
