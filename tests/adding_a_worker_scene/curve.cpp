#include "app/base/setting.hpp"
#include "app/scene/entry.hpp"
#include "app/scene/setting_commands.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scene/work_scene.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/setting_row.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace slotscape {

/// What the curve is of.
struct CurveSettings {
  std::uint64_t slots = 65536;
  double max_load = 0.9;
  std::uint64_t seed = 1;
  friend bool operator==(CurveSettings const&, CurveSettings const&) = default;
};

template <>
std::span<Setting<CurveSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<CurveSettings>>({
      whole_setting({.name = "slots",
                     .label = "Slots",
                     .what = "slots of the table",
                     .argument = "N",
                     .hint = "More slots make a smoother curve, and take longer.",
                     .less = {"Comma", "Half the slots"},
                     .more = {"Period", "Twice the slots"}},
                    &CurveSettings::slots, 1024, std::uint64_t{1} << 24, Scale::log),
      number_setting({.name = "max_load",
                      .label = "Load up to",
                      .what = "highest load factor",
                      .argument = "X",
                      .hint = "The curve ends at this load factor."},
                     &CurveSettings::max_load, 0.1, 0.98),
      whole_setting({.name = "seed", .what = "of the keys"}, &CurveSettings::seed),
  });
  return settings;
}

namespace {

/// A point of the curve.
struct LoadCost {
  double load;
  double accesses;  ///< mean of a lookup that finds its key
};
using Curve = std::vector<LoadCost>;

Curve compute(CurveSettings const& query, Backend backend, Progress const& progress)
{
  constexpr int points = 60;
  auto const table = make_engine(backend, {.slots = query.slots});
  table->set_keys({}, query.seed);
  Curve curve;
  std::uint64_t live = 0;
  for (int i = 1; i <= points; ++i) {
    double const load = query.max_load * i / points;
    auto const wanted = static_cast<std::uint64_t>(load * static_cast<double>(query.slots));
    while (live < wanted) {
      progress.require(static_cast<double>(i) / points);
      auto const batch = BatchRequest::inserts(std::min(wanted - live, table->batch_limit()));
      live += table->run(batch).outcomes[Outcome::inserted];
    }
    Statistics const found = table->statistics();
    curve.push_back({found.load_factor(), found.hit_accesses.mean});
  }
  return curve;
}

/// How many accesses a lookup takes, while a table is filled.
class CurveScene final : public WorkScene<CurveSettings, Curve> {
public:
  CurveScene(CurveSettings const& settings, DeviceFacts const& device)
      : WorkScene([backend = device.backend](CurveSettings const& query, Progress const& progress) {
          return compute(query, backend, progress);
        }),
        settings_(settings)
  {
  }

  SceneSetup set_up() const override { return settings_; }
  std::span<Command const> commands() const override { return commands_; }

  void lay_out(Frame const& frame) override
  {
    Rectangle const& all = frame.window;
    sides_ = lay_out_sides(frame.look, frame.panels.widths, all, frame.panels.controls, frame.panels.numbers, 400.0f);
    place_canvas({all.x + sides_.left.width, all.y, std::max(all.width - sides_.left.width - sides_.right.width, 1),
                  all.height});
  }
  void draw_gui(Frame const& frame) override
  {
    draw_curve(frame.look, *ImGui::GetBackgroundDrawList());
    draw_sides(
        frame.look, frame.panels.widths, sides_,
        [&] {
          for (std::string_view const name : {"slots", "max_load"}) { setting_row(frame.look, name, settings_); }
        },
        [&] {
          if (!shown_.empty()) {
            ImGui::Text("%.2f accesses at a load of %.2f", shown_.back().accesses, shown_.back().load);
          }
        });
    draw_work(frame.look, canvas());
  }
  SceneStatistics statistics(FrameTimes const&) override
  {
    std::string table = "load,accesses\n";
    for (LoadCost const& at : shown_) { table += fmt::format("{:.4f},{:.4f}\n", at.load, at.accesses); }
    return {Json{{"slots", settings_.slots}, {"points", shown_.size()}}, {{"curve.csv", table}}};
  }

private:
  CurveSettings query() const override { return settings_; }
  void show(CurveSettings const&, Curve curve) override { shown_ = std::move(curve); }
  void go_back(std::optional<CurveSettings> const& query) override { settings_ = query.value_or(CurveSettings{}); }
  std::string doing(CurveSettings const& query) const override { return fmt::format("Filling {} slots", query.slots); }
  std::string action(CurveSettings const& query) const override { return fmt::format("fill {} slots", query.slots); }

  void draw_curve(Look const& look, ImDrawList& list) const
  {
    if (shown_.empty()) { return; }
    float const margin = look(40.0f);
    ImVec2 const low{static_cast<float>(canvas().x) + margin, static_cast<float>(canvas().y) + margin};
    ImVec2 const size{static_cast<float>(canvas().width) - 2.0f * margin,
                      static_cast<float>(canvas().height) - 2.0f * margin};
    list.AddRect(low, {low.x + size.x, low.y + size.y}, theme::frame);
    std::vector<ImVec2> line;
    for (LoadCost const& at : shown_) {
      line.emplace_back(low.x + size.x * static_cast<float>(at.load / shown_.back().load),
                        low.y + size.y * static_cast<float>(1.0 - at.accesses / shown_.back().accesses));
    }
    list.AddPolyline(line.data(), static_cast<int>(line.size()), theme::accent, ImDrawFlags_None, look(2.0f));
  }

  CurveSettings settings_;
  Curve shown_;
  SideLayout sides_;
  std::vector<Command> commands_ = setting_commands(settings_, "CURVE");
};

class CurveOptions final : public Subcommand {
public:
  explicit CurveOptions(CLI::App& command) { options_.add_to(command); }
  SceneSetup set_up() const override
  {
    CurveSettings settings;
    options_.read(settings);
    return settings;
  }

private:
  SettingOptions<CurveSettings> options_;
};

}  // namespace

SceneEntry curve_scene()
{
  return entry_of<CurveScene, CurveSettings>(
      {.name = "curve",
       .title = "Cost of load",
       .what = "What lookups cost while a table fills",
       .keys = "F5",
       .purpose = Purpose::measure,
       .set_seed = [](SceneSetup& set_up, std::uint64_t seed) { std::any_cast<CurveSettings&>(set_up).seed = seed; },
       .subcommand = "what lookups cost while a table fills",
       .add_subcommand = [](CLI::App& command) { return std::make_unique<CurveOptions>(command); }});
}

}  // namespace slotscape
