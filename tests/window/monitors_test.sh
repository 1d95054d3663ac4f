#!/usr/bin/env bash
# Two monitors: which of them the audience's window and the presenter's fill, and what becomes of them when one is unplugged.
set -euo pipefail
xorg=/usr/lib/xorg/Xorg  # itself, without Debian's wrapper, which wants a console
missing=()
for needed in xrandr openbox "$xorg"; do command -v "$needed" > /dev/null || missing+=("$needed"); done
[[ -e /usr/lib/xorg/modules/drivers/dummy_drv.so ]] || missing+=(dummy_drv.so)
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "skipped: missing: ${missing[*]}; install the packages xserver-xorg-video-dummy, x11-xserver-utils and openbox"
  exit 77
fi
here=$(dirname "$0")
run_server()
{
  exec "$xorg" -displayfd 3 -config "$(realpath "$here/two_monitors.conf")" -logfile "$folder/server.log" -noreset \
    -nolisten tcp -novtswitch -sharevts
}
# shellcheck source-path=SCRIPTDIR source=window.sh
source "$here/window.sh"

# plug_in PLACE...: a smaller monitor, as xrandr says where. No other mode is of its size, so that GLFW does not change it.
plug_in()
{
  xrandr --output DUMMY1 --mode 1000x750 "$@"
  xrandr --query > /dev/null      # only now the server finds that it is connected
}
xrandr --newmode 1000x750 60.0 1000 1040 1140 1300 750 753 757 790
xrandr --addmode DUMMY1 1000x750
xrandr --output DUMMY0 --mode 1280x800
plug_in --right-of DUMMY0

# is_at WINDOW X WIDTH HEIGHT: bars of the desktop may be above it.
is_at()
{
  local X Y WIDTH HEIGHT SCREEN WINDOW
  eval "$(xdotool getwindowgeometry --shell "$1")"
  [[ "$X $WIDTH" == "$2 $3" ]] && ((HEIGHT <= $4 && HEIGHT > $4 - 60))
}
is_visible()
{
  xdotool search --onlyvisible --name '^Slotscape' | grep -qx "$1"
}
# expect_at WINDOW X WIDTH HEIGHT FAILURE
expect_at()
{
  within 20 is_at "${@:1:4}" || fail "$5: $(xdotool getwindowgeometry "$1" | tr '\n' ' ')"
}

cat > "$folder/lecture.json" <<'JSON'
{ "version": 1, "title": "Two monitors", "pages": [
  { "title": "First", "text": "A table of 16 slots.", "notes": "For the presenter alone.",
    "set_up": { "table": { "slots": 16 } } },
  { "title": "Second", "text": "The same." } ] }
JSON

# move X Y: the audience's window, and a frame later the program knows.
move()
{
  xdotool windowmove --sync "$window" "$1" "$2"
  await moving=0
  await moving=0
}

# --- without a window manager, the program alone decides which monitor it fills
start lecture "$folder/lecture.json"
settled
move 1300 4
press F11
settled
expect_at "$window" 1280 1000 750 "full screen is not on the monitor that has most of the window"
press F11
settled
expect_at "$window" 1300 1200 760 "the window did not return from full screen"
move 40 20
press F11
settled
expect_at "$window" 0 1280 800 "full screen is not on the first monitor"
# The first monitor moves over, and back when the other one is gone: the window was where no monitor is now.
press F11
settled
plug_in --left-of DUMMY0
move 1100 20
press F11
settled
expect_at "$window" 1000 1280 800 "full screen is not on the monitor at the right"
xrandr --output DUMMY1 --off --output DUMMY0 --pos 0x0
xrandr --query > /dev/null
press F11
settled
expect_at "$window" 0 1200 760 "the window returned to where no monitor is"
stop ctrl+q

# --- with a window manager: the presenter's window is on the other monitor, wherever the audience's is
plug_in --right-of DUMMY0
openbox 2> "$folder/openbox.txt" &
within 20 xdotool get_num_desktops > /dev/null 2>&1 || fail "openbox did not start"
presenter_is_there()
{
  presenter=$(xdotool search --onlyvisible --name 'for the presenter' 2> /dev/null | head -n 1) && [[ -n $presenter ]]
}
presenter_is_gone()
{
  ! presenter_is_there
}
# press_until KEY COMMAND...: a key may come before the focus does; one that came to no window was not counted.
press_until()
{
  local key=$1 attempt
  shift
  for attempt in 1 2 3; do
    xdotool windowactivate --sync "$window"
    xdotool key "$key"
    if within 10 "$@"; then return; fi
  done
  fail "after $attempt presses of $key: not $*"
}
start lecture "$folder/lecture.json"
press_until ctrl+n presenter_is_there
expect_at "$presenter" 1280 1000 750 "the presenter's window does not fill the other monitor"
press_until ctrl+n presenter_is_gone
move 1290 30
press_until ctrl+n presenter_is_there
expect_at "$presenter" 0 1280 800 "the presenter's window is not where the audience's is not"

# --- the audience goes on seeing a full screen while the presenter works in her own window
press_until F11 is_at "$window" 1280 1000 750
xdotool windowactivate --sync "$presenter"
sleep 1                           # that nothing happens
is_visible "$window" || fail "the audience's full screen went away when the presenter's window got the focus"
is_at "$window" 1280 1000 750 || fail "the audience's full screen changed when the presenter's window got the focus"

# --- the audience's monitor is unplugged and plugged in again
xrandr --output DUMMY1 --off
xrandr --query > /dev/null
on_first_monitor()
{
  # shellcheck disable=SC2034
  local X Y WIDTH HEIGHT SCREEN WINDOW
  eval "$(xdotool getwindowgeometry --shell "$1")"
  ((X >= 0 && X + WIDTH / 2 < 1280)) && is_visible "$1"
}
within 20 on_first_monitor "$window" || fail "the audience's window went with its monitor"
within 20 on_first_monitor "$presenter" || fail "the presenter's window went with the audience's monitor"
press_until ctrl+n presenter_is_gone
press_until ctrl+n presenter_is_there
within 20 on_first_monitor "$presenter" || fail "the presenter's window opened where no monitor is"
press_until F11 is_at "$window" 0 1280 800
plug_in --right-of DUMMY0
press_until ctrl+n presenter_is_gone
press_until ctrl+n presenter_is_there
expect_at "$presenter" 1280 1000 750 "the presenter's window does not know the monitor that was plugged in again"
xdotool windowactivate --sync "$window"
stop ctrl+q

echo "$test_name: passed"
