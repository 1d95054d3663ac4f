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

# Another version is refused.
printf 'cmake_minimum_required(VERSION 3.22)\nproject(other LANGUAGES NONE)\nfind_package(slotscape 9 REQUIRED)\n' \
  > "$folder/CMakeLists.txt"
if "$cmake" -S "$folder" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/installed" > "$log" 2>&1; then
  fail "the library passes for version 9"
fi

[[ -e $folder/build/sensors_cuda ]] || echo "library_test: there is no CUDA compiler, so the example for GPUs was not built"
echo "library_test: passed"
