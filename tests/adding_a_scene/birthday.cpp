#include "app/scene/entry.hpp"
#include "app/scene/scene.hpp"
#include "app/widgets/look.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace slotscape {

/// What the scene is set to.
struct Birthday {
  std::uint64_t slots = 365;
  std::uint64_t seed = 1;
};

template <>
std::span<Field<Birthday> const> fields_of()
{
  static auto const fields = std::to_array<Field<Birthday>>({
      whole_number("slots", &Birthday::slots, 16, 4096),
      whole_number("seed", &Birthday::seed),
  });
  return fields;
}

namespace {

/// Keys go into a table one by one until two share a home slot: in 365 slots that takes 25 keys on average.
class BirthdayScene final : public Scene {
public:
  BirthdayScene(Birthday const& set_up, DeviceFacts const& device)
      : set_up_(set_up), table_(make_engine(device.backend, {.slots = set_up.slots}))
  {
    start_over();
  }

  SceneSetup set_up() const override { return set_up_; }
  std::span<Command const> commands() const override { return commands_; }
  bool quiet() const override { return collided(); }
  void advance(double) override { insert(); }
  void finish_steps(std::function<void()> const&) override
  {
    while (!collided()) { insert(); }
  }

  SceneStatistics statistics(FrameTimes const&) override
  {
    Json json;
    json["slots"] = set_up_.slots;
    json["keys"] = keys_;
    json["expected_keys"] = expected_keys();
    return {json, {{"birthday.csv", fmt::format("slots,keys\n{},{}\n", set_up_.slots, keys_)}}};
  }

  void draw_gui(Frame const& frame) override
  {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    Rectangle const& place = canvas();
    ImVec2 const corner{static_cast<float>(place.x) + frame.look(20.0f), static_cast<float>(place.y)};
    std::string const text = fmt::format("{} keys in {} slots{}. Expected until two share a home: {:.1f}", keys_,
                                         set_up_.slots, collided() ? ", and two share one" : "", expected_keys());
    list.AddText({corner.x, corner.y + frame.look(20.0f)}, theme::text, text.c_str());
    auto const columns = static_cast<std::uint64_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(set_up_.slots))));
    float const side = (static_cast<float>(place.width) - frame.look(40.0f)) / static_cast<float>(columns);
    for (std::uint64_t slot = 0; slot < set_up_.slots; ++slot) {
      std::uint64_t const row = slot / columns;
      ImVec2 const low{corner.x + side * static_cast<float>(slot % columns),
                       corner.y + frame.look(50.0f) + side * static_cast<float>(row)};
      ImVec2 const high{low.x + side - 1.0f, low.y + side - 1.0f};
      list.AddRectFilled(low, high, color_of(table_->slot(static_cast<Slot>(slot))));
    }
  }

private:
  bool collided() const { return probe_length_ > 0; }
  double expected_keys() const
  {
    return std::sqrt(std::numbers::pi * static_cast<double>(set_up_.slots) / 2.0) + 2.0 / 3.0;
  }
  static ImU32 color_of(SlotInfo const& slot)
  {
    if (slot.state == SlotState::empty) { return theme::frame; }
    return slot.slot == slot.home ? theme::accent : theme::error;
  }
  void insert()
  {
    if (collided()) { return; }
    table_->run(BatchRequest::inserts(1));
    keys_ = table_->statistics().live;
    probe_length_ = table_->statistics().probe_length.max;
  }
  void start_over()
  {
    table_->clear();
    table_->set_keys({}, set_up_.seed);
    keys_ = probe_length_ = 0;
  }

  Birthday set_up_;
  std::unique_ptr<Engine> table_;
  std::uint64_t keys_ = 0;
  std::uint64_t probe_length_ = 0;
  std::vector<Command> commands_{
      {.keys = "N", .group = "TABLE", .what = "Other keys", .menu = "Table", .label = "Other keys", .run = [this] {
         ++set_up_.seed, start_over();
       }}};
};

class BirthdayOptions final : public Subcommand {
public:
  explicit BirthdayOptions(CLI::App& command)
  {
    command.add_option("--slots", set_up_.slots, "slots of the table")->check(CLI::Range(16, 4096));
  }
  SceneSetup set_up() const override { return set_up_; }

private:
  Birthday set_up_;
};

}  // namespace

SceneEntry birthday_scene()
{
  return entry_of<BirthdayScene, Birthday>(
      {.name = "birthday",
       .title = "Birthday paradox",
       .what = "Keys until two share a home slot",
       .keys = "F5",
       .purpose = Purpose::learn,
       .set_seed = [](SceneSetup& set_up, std::uint64_t seed) { std::any_cast<Birthday&>(set_up).seed = seed; },
       .subcommand = "keys into a table until two share a home slot",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<BirthdayOptions>(command); }});
}

}  // namespace slotscape
