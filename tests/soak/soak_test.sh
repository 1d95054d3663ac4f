#!/usr/bin/env bash
# A soak of seconds: soak_test.sh PROGRAM. It is killed, goes on from its state, and has done some of everything.
set -euo pipefail

fail()
{
  printf 'soak_test.sh: %s\n' "$*" >&2
  exit 1
}

program=$1
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
state=$folder/soak.json
soak=("$program" --backend cpu --state "$state" --cycle 3)
cd "$folder"

"${soak[@]}" --minutes 10 > first.txt 2>&1 &
process=$!
for ((tenth = 0; tenth < 600; ++tenth)); do
  if grep -qs '"cycles": [1-9]' "$state"; then break; fi
  sleep 0.1
done
kill -ABRT "$process"
wait "$process" 2> /dev/null || true
grep -q 'ended by a signal in: [a-z]' first.txt || fail "it did not say in what it was ended: $(cat first.txt)"
grep -q '"cycles": [1-9]' "$state" || fail "no cycle came to its end: $(cat first.txt)"

"${soak[@]}" --minutes 0.05 > second.txt 2>&1 || fail "something is wrong: $(cat second.txt)"
grep -q '^going on after [1-9]' second.txt || fail "it did not go on: $(cat second.txt)"
for done in recordings 'pages of lessons' 'questions answered' 'sweeps of tuning' 'commands of other scenes' 'files saved' \
  'sessions that were gone on with'; do
  grep -q "[1-9].*  $done\$" second.txt || fail "no $done: $(cat second.txt)"
done
printf '{"version": 1}' > "$state"
if "${soak[@]}" > third.txt 2>&1; then fail 'it went on from a file that is none of its own'; fi
grep -q 'name another --state' third.txt || fail "it did not say what to do: $(cat third.txt)"
