#!/usr/bin/env bash
# gpu/library/watch.hpp of the sources in $1 compiles without a warning, alone and in two translation units of a program,
# with each of the compilers $3...; switched off, it leaves nothing behind. Works in folder $2.
set -euo pipefail

source=$1
folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder/slotscape" "$folder/run"
cp "$source/gpu/library/watch.hpp" "$folder/slotscape/"
cd "$folder"

fail()
{
  echo "header_test: $1" >&2
  exit 1
}

cat > first.cpp << 'CODE'
#include <slotscape/watch.hpp>

int second();

int main()
{
  std::vector<std::uint64_t, slotscape::watch_allocator<std::uint64_t>> keys(1 << 16);
  auto layout = slotscape::WatchLayout::keys<std::uint64_t>(keys.size());
  layout.empty_key = 0;
  slotscape::Watch watch("first", keys.data(), keys.size(), layout);
  keys[static_cast<std::size_t>(second())] = 7;
  watch.mark("one key");
  return watch.problem().empty() ? 0 : 1;
}
CODE
cat > second.cpp << 'CODE'
#include <slotscape/watch.hpp>

int second()
{
  std::vector<std::uint64_t> keys(100);
  slotscape::WatchOptions options;
  options.snapshots = true;
  slotscape::Watch watch("second", keys.data(), keys.size(), R"({"slots": 100})", options);
  watch.snapshot();
  return static_cast<int>(watch.viewers());
}
CODE

strict=(-std=c++17 -O2 -I . -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror)
tried=0
last=
for compiler in "$@"; do
  program=$(command -v "$compiler") || continue
  program=$(realpath "$program")
  [[ $program != "$last" ]] || continue  # the same one by another name
  last=$program
  tried=$((tried + 1))
  "$compiler" "${strict[@]}" -o watching first.cpp second.cpp || fail "$compiler does not take the header"
  "$compiler" "${strict[@]}" -std=c++20 -fsyntax-only first.cpp || fail "$compiler does not take the header as C++20"
  XDG_RUNTIME_DIR=$folder/run ./watching || fail "the program does not work"
  [[ -z $(ls run/slotscape) ]] || fail "the program left $(ls run/slotscape) behind"
  nm watching | grep pthread_create > /dev/null || fail "this test cannot see threads"

  for unit in first second; do
    "$compiler" "${strict[@]}" -DSLOTSCAPE_WATCH_OFF -c -o $unit.o $unit.cpp || fail "$compiler: switched off"
  done
  "$compiler" -o quiet first.o second.o
  ./quiet || fail "the program does not work with the watch switched off"
  if nm --demangle first.o second.o | grep -E 'slotscape|pthread|socket|memfd|process_vm'; then
    fail "$compiler: switched off, it leaves symbols behind"
  fi
done
[[ $tried -gt 0 ]] || fail "none of these compilers is installed: $*"
echo "header_test: passed with $tried compilers"
