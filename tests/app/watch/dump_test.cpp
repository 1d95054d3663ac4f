#include "app/watch/dump.hpp"
#include "app/base/mapped_file.hpp"
#include "app/watch/description_json.hpp"
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
  EXPECT_THAT(error_of({{file}, layout}), HasSubstr("no field 'user'; use one of padding and id"));
}

/// Not silently halves of the numbers.
TEST_F(DumpTest, KeysThatAreNarrowerThanAllColumnsAreAskedAbout)
{
  auto const file = folder_.write("a.npy", DumpedTable::npy("'<u8'", "(1024,)", table_.raw()));
  Json layout{{"slots", 1024}, {"key", {{"bits", 32}}}, {"empty_key", 0}};
  EXPECT_THAT(message_of<Error>([&] {
                watch::open_dump({{file}, layout});
              }),
              HasSubstr("key: \"bits\" is 32, but columns of the file have 64"));
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
  MappedFile const mapped(file, 0);
  EXPECT_TRUE(mapped.is_mapped());
  MappedFile const loaded(file);
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
  EXPECT_THAT(error_of({{folder_.path()}, preset()}), HasSubstr("it is not a regular file"));
  EXPECT_THAT(error_of({{folder_.write("cut.npy", table_.structured().substr(0, 4000))}, preset()}),
              HasSubstr("it ends early"));
  std::string const big = DumpedTable::npy("'>u4'", "(1024, 2)", table_.raw());
  EXPECT_THAT(error_of({{folder_.write("big.npy", big)}, preset()}), HasSubstr("big-endian"));
  EXPECT_THAT(error_of({{folder_.write("zip.npz", "PK nothing else here")}, preset()}), HasSubstr(".npz archive"));
  EXPECT_THAT(error_of({{file}, Json::object()}), HasSubstr("empty_key"));
  EXPECT_THAT(error_of({{file}, Json(17)}), HasSubstr("must be an object"));
  EXPECT_THAT(error_of({{file}, Json{{"preset", "cuco"}}}),
              HasSubstr("preset: \"cuco\" is invalid: it is not a known preset"));
  EXPECT_THAT(error_of({{}, preset()}), HasSubstr("No file was given"));
  for (char const* const layout :
       {R"({"key": 5})", R"({"key": {"array": 5}})", R"({"key": {"field": 5}})",
        R"({"key": {"field": "x", "array": 1}})", R"({"key": null})", R"({"preset": [], "key": {"stride": -1}})",
        R"({"value": {"field": {}}})", R"({"preset": "bght", "slots": "many"})",
        R"({"preset": "bght", "key_bits": "wide"})"}) {
    EXPECT_NE(error_of({{file}, parse_json(layout, "layout")}), "") << layout;
  }
}

/// Fields that are not one number, of keys and of values, in whatever way the description means them.
TEST_F(DumpTest, FieldsThatAreNotOneNumberAreRefusedWithTheirTypes)
{
  std::string const rows(std::size_t{16} * 16, '\0');
  auto const error_with = [&](std::string const& key, std::string const& value, Json const& layout) {
    std::string const type = fmt::format("[('key', {}), ('value', {})]", key, value);
    auto const file = folder_.write("a.npy", DumpedTable::npy(type, "(16,)", rows));
    return message_of<Error>([&] { watch::open_dump({{file}, layout}); });
  };
  std::string const nothing = "nothing was thrown";
  Json const derived{{"empty_key", -1}};
  Json by_bits = derived;
  by_bits["key"] = {{"bits", 64}};
  Json by_field = derived;
  by_field["key"] = {{"field", "key"}};
  Json with_value = derived;
  with_value["value"] = {{"bits", 64}};
  Json alone = derived;
  alone["value"] = nullptr;
  std::vector<std::pair<std::string, std::string>> const types{{"'<M8[ns]'", "dates (datetime64[ns])"},
                                                               {"'<m8[s]'", "durations (timedelta64[s])"},
                                                               {"'|S8'", "strings of 8 bytes (S8)"},
                                                               {"'<U2'", "strings of 2 characters (U2)"},
                                                               {"'<c8'", "complex numbers of 64 bits"},
                                                               {"'|V8'", "8 untyped bytes (V8)"},
                                                               {"'<u4', (2,)", "2 numbers of 32 bits each"}};
  for (auto const& [type, words] : types) {
    for (Json const& layout : {derived, by_bits, by_field}) {
      EXPECT_THAT(error_with(type, "'<i8'", layout), HasSubstr("key: 'key' holds " + words)) << type << layout;
    }
    for (Json const& layout : {derived, with_value}) {
      EXPECT_THAT(error_with("'<i8'", type, layout), HasSubstr("value: 'value' holds " + words)) << type << layout;
    }
    EXPECT_EQ(error_with("'<i8'", type, alone), nothing) << type;
    Json placed = alone;
    placed["key"] = {{"offset", 0}, {"stride", 16}, {"bits", 64}};
    EXPECT_EQ(error_with(type, "'<i8'", placed), nothing) << "whoever says which bytes, is believed";
  }
}

/// Not the first half of each key.
TEST_F(DumpTest, KeysOfTwoNumbersInAnArrayOfTheirOwnAreRefused)
{
  std::vector<std::pair<std::string, std::string>> const members{
      {"keys.npy", DumpedTable::npy("'<u4'", "(1024, 2)", table_.raw())},
      {"values.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1))}};
  EXPECT_THAT(error_of({{archive("a.npz", members, false)}, preset()}),
              HasSubstr("key: 'keys' holds 2 numbers of 32 bits each"));
}

TEST_F(DumpTest, NoOtherFieldIsTakenForTheOneThatIsMeant)
{
  auto const error_with = [&](std::string const& type, Json const& layout) {
    auto const file = folder_.write("a.npy", DumpedTable::npy(type, "(16,)", std::string(std::size_t{16} * 16, '\0')));
    return message_of<Error>([&] { watch::open_dump({{file}, layout}); });
  };
  Json const wide{{"empty_key", -1}, {"key", {{"bits", 64}}}};
  EXPECT_THAT(error_with("[('key', '<u4'), ('pad', '<u4'), ('value', '<i8')]", wide),
              HasSubstr("key: \"bits\" is 64, but 'key' has 32"));
  EXPECT_THAT(error_with("[('id', '|S8'), ('value', '<i8')]", wide), HasSubstr("key: no field is a number of 64 bits"));
  EXPECT_THAT(error_with("[('id', '|S8'), ('value', '<i8')]", {{"empty_key", -1}}),
              HasSubstr("key: 'id' holds strings of 8 bytes"));
  EXPECT_THAT(error_with("[('value', '<i8')]", {{"empty_key", -1}}), HasSubstr("key: the file has only 'value'"));
}

/// Files and members whose names differ in their endings or folders alone.
TEST_F(DumpTest, ArraysOfTheSameNameAreToldApart)
{
  auto const keys = folder_.write("ckpt.keys", table_.column(0));
  auto const values = folder_.write("ckpt.values", table_.column(1));
  Json layout = parse_json(R"({"slots": 1024, "key": {"array": "ckpt.keys", "bits": 32}, "empty_key": "0xffffffff",
    "value": {"array": "ckpt.values", "bits": 32}, "hash": {"function": "murmur3", "reduction": "mask"},
    "probing": "linear"})",
                           "layout");
  EXPECT_EQ(seen({{keys, values}, layout}).live, dump_keys);
  layout["key"]["array"] = layout["value"]["array"] = "ckpt";
  EXPECT_THAT(error_of({{keys, values}, layout}),
              HasSubstr("there is no array 'ckpt'; available: 'ckpt.keys' (4096 bytes), 'ckpt.values' (4096 bytes)"));
  std::vector<std::pair<std::string, std::string>> const members{
      {"old/slots.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1))},
      {"new/slots.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(0))}};
  layout["key"]["array"] = "new/slots";
  layout["value"]["array"] = "old/slots";
  EXPECT_EQ(seen({{archive("a.npz", members, false)}, layout}).live, dump_keys);
  layout["key"]["array"] = "a.npz/new/slots";
  layout["value"]["array"] = "b.npz/old/slots";
  EXPECT_EQ(seen({{archive("a.npz", members, false), archive("b.npz", members, false)}, layout}).live, dump_keys);
  std::filesystem::create_directory(folder_ / "other");
  std::filesystem::copy_file(keys, folder_ / "other" / "ckpt.keys");
  EXPECT_THAT(error_of({{keys, folder_ / "other" / "ckpt.keys"}, layout}),
              HasSubstr("Two arrays are called 'ckpt.keys': rename a file"));
}

TEST_F(DumpTest, MembersOfAnArchiveThatAreNotMeantDoNotMatter)
{
  std::vector<std::pair<std::string, std::string>> const table{
      {"keys.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(0))},
      {"values.npy", DumpedTable::npy("'<u4'", "(1024,)", table_.column(1))}};
  std::vector<std::pair<std::pair<std::string, std::string>, std::string>> const others{
      {{"capacity.npy", DumpedTable::npy("'<i8'", "()", std::string(8, 'x'))}, "capacity.npy: it has 0 dimensions"},
      {{"rows.npy", DumpedTable::npy("'<f4'", "(16, 2, 2)", std::string(256, 'x'))}, "rows.npy: it has 3 dimensions"},
      {{"names.npy", DumpedTable::npy("'|O'", "(4,)", std::string(32, 'x'))}, "names.npy: it holds Python objects"},
      {{"big.npy", DumpedTable::npy("'>u4'", "(4,)", std::string(16, 'x'))}, "big.npy: its numbers are big-endian"},
      {{"read.me", "how it was made"}, "read.me: it is not a NumPy array"}};
  for (auto const& [other, why] : others) {
    for (bool const compresses : {false, true}) {
      for (bool const is_first : {false, true}) {
        auto members = table;
        members.insert(is_first ? members.begin() : members.end(), other);
        auto const file = archive("a.npz", members, compresses);
        EXPECT_EQ(seen({{file}, preset()}).live, dump_keys) << why;
        Json layout = preset();
        layout["value"] = {{"array", std::filesystem::path(other.first).stem().string()}, {"bits", 32}};
        EXPECT_THAT(error_of({{file}, layout}), HasSubstr(why)) << "it is meant";
      }
    }
    auto of_keys = other;
    of_keys.first = "keys" + std::filesystem::path(other.first).extension().string();
    EXPECT_THAT(error_of({{archive("b.npz", {of_keys, table[1]}, false)}, preset()}), HasSubstr("keys")) << why;
    EXPECT_THAT(error_of({{archive("c.npz", {other}, false)}, preset()}), HasSubstr(why));
  }
}

TEST_F(DumpTest, FilesOfOtherFormatsAreNotReadAsMemory)
{
  Json layout = preset();
  layout["slots"] = dump_slots;
  std::string csv = "key,value\n";
  for (int i = 0; i < 2000; ++i) { csv += fmt::format("{},{}\n", 7919 * i, i); }
  std::string german = csv;
  while (german.size() < 70'000) { german += "Schl\u00fcssel,\u00e4\u00f6\u00fc\n"; }
  for (std::string const& text : {csv, german, std::string("{\"a\": [1, 2]}")}) {
    EXPECT_THAT(error_of({{folder_.write("table.csv", text)}, layout}),
                HasSubstr("table.csv is a text file, not the memory of a table"));
  }
  for (auto const& [start, name] : std::vector<std::pair<std::string, std::string>>{
           {"\x89HDF\r\n\x1a\n", "HDF5"}, {"PAR1", "Parquet"}, {"\x1f\x8b\x08", "gzip"}, {"\x80\x04\x95", "pickle"}}) {
    EXPECT_THAT(error_of({{folder_.write("table.bin", start + std::string(8192, '\0'))}, layout}),
                HasSubstr("is a file in " + name + " format"));
  }
  EXPECT_EQ(seen({{folder_.write("table.csv", table_.raw())}, layout}).live, dump_keys) << "the name does not tell";
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
