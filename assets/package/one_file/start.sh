#!/bin/sh
# Slotscape @VERSION@ in one file. It unpacks itself once, into a folder of the user's cache that may be deleted at any time,
# and starts from there. What follows the last line is a compressed archive.
set -eu
folder=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/slotscape/@HASH@

fail()
{
  printf 'slotscape: %s\n' "$1" >&2
  exit 1
}

unpack()
{
  machine=$(uname -sm)
  [ "$machine" = "Linux x86_64" ] ||
    fail "This file is for Linux on x86_64, and this machine is $machine. There, Slotscape is to be compiled: see README.md."
  if ! mkdir -p "${folder%/*}" || ! new=$(mktemp -d "$folder.XXXXXX"); then
    fail "Cannot write to ${folder%/*}, where the program unpacks itself: set XDG_CACHE_HOME to a folder that you can write to."
  fi
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  if ! { tail -n "+@LINE@" "$0" | gzip -dc || : > "$new/broken"; } 2> /dev/null | tar -xf - -C "$new" 2> /dev/null ||
    [ -e "$new/broken" ]; then
    fail "Could not unpack into ${folder%/*}. There is no room for it, or this file is not whole: then download it again."
  fi
  "$new/bin/slotscape" --version > "$new/log" 2>&1 ||
    fail "The program does not start in ${folder%/*}: $(cat "$new/log")
It needs glibc 2.31 or newer (Debian 11, Ubuntu 20.04), and a folder from which programs may be started: XDG_CACHE_HOME names another."
  mv -T "$new" "$folder" 2> /dev/null || [ -e "$folder/bin/slotscape" ] || fail "Could not write $folder."
  rm -rf "$new"  # is there where it was unpacked twice at once
  trap - EXIT HUP INT TERM
}

[ -e "$folder/bin/slotscape" ] || unpack
exec "$folder/bin/slotscape" "$@"
