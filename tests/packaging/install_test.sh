#!/usr/bin/env bash
# Installs the program (cmake in $1, build folder in $2) into a folder of its own and uses it from there. Checks what it
# tells the desktop with the desktop's own tools, those that are installed.
set -euo pipefail

fail()
{
  echo "install_test: $1" >&2
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --install "$2" --prefix "$folder/installed" > "$folder/log.txt" 2>&1 || fail "could not install: $(< "$folder/log.txt")"
share=$folder/installed/share

for file in applications/slotscape.desktop icons/hicolor/scalable/apps/slotscape.svg mime/packages/slotscape.xml \
  metainfo/slotscape.metainfo.xml man/man1/slotscape.1.gz doc/slotscape/copyright; do
  [[ -s $share/$file ]] || fail "share/$file is missing"
done
# The module of lesson pages is installed, or a warning says how to build it.
[[ -s $share/slotscape/web/lesson_page.wasm.gz ]] || grep -q 'Installed without lesson_page.wasm.gz' "$folder/log.txt" ||
  fail "lesson_page.wasm.gz is missing, and nothing says so"

# The scenario comes from beside the program: from here, no other has this name.
cd "$folder"
"$folder/installed/bin/slotscape" run tour/1-half-full --backend cpu --headless --frames 1 --screenshot picture.png
[[ -s picture.png ]] || fail "no picture was drawn"
rm -r "$share/slotscape"
mkdir -p "$share/slotscape/tour"
echo broken > "$share/slotscape/tour/1-half-full.slotscape.json"
if "$folder/installed/bin/slotscape" run tour/1-half-full --backend cpu --headless 2> errors.txt; then
  fail "another scenario was run than the one installed beside the program"
fi
grep -q "^slotscape: $share/slotscape/tour" errors.txt || fail "the message names another file: $(< errors.txt)"

# check TOOL ARGUMENTS...: nothing if the tool is not installed.
check()
{
  ! command -v "$1" > /dev/null || "$@" || fail "$*"
}

check desktop-file-validate "$share/applications/slotscape.desktop"
check xmllint --noout "$share/icons/hicolor/scalable/apps/slotscape.svg" "$share/mime/packages/slotscape.xml" \
  "$share/metainfo/slotscape.metainfo.xml"
check update-mime-database "$share/mime"
if [[ -e $share/mime/globs2 ]]; then
  grep -q '^60:application/x-slotscape+json:\*\.slotscape\.json$' "$share/mime/globs2" || fail "scenarios have no type"
fi
if command -v man > /dev/null; then
  man --warnings --local-file "$share/man/man1/slotscape.1.gz" > page.txt 2> warnings.txt
  [[ ! -s warnings.txt ]] || fail "the manual page: $(< warnings.txt)"
fi
echo "install_test: passed"
