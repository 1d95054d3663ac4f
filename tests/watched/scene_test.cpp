#include "app/scenes/watch/scene.hpp"
#include "app/watch/description_json.hpp"
#include "app/watch/dump.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/watch/dumped_table.hpp"
#include "tests/watched/dumps.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

namespace slotscape {
namespace {

using test::DumpedTable;
using ::testing::Contains;
using ::testing::HasSubstr;

/// The window with the memory of a table of the library, from a file.
class WatchedSceneTest : public testing::Test {
protected:
  void show(test::LibraryDump const& dump)
  {
    show_file(folder_.write("slots.bin", dump.bytes), parse_json(dump.layout, "the library's"));
  }
  void show_file(std::filesystem::path const& file, Json layout)
  {
    WatchSetup set_up;
    set_up.settings.files = {file.string()};
    set_up.settings.layout = std::move(layout);
    app_.reset();  // two at once would share what there is one of
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
  show(test::dump_of_numbers());
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
  show(test::dump_of_rows());
  EXPECT_EQ(state().table.settings.view.key_name.on_card, "Fingerprint");
  EXPECT_EQ(state().table.settings.view.value_name.on_card, "Row number");
  EXPECT_THAT(state().advice, Contains(HasSubstr("are fingerprints: hashes")));
  find(123456);
  EXPECT_FALSE(lookup());
  EXPECT_EQ(app_->toasts().errors(), 1u);
}

TEST_F(WatchedSceneTest, HopscotchIsAdvisedOnByWhatIsKnown)
{
  show(test::dump_of_hopscotch());
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
  Json const layout{{"preset", "SimpleGPUHashTable"}};
  show_file(folder_.write("table.npy", DumpedTable::npy(type, shape, table.raw())), layout);
  auto const text = [&] {
    find(42);
    return number_text(state().table.settings.view.values_as, lookup()->path.value.value());
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
  for (std::uint64_t const slots : {65u, 128u}) {
    Json const layout{{"slots", slots}, {"key", {{"bits", 32}}}, {"empty_key", -1}};
    auto const source = watch::open_dump({{file}, layout});
    watch::Description const read = watch::read_description(source->description(), "table.npy");
    EXPECT_THAT(test::message_of<Error>([&] { watch::validate(read, source->arrays()); }),
                HasSubstr("which has 512 bytes"));
  }
}

}  // namespace
}  // namespace slotscape
