# For tests that start the program (path in $1) on a virtual display and use it as a person would, with real key and mouse
# events. Source it.
# shellcheck shell=bash disable=SC2034

program=$(realpath "$1")
test_name=$(basename "$0" .sh)
missing=()
for tool in Xvfb xdotool import compare convert identify python3; do
  command -v "$tool" > /dev/null || missing+=("$tool")
done
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "$test_name: missing: ${missing[*]}; install the packages xvfb, xdotool, imagemagick and python3" >&2
  exit 1
fi

fail()
{
  echo "$test_name: $1" >&2
  exit 1
}

folder=$(mktemp -d)
window_process=
server_process=
end_all()
{
  local process
  for process in $window_process $server_process; do
    kill "$process" 2> /dev/null || true
    wait "$process" 2> /dev/null || true
  done
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

# run_server: until it is ended; the number of its display goes to 3. A test may have one of its own.
if ! declare -F run_server > /dev/null; then
  run_server()
  {
    exec Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset
  }
fi

# start_server: a display that the server chooses; false where it did not start, as when another took the same one.
start_server()
{
  : > "$folder/display"
  run_server 3> "$folder/display" 2> "$folder/server.txt" &
  server_process=$!
  within 30 test -s "$folder/display" -o ! -e "/proc/$server_process" || return 1
  kill -0 "$server_process" 2> /dev/null || return 1
  DISPLAY=:$(< "$folder/display")
  export DISPLAY
}
start_server || start_server || { cat "$folder/server.txt" >&2; fail "the display did not start"; }

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

# save_as KEYS NAME: in the program's own dialog, which the keys open.
save_as()
{
  press "$1"
  settled typing=1 popups=1
  press ctrl+a
  type_text "$folder/$2"
  press Return
}

# use_own_dialog: from the next start on.
use_own_dialog()
{
  sed -i 's/"desktop_file_dialog": true/"desktop_file_dialog": false/' "$XDG_CONFIG_HOME/slotscape/settings.json"
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

# differs FROM TO [PART]: takes a picture TO, which is not the picture FROM.
differs()
{
  picture "$2"
  ! same "$1" "$2" "${3:-}"
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
