#include "app/scenes/paged/settings.hpp"

#include "app/simulation/names.hpp"
#include "gpu/base/translation.hpp"

#include <array>

namespace slotscape {

template <>
std::span<EnumName<LookedUp> const> enum_names()
{
  static constexpr std::array<EnumName<LookedUp>, 3> look_up_names{{{LookedUp::nothing, "nothing", "nothing"},
                                                                    {LookedUp::present, "present", "present keys"},
                                                                    {LookedUp::absent, "absent", "absent keys"}}};
  return look_up_names;
}

namespace {

using paged::PagedSettings;

constexpr std::array<std::uint32_t, 2> key_widths{32, 64};

/// Wraps a setting of the table as a setting of the scene.
Setting<PagedSceneSettings> of_table(Setting<PagedSettings> const& setting)
{
  auto const table_of = [](auto& settings) -> auto&
  {
    return settings.table;
  };
  Setting<PagedSceneSettings> whole = setting_of_part<PagedSceneSettings>(setting, table_of);
  whole.get = [get = setting.get](PagedSceneSettings const& from) { return get(from.table); };
  whole.set = [set = setting.set](PagedSceneSettings& into, double value) { set(into.table, value); };
  whole.type = [type = setting.type](std::string_view option, std::string const& typed, PagedSceneSettings& into) {
    if (type) { type(option, typed, into.table); }
  };
  return whole;
}

Setting<PagedSettings> key_bits_setting()
{
  Setting<PagedSettings> setting = listed_setting({.name = "key_bits",
                                                   .label = "Key bits",
                                                   .what = "of keys and values",
                                                   .argument = "BITS",
                                                   .hint = "Width of keys and of values.",
                                                   .more = {"B", "Switch the key width"}},
                                                  &PagedSettings::key_bits, key_widths);
  setting.type = [](std::string_view option, std::string const& typed, PagedSettings& into) {
    auto bits = static_cast<std::uint32_t>(into.key_bits);
    read_whole(option, typed, 32, 64, bits);
    if (bits != 32 && bits != 64) { throw Error(std::string(option) + " is 32 or 64."); }
    into.key_bits = static_cast<int>(bits);
  };
  return setting;
}

}  // namespace

template <>
std::span<Setting<PagedSceneSettings> const> settings_of()
{
  static auto const settings = std::to_array<Setting<PagedSceneSettings>>({
      of_table(whole_setting(
          {.name = "slots",
           .label = "Slots",
           .what = "slots of all pages",
           .argument = "N",
           .hint =
               "Slots of all pages. They are in the host's memory, and can be more than the GPU's memory would hold.",
           .less = {"Comma", "Half the slots"},
           .more = {"Period", "Twice the slots"}},
          &PagedSettings::slots, min_paged_slots, max_paged_slots, Scale::log)),
      of_table(
          whole_setting({.name = "pages",
                         .label = "Pages",
                         .what = "pages that the table is divided into",
                         .argument = "N",
                         .hint = "The keys are divided among these tables by a separate hash. Each is copied to the "
                                 "GPU, processed there, and copied back: pages of 100 to 500 MB cost the least.",
                         .less = {"Left", "Half the pages"},
                         .more = {"Right", "Twice the pages"}},
                        &PagedSettings::pages, 1, max_pages, Scale::log)),
      of_table(key_bits_setting()),
      of_table(whole_setting({.name = "seed",
                              .label = "Seed",
                              .what = "of the keys",
                              .hint = "Draws other keys.",
                              .more = {"S", "Another seed"}},
                             &PagedSettings::seed)),
      number_setting({.name = "load_factor",
                      .label = "Load α",
                      .what = "load factor that the table is brought to",
                      .argument = "X",
                      .hint = "Keys are inserted, or the last ones erased, until the table reaches this load factor. "
                              "One batch goes through all pages, whatever its size.",
                      .less = {"-", "Fewer keys"},
                      .more = {"+", "More keys"}},
                     &PagedSceneSettings::load_factor, 0.0, max_paged_load),
      choice_setting({.name = "look_up",
                      .label = "Look up",
                      .what = "what is looked up then",
                      .argument = "WHAT",
                      .hint = "Every value that a lookup returns is compared with the key's."},
                     &PagedSceneSettings::look_up, "keys to look up"),
      whole_setting(
          {.name = "lookups",
           .label = "Lookups",
           .what = "keys in a batch of lookups",
           .argument = "N",
           .hint =
               "Keys in a batch of lookups. Pages are copied to the GPU for the batch, but need not be copied back."},
          &PagedSceneSettings::lookups, 1, std::uint64_t{1} << 31, Scale::log),
      flag_setting({.name = "around_mean",
                    .label = "Colours around the mean",
                    .what = "colours from a little below the mean load factor to a little above it",
                    .option = "around-mean",
                    .hint = "Shows how evenly the hash spreads keys over pages and their cells; with colours from 0 to "
                            "1, they would hardly differ.",
                    .more = {"C", "Colours around the mean"}},
                   &PagedSceneSettings::around_mean),
  });
  return settings;
}

std::uint64_t most_paged_keys(int key_bits)
{
  constexpr std::uint64_t part = 16;
  return paged::key_count(key_bits) / part * (part - 1);
}

}  // namespace slotscape
