#include "app/scenes/watch/scene.hpp"
#include "tests/app/program.hpp"
#include "tests/app/watch/dumped_table.hpp"
#include "tests/watched/library_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <limits>

namespace slotscape {
namespace {

using test::AsWatched;
using test::DumpedTable;
using ::testing::Contains;
using ::testing::HasSubstr;

/// The window with the memory of a table of the library, from a file.
class WatchedSceneTest : public testing::Test {
protected:
  template <class Table>
  void show(Table const& table)
  {
    AsWatched const watched(table);
    std::string const bytes(reinterpret_cast<char const*>(table.slot_memory()), watched.bytes);
    show_file(folder_.write("slots.bin", bytes), parse_json(watched.json, "the library's"));
  }
  void show_file(std::filesystem::path const& file, Json layout)
  {
    WatchSetup set_up;
    set_up.settings.files = {file.string()};
    set_up.settings.layout = std::move(layout);
    app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("watch"), set_up});
    frames(3);
    ASSERT_TRUE(state().has_table) << state().problem;
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  void find(Key key)
  {
    state().table.selection.lookup.reset();
    auto const pairs = std::make_shared<std::vector<Pair> const>(1, Pair{key, 0});
    state().table.ask(OnTyped{{.operation = Operation::find, .pairs = pairs}});
    frames(1);
  }
  WatchScene& scene() { return dynamic_cast<WatchScene&>(app_->current_scene()); }
  WatchState& state() { return scene().state(); }
  auto const& lookup() { return state().table.selection.lookup; }

  test::TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(WatchedSceneTest, KeysOfTheLibraryAreTypedAsTheProgramHasThem)
{
  CpuTable<families::linear_probing, std::int32_t, float> table({.slots = 64});
  std::array<std::int32_t, 4> const keys{-5, 7, 0, std::numeric_limits<std::int32_t>::max()};
  std::array<float, 4> const values{1.5f, -2.0f, 0.0f, 3.0f};
  table.insert(keys.data(), values.data(), keys.size()).or_throw();
  show(table);
  EXPECT_EQ(state().table.settings.view.keys_as, KeyStyle::with_sign);
  find(7);
  ASSERT_TRUE(lookup() && lookup()->path.value);
  EXPECT_EQ(number_text(state().table.settings.view.values_as, *lookup()->path.value), "-2");
  EXPECT_EQ(key_text(lookup()->key, KeyStyle::with_sign), "7");
  find(key_of_signed(-5));
  ASSERT_TRUE(lookup() && lookup()->path.value);
  EXPECT_EQ(key_text(lookup()->key, KeyStyle::with_sign), "-5");
  find(8);
  ASSERT_TRUE(lookup());
  EXPECT_FALSE(lookup()->path.value);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  find(std::numeric_limits<std::int32_t>::max());
  EXPECT_FALSE(lookup()) << "whether it is there is not seen in the slots";
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("2147483646, 2147483647")));
}

TEST_F(WatchedSceneTest, AKeyBehindAFingerprintIsNotSaidToBeAbsent)
{
  CpuTable<families::linear_probing, std::uint32_t, std::array<float, 4>> table({.slots = 64});
  std::uint32_t const key = 7;
  std::array<float, 4> const value{};
  table.insert(&key, &value, 1).or_throw();
  show(table);
  EXPECT_EQ(state().table.settings.view.key_name, "Fingerprint");
  EXPECT_EQ(state().table.settings.view.value_name, "Row");
  EXPECT_THAT(state().advice, Contains(HasSubstr("FINGERPRINTS")));
  find(123456);
  EXPECT_FALSE(lookup());
  EXPECT_EQ(app_->toasts().errors(), 1u);
}

TEST_F(WatchedSceneTest, HopscotchIsAdvisedOnByWhatIsKnown)
{
  CpuTable<families::hopscotch, std::uint32_t> table({.slots = 1024});
  std::vector<std::uint32_t> keys(700);
  for (std::uint32_t i = 0; i < keys.size(); ++i) { keys[i] = 7919 * (i + 1); }
  table.insert(keys.data(), keys.data(), keys.size()).or_throw();
  show(table);
  EXPECT_EQ(state().check.found, state().check.sampled);
  EXPECT_TRUE(scene().findings().empty());
  EXPECT_EQ(state().table.foreign->measure.name, "Probe length");
  EXPECT_GT(state().table.statistics.probe_length.mean, 0.0);
}

TEST_F(WatchedSceneTest, FilesTellSignsAndFloatingPointNumbersOfValues)
{
  DumpedTable table(64, 0);
  table.insert(42, 0xbfc00000u);  // -1.5f
  std::string const shape = "(64,)";
  std::string const type = "[('key', '<u4'), ('value', '<f4')]";
  Json const layout{{"empty_key", -1}};
  show_file(folder_.write("table.npy", DumpedTable::npy(type, shape, table.raw())), layout);
  Slot const slot = table.place(42);
  auto const text = [&] {
    find(42);
    state().table.selection.pinned = slot;
    frames(2);
    return number_text(state().table.settings.view.values_as, state().table.inspected.pinned->slot.pair.value);
  };
  EXPECT_EQ(text(), "-1.5");
  std::string const with_sign = "[('key', '<u4'), ('value', '<i4')]";
  show_file(folder_.write("table.npy", DumpedTable::npy(with_sign, shape, table.raw())), layout);
  EXPECT_EQ(text(), std::to_string(static_cast<std::int32_t>(0xbfc00000u)));
}

/// Keys are in the first column: more slots than rows do not make the values keys.
TEST_F(WatchedSceneTest, EachRowOfAFileIsASlot)
{
  DumpedTable const table(64, 10);
  auto const file = folder_.write("table.npy", DumpedTable::npy("'<i4'", "(64, 2)", table.raw()));
  WatchSetup set_up;
  set_up.settings.files = {file.string()};
  for (std::uint64_t const slots : {65u, 128u}) {
    set_up.settings.layout = {{"slots", slots}, {"key", {{"bits", 32}}}, {"empty_key", -1}};
    EXPECT_THAT(test::message_of<Error>([&] { WatchScene(set_up, DeviceFacts{}); }), HasSubstr("which has 512 bytes"));
  }
}

}  // namespace
}  // namespace slotscape
