#!/usr/bin/env bash
# A lecturer with her own example: she makes a page of it, shows it to an audience, counts votes, and has a window of her own.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=window.sh
source "$(dirname "${BASH_SOURCE[0]}")/window.sh"

# --- three keys, typed without a click, become a page about the last one
cat > "$folder/empty.json" <<'JSON'
{ "version": 1, "table": { "family": "linear_probing", "slots": 16, "hash": "identity" } }
JSON
start run "$folder/empty.json"
settled
stop ctrl+q
use_own_dialog
start run "$folder/empty.json"
settled
xdotool type '1'                  # goes to the field, which gets the keyboard
await typing=1
type_text '7, 33'
press Return
settled moving=0
type_text '49'
press Return
settled moving=0
press ctrl+m
settled popups=1
xdotool mousemove --window "$window" 10 750
picture dialog
press Return
settled popups=1 typing=1         # where to save it
press ctrl+a
type_text "$folder/mine.json"
press Return
settled popups=0
[[ -s $folder/mine.json ]] || fail "no page was made"
xdotool type '3'                  # the answer: 17 and 33 are in slots 1 and 2
keys=$((keys + 1))
await typing=1
press Return
settled moving=0
stop ctrl+q
python3 - "$folder/mine.json" "$XDG_CONFIG_HOME/slotscape/settings.json" <<'PYTHON' || fail "the page does not ask what it should"
import json, os, sys
page = json.load(open(sys.argv[1]))["pages"][0]
kept = json.load(open(sys.argv[2]))["lessons"]     # under the file's path: another lesson of its name is another
points = [each["points"] for each in kept if each["lesson"] == os.path.realpath(sys.argv[1])]
print(page["task"], kept)
sys.exit(0 if page["task"]["operation"]["key"] == 49 and page["task"]["answer"] == "3" and points == [[2]] else 1)
PYTHON
"$program" lesson "$folder/mine.json" --check || fail "the page is not right"

# --- a vote in lecture mode: digits are hidden, then shown; a second round
cat > "$folder/votes.json" <<'JSON'
{ "version": 1, "title": "Votes", "pages": [
  { "title": "Choose", "text": "A table of 16 slots.", "notes": "Wait for the last hand.",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [17, 33] } ] },
    "task": { "kind": "choice", "ask": "Where will 49 land?", "keep_order": true,
              "options": [ { "text": "In slot 1", "tell": "It is taken." }, { "text": "In slot 3", "right": true } ] } },
  { "title": "Second", "text": "Nothing is asked.", "notes": "The end." } ] }
JSON
page_words=400x300+0+0            # of the audience's window
start lecture "$folder/votes.json"
settled
picture asked
xdotool type 'v'
keys=$((keys + 1))
await typing=1
type_text '12'
press Return
settled typing=1
type_text '30'
press Return
settled typing=0
picture counted
press Return
settled
picture shown
! same asked shown "$page_words" || fail "no votes were drawn"

# --- the presenter's window: her keys do what they do in the audience's, which looks the same without hers
main_window=$window
presenter_is_there()
{
  presenter=$(xdotool search --onlyvisible --name 'for the presenter' 2> /dev/null | head -n 1) && [[ -n $presenter ]]
}
presenter_is_gone()
{
  ! presenter_is_there
}
# A key may come before the focus does, on a busy machine: then it is pressed again.
open_presenter()
{
  local attempt
  for attempt in 1 2 3; do
    press ctrl+n
    if within 15 presenter_is_there; then return; fi
    keys=$((keys - 1))              # it came to no window, so that nobody counts it
  done
  fail "$1, after $attempt presses"
}
open_presenter "there is no window for the presenter"
xdotool windowfocus --sync "$presenter"
settled
sleep 0.5
import -silent -window "$presenter" "$folder/presenter.png"
[[ $(identify -format %k "$folder/presenter.png") -gt 50 ]] || fail "the presenter's window is empty"
press ctrl+n
within 30 presenter_is_gone || fail "the presenter's window did not close"
xdotool windowfocus --sync "$main_window"
settled
xdotool keydown ctrl               # N is not held any more, though it went down in the window that is gone
sleep 1.5
xdotool keyup ctrl
presenter_is_gone || fail "Ctrl alone opened the presenter's window"
expect_same shown without_presenter "the audience's window changed with the presenter's" "$page_words"
open_presenter "the presenter's window did not open again"
xdotool windowfocus --sync "$presenter"
settled
sleep 0.5                         # the window has the focus before its program knows
press Next                        # Page Down shows the answer, and then the next page
settled
press Next
settled
import -silent -window "$presenter" "$folder/presenter_2.png"
! same presenter presenter_2 || fail "the presenter's window shows the page before"
press ctrl+n
within 30 presenter_is_gone || fail "the presenter's window did not close again"
xdotool windowfocus --sync "$main_window"
settled
expect_change shown second_page "a key in the presenter's window did not turn the page" "$page_words"
stop ctrl+q

echo "$test_name: passed"
