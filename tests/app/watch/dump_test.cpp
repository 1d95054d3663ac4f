#include "app/watch/dump.hpp"
#include "app/watch/description_json.hpp"
#include "app/watch/mapped_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/watch/watched_table.hpp"
#include "tests/app/watch/dumped_table.hpp"

#include <gmock/gmock.h>
#include <zip.h>

#include <chrono>
#include <thread>

namespace slotscape {
namespace {

using test::DumpedTable;
using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr std::uint32_t dump_slots = 1024;
constexpr std::uint32_t dump_keys = 700;

class DumpTest : public testing::Test {
protected:
  static Json preset() { return Json{{"preset", "SimpleGPUHashTable"}}; }
  /// A .npz archive with these members.
  std::filesystem::path archive(std::string const& name,
                                std::vector<std::pair<std::string, std::string>> const& members, bool compresses) const
  {
    std::filesystem::path file = folder_ / name;
    zip_t* const zip = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (auto const& [member, content] : members) {
      zip_source_t* const source = zip_source_buffer(zip, content.data(), content.size(), 0);
      zip_int64_t const index = zip_file_add(zip, member.c_str(), source, 0);
      zip_set_file_compression(zip, static_cast<zip_uint64_t>(index), compresses ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    zip_close(zip);
    return file;
  }
  /// What is in the table of a dump; every sampled key must be where the description says.
  static Statistics seen(watch::Dump const& dump)
  {
    auto const source = watch::open_dump(dump);
    auto const description = watch::read_description(source->description(), source->name());
    auto const table = watch::make_watched_table(source->backend(), source->name(), description, source->arrays());
    watch::Check const check = table->check(false);
    EXPECT_EQ(check.found, check.sampled);
    EXPECT_GT(check.sampled, 0u);
    EXPECT_EQ(table->probe_path(DumpedTable::key(5)).value, 5u);
    return table->statistics();
  }
  static std::string error_of(watch::Dump const& dump)
  {
    return message_of<Error>([&] { seen(dump); });
  }

  TemporaryFolder folder_;
  DumpedTable table_{dump_slots, dump_keys};
};

TEST_F(DumpTest, RawBytes)
{
  Json layout = preset();
  layout["slots"] = dump_slots;
  EXPECT_EQ(seen({{folder_.write("a.bin", table_.raw())}, layout}).live, dump_keys);
}

TEST_F(DumpTest, RawBytesAreCountedWhereTheKeyIsDescribed)
{
  Json const layout = parse_json(R"({"key": {"offset": 0, "stride": 8, "bits": 32},
    "value": {"offset": 4, "stride": 8, "bits": 32}, "empty_key": "0xffffffff",
    "hash": {"function": "murmur3", "reduction": "mask"}, "probing": "linear"})",
                                 "layout");
  EXPECT_EQ(seen({{folder_.write("a.bin", table_.raw())}, layout}).live, dump_keys);
}

TEST_F(DumpTest, ArraysWithFields)
{
  EXPECT_EQ(seen({{folder_.write("a.npy", table_.structured())}, preset()}).live, dump_keys);
}

/// What the description leaves out is what the file says, not that keys lie side by side.
TEST_F(DumpTest, PartsOfWhichOnlyTheBitsAreTold)
{
  Json layout = parse_json(R"({"slots": 1024, "key": {"bits": 32}, "value": {"bits": 32}, "empty_key": "0xffffffff",
    "hash": {"function": "murmur3", "reduction": "mask"}, "probing": "linear"})",
                           "layout");
  auto const fields = folder_.write("a.npy", table_.structured());
  EXPECT_EQ(seen({{fields}, layout}).live, dump_keys);
  auto const columns = folder_.write("b.npy", DumpedTable::npy("'<u4'", "(1024, 2)", table_.raw()));
  EXPECT_EQ(seen({{columns}, layout}).live, dump_keys);
  layout["key"] = {{"bits", 32}, {"offset", 0}, {"stride", 8}};
  EXPECT_EQ(seen({{fields}, layout}).live, dump_keys) << "whoever says where, is believed";
}

TEST_F(DumpTest, ArraysWithFieldsOfOtherNames)
{
  std::string const type = "[('padding', '<u4'), ('id', '<u4')]";
  std::string bytes;
  std::string const column = table_.column(0);
  for (std::size_t i = 0; i < column.size(); i += 4) { bytes += std::string(4, '\0') + column.substr(i, 4); }
  Json layout = preset();
  layout["key"] = {{"field", "id"}};
  layout["value"] = Json();
  layout["erased_value"] = Json();
  auto const file = folder_.write("a.npy", DumpedTable::npy(type, "(1024,)", bytes));
  auto const source = watch::open_dump({{file}, layout});
  auto const description = watch::read_description(source->description(), "a");
  EXPECT_EQ(description.key.offset, 4u);
  EXPECT_EQ(description.key.stride, 8u);
  EXPECT_FALSE(description.value);
  layout["key"]["field"] = "user";
  EXPECT_THAT(error_of({{file}, layout}), HasSubstr("no field 'user'; there are padding and id"));
}

/// Not silently halves of the numbers.
TEST_F(DumpTest, KeysThatAreNarrowerThanAllColumnsAreAskedAbout)
{
  auto const file = folder_.write("a.npy", DumpedTable::npy("'<u8'", "(1024,)", table_.raw()));
  Json layout{{"slots", 1024}, {"key", {{"bits", 32}}}, {"empty_key", 0}};
  EXPECT_THAT(message_of<Error>([&] {
                watch::open_dump({{file}, layout});
              }),
              HasSubstr("key: \"bits\" is 32, and columns of the file have 64"));
  layout["key"] = {{"bits", 32}, {"stride", 8}};
  EXPECT_NO_THROW(watch::open_dump({{file}, layout})) << "it is meant so";
}

TEST_F(DumpTest, ArraysOfTwoColumns)
{
  EXPECT_EQ(seen({{folder_.write("a.npy", DumpedTable::npy("'<u4'", "(1024, 2)", table_.raw()))}, preset()}).live,
            dump_keys);
}

TEST_F(DumpTest, ArchivesOfKeysAndValues)
{
  std::vector<std::pair<std::string, std::string>> const members{
      {"values.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1))},
      {"keys.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(0))}};
  EXPECT_EQ(seen({{archive("stored.npz", members, false)}, preset()}).live, dump_keys);
  EXPECT_EQ(seen({{archive("packed.npz", members, true)}, preset()}).live, dump_keys);
}

TEST_F(DumpTest, SeveralFilesAreArraysOfTheirNames)
{
  auto const key_file = folder_.write("keys.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(0)));
  auto const value_file = folder_.write("values.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1)));
  EXPECT_EQ(seen({{key_file, value_file}, preset()}).live, dump_keys);
}

TEST_F(DumpTest, MappedFilesAreReadInPlace)
{
  auto const file = folder_.write("a.bin", table_.raw());
  watch::MappedFile const mapped(file, 0);
  EXPECT_TRUE(mapped.is_mapped());
  watch::MappedFile const loaded(file);
  EXPECT_FALSE(loaded.is_mapped());
  EXPECT_TRUE(std::ranges::equal(mapped.bytes(), loaded.bytes()));
}

TEST_F(DumpTest, AFileThatIsWrittenAnewIsStale)
{
  auto const file = folder_.write("a.npy", table_.structured());
  auto const source = watch::open_dump({{file}, preset()});
  EXPECT_FALSE(source->is_stale());
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  folder_.write("a.npy", DumpedTable(2 * dump_slots, dump_keys).structured());
  EXPECT_TRUE(source->is_stale());
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  std::filesystem::remove(file);
  EXPECT_TRUE(source->is_stale());
  EXPECT_EQ(source->arrays().front().bytes, dump_slots * 8u) << "what was loaded stays";
}

TEST_F(DumpTest, LoadingIsReportedAndCancelled)
{
  auto const file = folder_.write("a.npy", table_.structured());
  std::vector<std::pair<std::string, std::string>> const members{
      {"values.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1))},
      {"keys.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(0))}};
  for (std::filesystem::path const& each : {file, archive("packed.npz", members, true)}) {
    double last = 0.0;
    Progress const watched([&](Progress const& progress) {
      last = progress.share();
      return true;
    });
    watch::open_dump({{each}, preset()}, watched);
    EXPECT_GE(last, 0.5);
    Progress const cancelled([](Progress const&) { return false; });
    EXPECT_THROW(watch::open_dump({{each}, preset()}, cancelled), Cancelled);
  }
}

TEST_F(DumpTest, WhatCannotBeOpenedIsExplained)
{
  auto const file = folder_.write("a.npy", table_.structured());
  EXPECT_THAT(error_of({{folder_ / "none.npy"}, preset()}), HasSubstr("Could not open"));
  EXPECT_THAT(error_of({{folder_.write("empty.npy", "")}, preset()}), HasSubstr("it is empty"));
  EXPECT_THAT(error_of({{folder_.path()}, preset()}), HasSubstr("it is not a file of bytes"));
  EXPECT_THAT(error_of({{folder_.write("cut.npy", table_.structured().substr(0, 4000))}, preset()}),
              HasSubstr("it ends early"));
  std::string const big = DumpedTable::npy("'>u4'", "(1024, 2)", table_.raw());
  EXPECT_THAT(error_of({{folder_.write("big.npy", big)}, preset()}), HasSubstr("big-endian"));
  EXPECT_THAT(error_of({{folder_.write("zip.npz", "PK nothing else here")}, preset()}), HasSubstr(".npz archive"));
  EXPECT_THAT(error_of({{file}, Json::object()}), HasSubstr("empty_key"));
  EXPECT_THAT(error_of({{file}, Json(17)}), HasSubstr("must be an object"));
  EXPECT_THAT(error_of({{file}, Json{{"preset", "cuco"}}}),
              HasSubstr("preset: \"cuco\" is invalid: it is not a known preset"));
  EXPECT_THAT(error_of({{}, preset()}), HasSubstr("No file was named"));
  for (char const* const layout :
       {R"({"key": 5})", R"({"key": {"array": 5}})", R"({"key": {"field": 5}})",
        R"({"key": {"field": "x", "array": 1}})", R"({"key": null})", R"({"preset": [], "key": {"stride": -1}})",
        R"({"value": {"field": {}}})", R"({"preset": "bght", "slots": "many"})",
        R"({"preset": "bght", "key_bits": "wide"})"}) {
    EXPECT_NE(error_of({{file}, parse_json(layout, "layout")}), "") << layout;
  }
}

/// An archive that is cut or changed anywhere is refused, or its arrays lie within it.
TEST_F(DumpTest, DamagedArchivesDoNoHarm)
{
  std::vector<std::pair<std::string, std::string>> const members{
      {"keys.npy", DumpedTable::npy("'<u4'", "(4,)", std::string(16, 'k'))}};
  std::ifstream stream(archive("a.npz", members, false), std::ios::binary);
  std::string const whole((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  auto const open = [&](std::string const& content) {
    auto const file = folder_.write("b.npz", content);
    try {
      auto const source = watch::open_dump({{file}, preset()});
      for (watch::Array const& array : source->arrays()) {
        for (std::uint64_t i = 0; i < array.bytes; ++i) {
          volatile auto const byte = array.data[i];
          static_cast<void>(byte);
        }
      }
    } catch (Error const&) {
    }
  };
  for (std::size_t length = 0; length < whole.size(); length += 3) { open(whole.substr(0, length)); }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (char const change : {'\x01', '\xff', '\x80'}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      open(damaged);
    }
  }
}

}  // namespace
}  // namespace slotscape
