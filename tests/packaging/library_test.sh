#!/usr/bin/env bash
# Builds the example of docs/using-the-tables.md with the installed library, found in each way that there is, and runs it on
# the CPU: with cmake ($1), from build folder $2, in folder $3, which it leaves behind for library_cuda_test.sh. More
# arguments go to the example's cmake.
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

# value_of VARIABLE ARGUMENT...: what -DVARIABLE=VALUE among the arguments says.
value_of()
{
  local argument
  for argument in "${@:2}"; do
    [[ $argument != -D$1=* ]] || printf '%s\n' "${argument#*=}"
  done
}
launcher=$(value_of CMAKE_CXX_COMPILER_LAUNCHER "$@")
nvcc=$(value_of CMAKE_CUDA_COMPILER "$@")
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

# build_example FOLDER TARGET OPTION...
build_example()
{
  "$cmake" -S "$example" -B "$folder/$1" -DCMAKE_PREFIX_PATH="$folder/installed" "${@:3}" > "$log" 2>&1 \
    || fail "could not configure the example: $(< "$log")"
  "$cmake" --build "$folder/$1" --target "$2" --parallel 2 >> "$log" 2>&1 \
    || fail "could not build the example: $(< "$log")"
}

# The compiler warns of nothing in the headers, even where they are no system's.
build_example build all -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" \
  "-DCMAKE_CUDA_FLAGS=-Werror=all-warnings" "$@"
"$folder/build/sensors" | tee "$folder/sensors.txt" || fail "the example is wrong: $(< "$folder/sensors.txt")"
"$folder/build/types" || fail "the example with types of its own is wrong"
for program in kmers cache neighbours ranks; do
  "$folder/build/$program" || fail "$program is wrong"
done
printf '>one\nACGTA\nCN\n>two\r\ngt\r\n' > "$folder/two.fasta"
"$folder/build/kmers" "$folder/two.fasta" 2 > "$log" || fail "kmers does not read FASTA"
printf '%s\n' '3 different 2-mers' 'AC 4' 'CG 1' 'TA 1' | cmp - "$log" || fail "kmers counts wrongly: $(< "$log")"
"$folder/build/coming_from" || fail "the example of coming from other tables is wrong"
here=$(dirname "${BASH_SOURCE[0]}")
python3 "$here/check_snippets.py" "${example%/examples/*}/coming-from-cucollections.md" "$example"/coming_from.c{u,pp} \
  || fail "the page shows code that nobody builds"
grep -qx '1000000 readings come from 32769 different sensors' "$folder/sensors.txt" || fail "it counts wrongly"

build_example without_tbb sensors -DSLOTSCAPE_WITHOUT_TBB=ON -DCMAKE_CUDA_COMPILER= "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"
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
"$cmake" -S "$folder/other_project" -B "$folder/other_project/build" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" > "$log" 2>&1 \
  || fail "could not configure it as a folder: $(< "$log")"
"$cmake" --build "$folder/other_project/build" >> "$log" 2>&1 || fail "could not build it as a folder: $(< "$log")"
"$folder/other_project/build/sensors" | cmp - "$folder/sensors.txt" || fail "as a folder, it says something else"

# As a Debian package, by pkg-config: with oneTBB, and without.
cpack=$(dirname "$cmake")/cpack
if command -v dpkg-deb > /dev/null && command -v pkg-config > /dev/null && [[ -x $cpack && -e $build/CPackConfig.cmake ]]; then
  "$cpack" --config "$build/CPackConfig.cmake" -B "$folder/package" -D CPACK_COMPONENTS_ALL=tables > "$log" 2>&1 \
    || fail "could not make the package of headers: $(< "$log")"
  package=$(echo "$folder"/package/libslotscape-dev_*_all.deb)
  dpkg-deb --info "$package" > "$log" || fail "there is no package libslotscape-dev for all architectures"
  grep -qx ' Description: hash tables for GPUs and CPUs, as headers' "$log" || fail "the package is described as another one"
  grep -qx ' Recommends: libtbb-dev' "$log" || fail "the package does not recommend oneTBB: $(< "$log")"
  dpkg-deb --extract "$package" "$folder/unpacked"
  [[ ! -e $folder/unpacked/usr/bin ]] || fail "the program is in the package of headers"
  [[ -s $folder/unpacked/usr/share/doc/libslotscape-dev/copyright ]] || fail "the package has no copyright"
  export PKG_CONFIG_PATH=$folder/unpacked/usr/share/pkgconfig
  # shellcheck disable=SC2046  # options are words
  "${CXX:-c++}" -std=c++20 "$example/sensors.cpp" $(pkg-config --cflags --libs slotscape-threads) -o "$folder/sensors" \
    > "$log" 2>&1 || fail "could not build it with pkg-config: $(< "$log")"
  "$folder/sensors" | cmp - "$folder/sensors.txt" || fail "built with pkg-config, it says something else"
  if pkg-config --exists tbb; then
    pkg-config --libs slotscape | grep -q -- -ltbb || fail "with pkg-config, oneTBB is not linked"
    pkg-config --cflags slotscape | grep -qF "$folder/unpacked/usr/" || fail "pkg-config names another folder"
  fi
else
  echo "library_test: without Debian's tools and pkg-config, the package of headers was not made"
fi

# What a debug build finds out.
"${CXX:-c++}" -std=c++20 -DSLOTSCAPE_WITHOUT_TBB -pthread -I"$folder/installed/include" "$here/misuse.cpp" -latomic \
  -o "$folder/misuse" > "$log" 2>&1 || fail "could not build misuse.cpp: $(< "$log")"
"$folder/misuse" || fail "a debug build does not find out misuse"

# `only_check`: the compiler's words to a file that includes slotscape/table.hpp first, which is compiled once for all of them.
mkdir -p "$folder/precompiled/slotscape"
only_check=("${CXX:-c++}" -std=c++20 -DSLOTSCAPE_WITHOUT_TBB)
"${only_check[@]}" -I"$folder/installed/include" -x c++-header "$folder/installed/include/slotscape/table.hpp" \
  -o "$folder/precompiled/slotscape/table.hpp.gch" > "$log" 2>&1 || fail "could not precompile the headers: $(head -5 "$log")"
only_check+=(-fsyntax-only -I"$folder/precompiled" -I"$folder/installed/include")

# What a table cannot be is said in a sentence.
# refuses TABLE SENTENCE
refuses()
{
  printf '%s\n' '#include <slotscape/table.hpp>' '#include <string>' '#include <vector>' 'using namespace slotscape;' \
    'struct Padded { char a; int b; };' 'struct Large { long a, b; };' "$1" > "$folder/refused.cpp"
  if "${only_check[@]}" "$folder/refused.cpp" > "$log" 2>&1; then
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
refuses 'CpuSet<families::swiss, std::string> set({.slots = 64});' 'Keys must be trivially copyable.'
refuses 'CpuTable<families::swiss, int, Large> table({.slots = 64});
         void add(int* k, Large* v) { table.insert_or_add(k, v, 1).or_throw(); }' 'Only numbers can be added up'
refuses 'bool is_there = CpuTable<families::linear_probing, int, int>({.slots = 64}).view().contains(LaneGroup<8>{}, 7);' \
  'In this family, one thread serves a call'
refuses $'#include <slotscape/block_table.hpp>\nBlockSet<float, 64> set;' 'are equal exactly if their bits are'
refuses $'#include <slotscape/block_table.hpp>\nBlockTable<int, Large, 64> table;' 'keep an array beside a BlockSet'

# What would change numbers is refused, in each call: one compilation for all that is refused with one sentence.
# refuses_each SENTENCE CALL...
refuses_each()
{
  printf '%s\n' '#include <slotscape/table.hpp>' '#include <vector>' 'using namespace slotscape; using namespace families;' \
    'using Words = CpuTable<linear_probing, std::uint32_t>; using Ints = CpuTable<linear_probing, int, int>;' \
    'struct Equal { bool operator()(int a, int b) const { return a == b; } };' \
    'struct Hash { std::uint64_t operator()(int key) const { return std::uint64_t(key); } };' \
    'using Rows = CpuTable<swiss, int, int, HashedBy<Hash, Equal>>; using Many = CpuMultiTable<swiss, int, float>;' \
    'using Pairs = CpuTable<swiss, std::pair<int, int>, int>; using Set = CpuSet<swiss, int>;' \
    'using Paged = CpuPagedTable<swiss>;' \
    'struct Places { std::uint64_t operator[](std::uint64_t i) const { return i; } };' > "$folder/refused.cpp"
  local first call
  first=$(wc -l < "$folder/refused.cpp")
  for call in "${@:2}"; do
    printf 'void f(%s& t, %s) { static_cast<void>(t.%s); }\n' "${call%% *}" "$(cut -d' ' -f2- <<< "${call%% : *}")" \
      "${call##* : }" >> "$folder/refused.cpp"
  done
  if "${only_check[@]}" "$folder/refused.cpp" > "$log" 2>&1; then
    fail "the compiler takes all that changes numbers"
  fi
  if grep -E 'error:' "$log" | grep -vF "$1"; then fail "there are other errors than '$1'"; fi
  for call in "${@:2}"; do
    first=$((first + 1))
    grep -q "refused.cpp:$first:" "$log" || fail "the compiler takes: $call"
  done
}
refuses_each 'Keys of this type would lose bits or signs' \
  'Words std::uint64_t* k, std::uint32_t* v : insert(k, v, 4)' 'Words int* k, std::uint32_t* v : find(k, v, 4)' \
  'Words double* k : erase(k, 4)' 'Words long* k, bool* b : contains_async(k, b, 4)' \
  'Words std::vector<float>::iterator k, std::uint32_t* v : insert_or_add(k, v, 4)' \
  'Ints std::uint64_t* k, bool* b : contains(k, b, 4)' 'Ints float* k, int* v : insert_async(k, v, 4)' \
  'Ints unsigned* k, int* v : find_async(k, v, 4)' 'Ints long* k, int* v : update(k, v, 4)' \
  'Rows double* k, int* v : insert(k, v, 4)' 'Pairs std::pair<long, int>* k, int* v : find(k, v, 4)' \
  'Set long* k : insert(k, 4)' 'Many long* k, float* v : build(k, v, 4)' \
  'Many double* k, std::uint32_t* n : count(k, n, 4)' 'Paged Places k, std::uint32_t* v : insert(k, v, 4)'
refuses_each 'Values of this type would lose digits or signs' \
  'Words std::uint32_t* k, double* v : update(k, v, 4)' 'Words std::uint32_t* k, int* v : insert_async(k, v, 4)' \
  'Ints int* k, long* v : insert_or_assign(k, v, 4)' 'Rows int* k, double* v : update(k, v, 4)' \
  'Rows int* k, unsigned* v : insert(k, v, 4)' 'Many int* k, double* v : build(k, v, 4)' \
  'Paged std::uint32_t* k, Places v : insert_or_min(k, v, 4)'
refuses_each 'Keys or values of the table would lose digits or signs' \
  'Ints int* k, short* v : find(k, v, 4)' 'Ints int* k, float* v : export_pairs(k, v, 4)' \
  'Ints unsigned* k, int* v : export_pairs(k, v, 4)' 'Rows int* k, bool* v : find_async(k, v, 4)' \
  'Rows int* k, char* v : find(k, v, 4)' 'Set short* k : export_keys(k, 4)'

# What loses nothing is taken: smaller numbers, and single keys as they are written.
cat > "$folder/taken.cpp" << 'END'
#include <slotscape/table.hpp>
#include <vector>
using namespace slotscape;
int main()
{
  std::vector<std::uint16_t> const small{1, 2};
  std::vector<std::uint8_t> const smaller{3, 4};
  CpuTable<families::linear_probing, std::uint32_t> words({.slots = 64});
  words.insert(small.begin(), smaller.data(), 2).or_throw();
  CpuTable<families::linear_probing, std::int64_t, double> doubles({.slots = 64});
  doubles.insert(small.data(), small.data(), 2).or_throw();
  words.mutable_view().insert(7, 8);
  int const key = 7;
  return words.view().find(key).value == 8 && words.view().contains(2) && doubles.view().find(2).value == 2.0 ? 0 : 1;
}
END
"${CXX:-c++}" -std=c++20 -DSLOTSCAPE_WITHOUT_TBB -pthread -I"$folder/installed/include" "$folder/taken.cpp" -latomic \
  -o "$folder/taken" > "$log" 2>&1 || fail "the compiler refuses what loses nothing: $(head -5 "$log")"
"$folder/taken" || fail "smaller keys are taken wrongly"

# What a GPU cannot call is refused by the compiler: a hash, an equality, a predicate, an array and what updates a value.
if [[ -n $nvcc ]]; then
  if "$nvcc" -std=c++20 --expt-relaxed-constexpr -I"$folder/installed/include" -c "$here/host_only.cu" -o "$folder/host_only.o" \
    > "$log" 2>&1; then
    fail "nvcc takes functions of the host"
  fi
  for called in HostHash HostEqual HostPredicate HostArray HostUpdate; do
    grep -F "calling a __host__ function(\"$called::" "$log" | grep -qE '(function_objects|arrays)_of_the_GPU_need___device__' \
      || fail "nvcc does not refuse $called: $(grep error "$log")"
  done
  if grep -F 'error: calling' "$log" | grep -F Device; then fail "nvcc refuses what a GPU can call"; fi

  # Without CMake, the option that nvcc needs is named.
  echo '#include <slotscape/cuda_table.cuh>' > "$folder/bare.cu"
  if "$nvcc" -std=c++20 -I"$folder/installed/include" -c "$folder/bare.cu" -o "$folder/bare.o" > "$log" 2>&1; then
    fail "nvcc takes the tables without --expt-relaxed-constexpr"
  fi
  grep -F "need nvcc's options -std=c++20 --expt-relaxed-constexpr" "$log" > "$folder/named" || fail "nvcc's options are not named: $(head -5 "$log")"
fi

# Another version is refused.
printf 'cmake_minimum_required(VERSION 3.22)\nproject(other LANGUAGES NONE)\nfind_package(slotscape 9 REQUIRED)\n' \
  > "$folder/CMakeLists.txt"
if "$cmake" -S "$folder" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/installed" > "$log" 2>&1; then
  fail "the library passes for version 9"
fi

[[ -e $folder/build/sensors_cuda ]] || echo "library_test: there is no CUDA compiler, so the example for GPUs was not built"
echo "library_test: passed"
