#include "app/base/files.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/code.hpp"
#include "app/tuning/key_code.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/paths.hpp"

namespace slotscape::tuning {
namespace {

using slotscape::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Enough of CUDA for kernels whose threads run one after another.
constexpr char const* cuda_on_the_host = R"(
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define __global__
#define __device__
#define __host__
struct Dim { unsigned x; };
inline Dim blockIdx{0}, blockDim{1}, threadIdx{0};
template <class T> T atomicExch(T* place, T value) { T const old = *place; *place = value; return old; }
template <class T> T atomicAdd(T* place, T value) { return atomicExch(place, *place + value); }
template <class T> T atomicCAS(T* place, T expected, T value) { T const old = *place; if (old == expected) { *place = value; } return old; }
template <class T> int cudaMalloc(T** memory, std::size_t bytes) { *memory = static_cast<T*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)); return 0; }
template <class T> int cudaMallocManaged(T** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
constexpr int cudaSuccess = 0;
inline int cudaDeviceSynchronize() { return 0; }
inline int cudaGetLastError() { return 0; }
inline char const* cudaGetErrorString(int) { return ""; }
template <class Thread> void launch(unsigned blocks, unsigned threads, Thread const& thread)
{
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) { thread(); }
  }
}
)";

bool can_run(std::string const& command)
{
  return std::system((command + " --version > /dev/null 2>&1").c_str()) == 0;
}

int run(std::string const& command)
{
  return std::system(command.c_str());
}

/// The compiler of the build, or else the one on the path.
std::string nvcc()
{
  return test::nvcc().empty() ? "nvcc" : test::nvcc();
}

/// Options for include folders, which CMake separates by semicolons.
std::string includes_of(std::string const& folders)
{
  std::istringstream list(folders);
  std::string options;
  for (std::string folder; std::getline(list, folder, ';');) { options += fmt::format(" -I '{}'", folder); }
  return options;
}

Candidate candidate(std::string const& family, std::uint64_t slots = 1024)
{
  Candidate wanted;
  wanted.table.family = family;
  wanted.table.slots = slots;
  wanted.load = 900.0 / static_cast<double>(slots);
  return wanted;
}

Candidate set_of(std::string const& family)
{
  Candidate wanted = candidate(family);
  wanted.table.keys_only = true;
  wanted.table.deletion = Deletion::tombstone_reuse;
  return wanted;
}

/// Those with a listing, in all their shapes.
std::vector<Candidate> listed_candidates()
{
  std::vector<Candidate> list;
  for (std::string const family : {"linear_probing", "simple_hash", "double_hashing", "quadratic", "cuckoo"}) {
    bool const prime = family != "quadratic";
    for (int const bits : {32, 64}) {
      if (family == "cuckoo" && bits == 64) { continue; }
      Candidate& plain = list.emplace_back(candidate(family));
      plain.table.key_bits = bits;
      Candidate other = candidate(family, prime ? 1031 : 1024);
      other.table.key_bits = bits;
      other.table.deletion = Deletion::tombstone_reuse;
      other.table.hash = bits == 32 ? HashKind::fibonacci : HashKind::xxhash;
      other.table.combine = Combine::add;
      list.push_back(other);
    }
  }
  Candidate identity = candidate("linear_probing", 1031);
  identity.table.hash = HashKind::identity;
  identity.table.combine = Combine::keep_first;
  list.push_back(identity);
  for (std::uint64_t const slots : {1024u, 1031u}) {
    Candidate by_hand = candidate("double_hashing", slots);
    by_hand.table.hash = HashKind::identity;
    list.push_back(by_hand);
  }
  return list;
}

/// All that a library's table can be asked to be, each choice several times.
std::vector<Candidate> candidates_of_libraries()
{
  constexpr std::array hashes{HashKind::murmur3, HashKind::xxhash, HashKind::identity, HashKind::fibonacci};
  constexpr std::array combines{Combine::replace, Combine::keep_first, Combine::add, Combine::min, Combine::max};
  std::vector<Candidate> list;
  for (std::string const family : {"linear_probing", "quadratic", "double_hashing", "warp_cooperative"}) {
    for (std::size_t i = 0; i < hashes.size() * 2; ++i) {
      Candidate& wanted = list.emplace_back(candidate(family, 4096));
      wanted.table.hash = hashes[i % hashes.size()];
      wanted.table.key_bits = i < hashes.size() ? 32 : 64;
      wanted.table.combine = i % 2 == 0 ? Combine::replace : combines[list.size() % combines.size()];
      if (family == "warp_cooperative") { wanted.table.parameters["tile"] = 4; }
    }
  }
  return list;
}

/// One of several programs in a file: in a namespace of its own, without what it includes.
std::string in_namespace(std::string const& name, std::string const& text)
{
  std::string const body = std::regex_replace(text, std::regex("#include <[^>]*>\n"), "");
  return fmt::format("namespace {} {{\n{}}}\n", name, std::regex_replace(body, std::regex("int main\\("), "int run("));
}

Results results_of(Candidate const& wanted, double erase = 0.25)
{
  Results results;
  results.different = 900;
  results.workload.erase = erase;
  results.workload.key_bits = wanted.table.key_bits;
  return results;
}

TEST(TuneCode, ListingsOfPlainCudaAnswerRightWhenTheirThreadsRunOnTheHost)
{
  if (!can_run("c++")) { GTEST_SKIP() << "there is no C++ compiler here"; }
  TemporaryFolder const folder;
  std::string program = cuda_on_the_host;
  std::string calls;
  for (Candidate const& wanted : listed_candidates()) {
    Code const code = cuda_listing(wanted, 900);
    ASSERT_THAT(code.text, Not(IsEmpty())) << wanted.table.family;
    std::string const name = fmt::format("listing{}", calls.size());
    std::string const launched =
        std::regex_replace(code.text, std::regex(R"((\w+)<<<([^>]*)>>>\(([^;]*)\);)"), "launch($2, [&] { $1($3); });");
    program += in_namespace(name, launched);
    calls += fmt::format("  if ({}::run() != 0) {{ return 1; }}\n", name);
  }
  folder.write("all.cpp", program + fmt::format("int main()\n{{\n{}  return 0;\n}}\n", calls));
  std::string const at = folder.path().string();
  ASSERT_EQ(run(fmt::format("c++ -std=c++17 -O0 {0}/all.cpp -o {0}/all", at)), 0);
  EXPECT_EQ(run(at + "/all > " + at + "/out.txt"), 0) << read_text_file(folder / "out.txt");
}

/// Compiles programs for the device, each in a namespace of its own.
void expect_that_nvcc_takes(std::vector<std::string> const& programs, std::string const& options)
{
  TemporaryFolder const folder;
  std::set<std::string> includes;
  std::string bodies;
  std::regex const include("#include <[^>]*>\n");
  for (std::string const& program : programs) {
    includes.insert(std::sregex_token_iterator(program.begin(), program.end(), include), std::sregex_token_iterator());
    bodies += in_namespace(fmt::format("program{}", bodies.size()), program);
  }
  folder.write("all.cu", fmt::format("{}{}", fmt::join(includes, ""), bodies));
  EXPECT_EQ(run(fmt::format("{0} {1} -ptx {2}/all.cu -o {2}/all.ptx", nvcc(), options, folder.path().string())), 0);
}

TEST(TuneCode, ListingsOfPlainCudaCompile)
{
  if (!can_run(nvcc())) { GTEST_SKIP() << "there is no CUDA compiler here"; }
  std::vector<Candidate> list = listed_candidates();
  Candidate reuses = candidate("warp_cooperative");
  reuses.table.deletion = Deletion::tombstone_reuse;
  Candidate wide = candidate("warp_cooperative", 1031);
  wide.table.key_bits = 64;
  list.insert(list.end(), {reuses, wide});
  std::vector<std::string> programs;
  programs.reserve(list.size());
  for (Candidate const& wanted : list) { programs.push_back(cuda_listing(wanted, 900).text); }
  expect_that_nvcc_takes(programs, "-std=c++17");
}

/// The include folders of a library are those that the build was configured with.
void expect_that_code_compiles(CodeFor library, std::string const& folders, std::size_t least)
{
  if (folders.empty()) { GTEST_SKIP() << "its include folders are not known: SLOTSCAPE_..._INCLUDE names them"; }
  ASSERT_TRUE(can_run(nvcc())) << nvcc();
  std::vector<std::string> programs;
  for (Candidate const& wanted : candidates_of_libraries()) {
    double const erase = programs.size() % 3 == 0 ? 0.0 : 0.25;
    Code const code = code_of(library, wanted, results_of(wanted, erase));
    if (!code.text.empty()) { programs.push_back(code.text); }
  }
  ASSERT_GE(programs.size(), least);
  expect_that_nvcc_takes(programs,
                         "-std=c++17 -arch=sm_80 --expt-relaxed-constexpr --extended-lambda -w" + includes_of(folders));
}

TEST(TuneCode, CodeForCuCollectionsCompilesWhereItsHeadersAre)
{
  expect_that_code_compiles(CodeFor::cucollections, test::cucollections_include(), 20);
}

TEST(TuneCode, CodeForWarpCoreCompilesWhereItsHeadersAre)
{
  expect_that_code_compiles(CodeFor::warpcore, test::warpcore_include(), 15);
}

TEST(TuneCode, ThisProgramsLibraryCompiles)
{
  if (!can_run("c++")) { GTEST_SKIP() << "there is no C++ compiler here"; }
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "slotscape");
  folder.write("slotscape/table.hpp", "#include \"gpu/library/table.hpp\"\n");
  Candidate probing = candidate("warp_cooperative");
  probing.table.parameters["tile"] = 4;
  probing.table.hash = HashKind::xxhash;
  probing.table.deletion = Deletion::tombstone_reuse;
  Candidate wide = candidate("cuckoo");
  wide.table.key_bits = 64;
  wide.table.combine = Combine::add;
  Candidate set = set_of("funnel");
  set.table.parameters["inverse_delta"] = 128;
  std::string program = "#include <slotscape/table.hpp>\n#include <cstdint>\n";
  Candidate sharded = candidate("swiss", 4096);
  sharded.table.shards = 4;
  sharded.table.keys_start = KeysStart::one_device;
  for (Candidate const& wanted : {probing, wide, set, sharded}) {
    program += in_namespace(wanted.table.family, code_of(CodeFor::slotscape, wanted, results_of(wanted)).text);
  }
  folder.write("all.cpp", program);
  EXPECT_EQ(run(fmt::format("c++ -std=c++20 -fsyntax-only -I {0} -I {1} {0}/all.cpp", folder.path().string(),
                            test::in_project().string())),
            0);
}

TEST(TuneCode, ThisProgramsLibraryCompilesForCuda)
{
  if (!can_run(nvcc())) { GTEST_SKIP() << "there is no CUDA compiler here"; }
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "slotscape");
  folder.write("slotscape/cuda_table.cuh", "#include \"gpu/library/cuda_table.cuh\"\n");
  Candidate wanted = candidate("linear_probing");
  wanted.table.deletion = Deletion::tombstone_reuse;
  Results results = results_of(wanted);
  results.backend = Backend::cuda;
  Candidate sharded = wanted;
  sharded.table.shards = 2;
  expect_that_nvcc_takes({code_of(CodeFor::slotscape, wanted, results).text,
                          code_of(CodeFor::slotscape, sharded, results).text,
                          code_of(CodeFor::slotscape, set_of("linear_probing"), results).text},
                         fmt::format("-std=c++20 --expt-relaxed-constexpr --extended-lambda -diag-suppress=20011,20014 "
                                     "-I {} -I {}",
                                     folder.path().string(), test::in_project().string()));
}

TEST(TuneCode, TablesOfTheLibraryGrowBeforeKeysFindNoPlace)
{
  auto const grows_at = [](Candidate const& wanted) {
    std::string const text = code_of(CodeFor::slotscape, wanted, results_of(wanted)).text;
    std::smatch found;
    return std::regex_search(text, found, std::regex(R"(\.grow_at = ([0-9.]+)\})")) ? std::stod(found[1]) : 0.0;
  };
  EXPECT_DOUBLE_EQ(grows_at(candidate("cuckoo")), 0.95) << "as far as random keys are safe";
  EXPECT_DOUBLE_EQ(grows_at(candidate("linear_probing")), 0.95);
  Candidate full = candidate("linear_probing");
  full.load = 0.62;
  EXPECT_THAT(code_of(CodeFor::slotscape, full, results_of(full)).text,
              HasSubstr(
                  "Rates are those at load factor 0.62. At 0.95, where it grows, it is slower: to keep the load, set "
                  ".grow_at = 0.62."));
  full.load = 0.9804;
  EXPECT_THAT(code_of(CodeFor::slotscape, full, results_of(full)).text, Not(HasSubstr("to keep the load")));
  EXPECT_DOUBLE_EQ(grows_at(full), 0.981) << "the keys that it was chosen for fit";
  Candidate const set = set_of("linear_probing");
  EXPECT_DOUBLE_EQ(grows_at(set), 0.95);
  EXPECT_THAT(code_of(CodeFor::slotscape, set, results_of(set)).text,
              HasSubstr("It doubles its slots before it has more than 972 keys."));
  EXPECT_THAT(code_of(CodeFor::cuda, candidate("cuckoo"), results_of(candidate("cuckoo"))).remark,
              HasSubstr("It does not grow: it takes 72 more keys."));
}

/// The keys of a file, with what is known of them.
Results results_with(KeyFileNotes notes)
{
  Results results = results_of(candidate("linear_probing"));
  results.workload.source.distribution = KeyDistribution::file;
  results.workload.source.file_keys = with_notes({1, 2, 3}, std::move(notes));
  return results;
}

KeyFileNotes hashed_from(HashedFrom what)
{
  KeyFileNotes notes;
  notes.hashed_from = what;
  return notes;
}

KeyFileNotes signed_numbers()
{
  KeyFileNotes notes;
  notes.with_sign = true;
  return notes;
}

TEST(TuneCode, SaysHowTextsBecameKeys)
{
  for (EnumName<CodeFor> const& kind : enum_names<CodeFor>()) {
    Code const plain = code_of(kind.value, candidate("linear_probing"), results_with({}));
    EXPECT_THAT(plain.text, Not(HasSubstr("key_of_text"))) << kind.text;
    Code const code = code_of(kind.value, candidate("linear_probing"), results_with(hashed_from(HashedFrom::texts)));
    EXPECT_THAT(code.text, HasSubstr("std::uint64_t key_of_text(std::string_view text)")) << kind.text;
    EXPECT_THAT(code.remark, HasSubstr("Your keys are strings")) << kind.text;
    EXPECT_LT(code.text.rfind("#include"), code.text.find("key_of_text("));
    EXPECT_EQ(code.text.find("#include <cstdint>"), code.text.rfind("#include <cstdint>")) << "once";
  }
  Candidate const table = candidate("linear_probing");
  auto const remark = [&](KeyFileNotes const& notes) {
    return code_of(CodeFor::slotscape, table, results_with(notes)).remark;
  };
  EXPECT_THAT(remark(hashed_from(HashedFrom::rows)), HasSubstr("several columns"));
  EXPECT_THAT(remark(signed_numbers()), HasSubstr("negative"));
  KeyFileNotes others;
  others.units = "s";
  EXPECT_THAT(remark(others), HasSubstr("dates or times"));
  others.are_floats = true;
  EXPECT_THAT(remark(others), HasSubstr("64 bits"));
}

TEST(TuneCode, KeysOfTextsAndNumbersAreThoseOfTheFile)
{
  if (!can_run("c++")) { GTEST_SKIP() << "there is no C++ compiler here"; }
  TemporaryFolder const folder;
  constexpr std::array texts{"", "Ada", "12345678", "a longer text, of 26 bytes", "Grüße"};
  constexpr std::array<std::int64_t, 8> numbers{0,
                                                42,
                                                -1,
                                                -3,
                                                -4,
                                                std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::min() + 2,
                                                std::numeric_limits<std::int64_t>::max()};
  KeyCode const of_texts = code_of_keys(results_with(hashed_from(HashedFrom::texts)).workload.source);
  KeyCode const of_numbers = code_of_keys(results_with(signed_numbers()).workload.source);
  std::string program = of_texts.includes + of_numbers.includes + of_texts.code + of_numbers.code + "int main()\n{\n";
  for (char const* text : texts) {
    program +=
        fmt::format("  if (key_of_text(std::string_view(\"{}\")) != {}u) {{ return 1; }}\n", text, key_of_text(text));
  }
  for (std::int64_t const number : numbers) {
    program += fmt::format("  if (key_of_number(static_cast<std::int64_t>({}u)) != {}u) {{ return 2; }}\n",
                           static_cast<std::uint64_t>(number), key_of_signed(number));
  }
  folder.write("keys.cpp", program + "}\n");
  std::string const path = folder.path().string();
  ASSERT_EQ(run(fmt::format("c++ -std=c++17 -o {0}/keys {0}/keys.cpp", path)), 0) << program;
  EXPECT_EQ(run(path + "/keys"), 0) << program;
}

TEST(TuneCode, TablesByOthersAreThemselves)
{
  Candidate wanted = candidate("linear_probing");
  wanted.table.family = "std::unordered_map";
  for (EnumName<CodeFor> const& kind : enum_names<CodeFor>()) {
    Code const code = code_of(kind.value, wanted, results_of(wanted));
    EXPECT_THAT(code.text, IsEmpty());
    EXPECT_THAT(code.remark, HasSubstr("It is std::unordered_map itself, of libstdc++-dev: reserve room for 900 keys"));
  }
}

TEST(TuneCode, EveryFamilyHasCodeOrSaysWhyNot)
{
  for (std::string const& name : family_names()) {
    Candidate const wanted = candidate(name);
    for (EnumName<CodeFor> const& kind : enum_names<CodeFor>()) {
      Code const code = code_of(kind.value, wanted, results_of(wanted));
      EXPECT_NE(code.text.empty(), code.file.size() > 3) << name << " " << kind.text;
      EXPECT_FALSE(code.remark.empty()) << name << " " << kind.text;
      EXPECT_THAT(code.text, Not(HasSubstr("@"))) << name << " " << kind.text;
    }
  }
}

/// The library refuses them.
TEST(TuneCode, TablesThatMoveKeysBackAreNotWrittenOut)
{
  Candidate wanted = candidate("linear_probing");
  wanted.table.deletion = Deletion::shift;
  for (auto const& [kind, remark] : {std::pair(CodeFor::slotscape, "Use tombstones to get the same table"),
                                     std::pair(CodeFor::cuda, "Choose another way to erase")}) {
    Code const code = code_of(kind, wanted, results_of(wanted));
    EXPECT_THAT(code.text, IsEmpty());
    EXPECT_THAT(code.remark, HasSubstr(remark));
  }
}

TEST(TuneCode, SetsAreWrittenOutForThisProgramsLibraryOnly)
{
  Candidate const wanted = set_of("linear_probing");
  Results const results = results_of(wanted);
  EXPECT_THAT(code_of(CodeFor::slotscape, wanted, results).text,
              AllOf(HasSubstr("slotscape::CpuSet<slotscape::families::linear_probing, Key>"),
                    HasSubstr("set.insert(keys, count).or_throw()"), Not(HasSubstr("deletion"))));
  for (CodeFor const other : {CodeFor::cuda, CodeFor::cucollections, CodeFor::warpcore}) {
    EXPECT_THAT(code_of(other, wanted, results).text, IsEmpty());
  }
}

TEST(TuneCode, TablesInShardsAreWrittenOutWhereTheLibraryHasThem)
{
  Candidate wanted = candidate("linear_probing", 4096);
  wanted.table.shards = 4;
  Results results = results_of(wanted);
  EXPECT_THAT(code_of(CodeFor::slotscape, wanted, results).text,
              AllOf(HasSubstr("slotscape::CpuShardedTable<slotscape::families::linear_probing, Key>"),
                    HasSubstr("Table table({.slots = 4096,\n               .grow_at = 0.87}, {.shards = 4});")))
      << "in shards of 1,024 slots, the fullest one has a place for random keys up to 1 - 4 / 32";
  results.backend = Backend::cuda;
  EXPECT_THAT(code_of(CodeFor::slotscape, wanted, results).text,
              AllOf(HasSubstr("slotscape::CudaShardedTable"), HasSubstr("{.shards = 4}, stream);")));
  for (CodeFor const other : {CodeFor::cuda, CodeFor::cucollections, CodeFor::warpcore}) {
    EXPECT_THAT(code_of(other, wanted, results).text, IsEmpty());
    EXPECT_THAT(code_of(other, wanted, results).remark, HasSubstr("in shards"));
  }
  wanted.table.devices = ShardDevices::each;
  EXPECT_THAT(code_of(CodeFor::slotscape, wanted, results).text, IsEmpty());
  EXPECT_THAT(code_of(CodeFor::slotscape, wanted, results).remark, HasSubstr("CudaDistributedTable"));
  Candidate set = set_of("linear_probing");
  set.table.shards = 2;
  EXPECT_THAT(code_of(CodeFor::slotscape, set, results).remark, HasSubstr("in shards store values"));
}

TEST(TuneCode, LibrariesOfOthersGetWhatCorresponds)
{
  Candidate wanted = candidate("warp_cooperative", 4096);
  wanted.table.parameters["tile"] = 4;
  Code const cuco = code_of(CodeFor::cucollections, wanted, results_of(wanted));
  EXPECT_THAT(cuco.text, AllOf(HasSubstr("cuco::double_hashing<4, Hash"), HasSubstr("4096"),
                               HasSubstr("murmurhash3_fmix_32"), HasSubstr("erased_key"), HasSubstr("storage<1>")));
  EXPECT_THAT(cuco.remark, HasSubstr("not compiled here"));
  EXPECT_THAT(cuco.text, HasSubstr("Compiled with"));
  EXPECT_THAT(code_of(CodeFor::warpcore, wanted, results_of(wanted)).text,
              AllOf(HasSubstr("DoubleHashing<Hash"), HasSubstr(", 4>")));
  Candidate const cuckoo = candidate("cuckoo");
  for (CodeFor const kind : {CodeFor::cucollections, CodeFor::warpcore}) {
    EXPECT_THAT(code_of(kind, cuckoo, results_of(cuckoo)).remark, HasSubstr("No equivalent"));
  }
  wanted.table.combine = Combine::add;
  EXPECT_THAT(code_of(CodeFor::cucollections, wanted, results_of(wanted)).text, HasSubstr("fetch_add"));
  EXPECT_THAT(code_of(CodeFor::warpcore, wanted, results_of(wanted)).remark, HasSubstr("replaces the value"));
}

}  // namespace
}  // namespace slotscape::tuning
