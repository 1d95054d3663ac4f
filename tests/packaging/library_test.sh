#!/usr/bin/env bash
# Builds the example of docs/using-the-tables.md with the installed library, and runs it on the CPU: with cmake ($1), from
# build folder $2, in folder $3, which it leaves behind for library_cuda_test.sh. More arguments go to the example's cmake.
set -euo pipefail

fail()
{
  echo "library_test: $1" >&2
  exit 1
}

cmake=$1
build=$2
folder=$3
shift 3
example=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../docs/examples/using-the-tables")
rm -rf "$folder"
mkdir -p "$folder"
log=$folder/log.txt

# Installed in one place, used from another.
"$cmake" --install "$build" --component tables --prefix "$folder/first" > "$log" || fail "could not install: $(< "$log")"
mv "$folder/first" "$folder/installed"
[[ ! -e $folder/installed/bin ]] || fail "the program was installed with the headers"
if grep -rEn '#include *["<](fmt|gpu|GL|imgui)' "$folder/installed/include"; then
  fail "installed headers include what is not installed"
fi

# build_example FOLDER OPTION...
build_example()
{
  "$cmake" -S "$example" -B "$folder/$1" -DCMAKE_PREFIX_PATH="$folder/installed" "${@:2}" > "$log" 2>&1 \
    || fail "could not configure the example: $(< "$log")"
  "$cmake" --build "$folder/$1" --parallel 2 >> "$log" 2>&1 || fail "could not build the example: $(< "$log")"
}

# The compiler warns of nothing in the headers, even where they are no system's.
build_example build -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" \
  "-DCMAKE_CUDA_FLAGS=-Werror=all-warnings" "$@"
"$folder/build/sensors" | tee "$folder/sensors.txt" || fail "the example is wrong: $(< "$folder/sensors.txt")"
"$folder/build/types" || fail "the example with types of its own is wrong"
grep -qx '1000000 readings come from 32769 different sensors' "$folder/sensors.txt" || fail "it counts wrongly"

build_example without_tbb -DSLOTSCAPE_WITHOUT_TBB=ON -DCMAKE_CUDA_COMPILER=
"$folder/without_tbb/sensors" | cmp - "$folder/sensors.txt" || fail "without oneTBB, the example says something else"
if ldd "$folder/without_tbb/sensors" | grep libtbb; then fail "oneTBB was linked"; fi

# As a folder of another project; with FetchContent, which calls add_subdirectory.
mkdir "$folder/other_project"
cat > "$folder/other_project/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.22)
project(other LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(slotscape SOURCE_DIR "${example%/docs/*}")
FetchContent_MakeAvailable(slotscape)
add_executable(sensors "$example/sensors.cpp")
target_link_libraries(sensors PRIVATE slotscape::tables)
END
"$cmake" -S "$folder/other_project" -B "$folder/other_project/build" -DCMAKE_BUILD_TYPE=Release > "$log" 2>&1 \
  || fail "could not configure it as a folder: $(< "$log")"
"$cmake" --build "$folder/other_project/build" >> "$log" 2>&1 || fail "could not build it as a folder: $(< "$log")"
"$folder/other_project/build/sensors" | cmp - "$folder/sensors.txt" || fail "as a folder, it says something else"

# What a table cannot be is said in a sentence.
# refuses TABLE SENTENCE
refuses()
{
  printf '%s\n' '#include <slotscape/table.hpp>' '#include <string>' '#include <vector>' 'using namespace slotscape;' \
    'struct Padded { char a; int b; };' 'struct Large { long a, b; };' "$1" > "$folder/refused.cpp"
  if "${CXX:-c++}" -std=c++20 -fsyntax-only -DSLOTSCAPE_WITHOUT_TBB -I"$folder/installed/include" \
    "$folder/refused.cpp" > "$log" 2>&1; then
    fail "the compiler takes: $1"
  fi
  grep -qF "$2" "$log" || fail "$1 is not refused with '$2', but: $(head -5 "$log")"
}
refuses 'CpuTable<families::swiss, Padded, int> table({.slots = 64});' 'say how they are told apart'
refuses 'CpuTable<families::swiss, std::string, int> table({.slots = 64});' 'Keys must be trivially copyable.'
refuses 'CpuTable<families::swiss, int, std::string> table({.slots = 64});' 'Values must be trivially copyable.'
refuses 'CpuTable<families::swiss, std::string_view, int> table({.slots = 64});' 'would be compared by its address'
refuses 'void f(CpuTable<families::swiss, int, float> table, std::vector<int> k, std::vector<float> v) { table.insert(k, v, 4); }' \
  'Arrays are passed as pointers'
refuses 'CpuTable<families::slab, long, int> table({.slots = 64});' 'This family has 32-bit words'
refuses 'CpuSet<families::linear_probing, int> set({.slots = 64});' 'Sets have keys of type std::uint32_t or std::uint64_t'
refuses 'CpuTable<families::swiss, int, Large> table({.slots = 64});
         void add(int* k, Large* v) { table.insert_or_add(k, v, 1).or_throw(); }' 'Only numbers can be added up'

# Another version is refused.
printf 'cmake_minimum_required(VERSION 3.22)\nproject(other LANGUAGES NONE)\nfind_package(slotscape 9 REQUIRED)\n' \
  > "$folder/CMakeLists.txt"
if "$cmake" -S "$folder" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/installed" > "$log" 2>&1; then
  fail "the library passes for version 9"
fi

[[ -e $folder/build/sensors_cuda ]] || echo "library_test: there is no CUDA compiler, so the example for GPUs was not built"
echo "library_test: passed"
