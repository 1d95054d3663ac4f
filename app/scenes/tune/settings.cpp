#include "app/scenes/tune/settings.hpp"

#include "gpu/base/error.hpp"

#include <array>

namespace slotscape {

template <>
std::span<EnumName<TuneView> const> enum_names()
{
  static constexpr std::array names{
      EnumName<TuneView>{TuneView::tradeoff, "tradeoff", "Memory"},
      EnumName<TuneView>{TuneView::load, "load", "Load factor"},
      EnumName<TuneView>{TuneView::latency, "latency", "Latency"},
      EnumName<TuneView>{TuneView::all, "all", "All three"},
      EnumName<TuneView>{TuneView::code, "code", "Code"},
  };
  return names;
}

template <>
std::span<Field<TuneSettings> const> fields_of()
{
  using Settings = TuneSettings;
  static auto const fields = std::to_array<Field<Settings>>({
      {"workload",
       [](JsonNode const& node, Settings& settings) {
         settings.workload = tuning::workload_of(node);  // as in a file of its own, and not on top of another one
         try {
           tuning::validate(settings.workload);
         } catch (Error const& error) {
           node.fail(error.what());
         }
       },
       [](Settings const& settings, std::filesystem::path const& folder) {
         return object_of_fields(folder, settings.workload);
       }},
      number("seconds", &Settings::budget_seconds, min_budget_seconds, max_budget_seconds),
      whole_number("seed", &Settings::seed),
      choice("view", &Settings::view, "view"),
      flag("printed", &Settings::printed),
      choice("code", &Settings::code, "library"),
  });
  return fields;
}

template <>
std::span<Field<TuneSetup> const> fields_of()
{
  static std::vector<Field<TuneSetup>> const fields = [] {
    std::vector<Field<TuneSetup>> list;
    for (Field<TuneSettings> const& field : fields_of<TuneSettings>()) {
      list.push_back({field.name,
                      [&field](JsonNode const& node, TuneSetup& set_up) { field.read(node, set_up.settings); },
                      [&field](TuneSetup const& set_up, std::filesystem::path const& folder) {
                        return field.write(set_up.settings, folder);
                      }});
    }
    list.push_back(flag("start", &TuneSetup::start));
    return list;
  }();
  return fields;
}

}  // namespace slotscape
