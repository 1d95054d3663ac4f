#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/findings.hpp"
#include "app/base/json.hpp"
#include "app/base/setting.hpp"
#include "app/scene/file_question.hpp"
#include "app/simulation/action.hpp"
#include "app/table_map/settings.hpp"
#include "app/table_map/step/step_state.hpp"
#include "gpu/tables/family.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace slotscape {

/// How a foreign table differs from the table that represents it in this program.
enum class Unlike : std::uint8_t { hash, crowded_hash, probing, deletion };
template <>
std::span<EnumName<Unlike> const> enum_names();

/// Remarks on keys that come from elsewhere.
struct HandedOver {
  Findings of_keys = {};    ///< valid while the tables have these keys
  Findings of_tables = {};  ///< valid while the tables are the same, too
  std::vector<Unlike> unlike = {};

  /// All findings.
  Findings findings() const;
};

/// The settings of a scene of tables, and its initial steps.
struct TableSetup {
  TableSceneSettings settings;
  Framing camera = {};
  std::vector<Action> steps = {};
  bool whole_batches = false;                 ///< the steps were recorded: each batch runs in one piece
  std::optional<StepRequest> step_mode = {};  ///< opens after the steps
  std::optional<OnKey> looked_up = {};        ///< looked up by hand, after the steps; not saved
  bool opening = false;                       ///< the table fills gradually, as at a plain start; not saved
  bool of_keys = false;                       ///< see `Recipe`; not saved
  bool hands_over_keys = false;               ///< tuning is to get the keys, not only the table; not saved
  HandedOver handed_over = {};                ///< remarks on its keys; not saved
};

template <>
std::span<Setting<TableSetup> const> settings_of();

/// Whether both set-ups result in the same tables with the same settings, wherever the camera is.
bool alike(TableSetup const& left, TableSetup const& right);

/// The settings of the scene that compares tables, and its initial steps.
struct CompareSetup {
  std::vector<TableSettings> tables;  ///< 2 to 4; empty: not chosen yet
  TableSetup shared;                  ///< shared by all; its table is the first
};
/// The settings that `shared` does not have.
template <>
std::span<Setting<CompareSetup> const> settings_of();

/// Reads `table`, `seed`, `keys`, `drive`, `view` and `steps`; missing fields keep their defaults. For compared tables,
/// the first one replaces `table`. Tables without a given width get the width that the keys of a file need. Throws
/// Error at an invalid field.
TableSetup read_table_setup(JsonNode const& node, std::span<TableSettings> compared = {});
/// The JSON that `read_table_setup` reads. Paths in or under `folder` are written relative to it.
Json table_setup_json(TableSetup const& set_up, std::filesystem::path const& folder);

/// Adapts the speed to the table's size. When a small table replaces a larger one, it starts with one operation a
/// second in batches of one, so that keys and operations can be followed one by one. A larger table after it returns to
/// the usual speed, if the user has not changed the speed.
void follow_size(DriveSettings& drive, std::uint64_t slots_before, std::uint64_t slots);

/// The default in the window and in scenarios: erased keys leave tombstones whose slots are reused, as in textbooks,
/// and a mix can run for ever. (`TableSettings` itself, for programs and measurements, keeps erased keys in their
/// slots: all operations may then run together.)
TableSettings usual_table();

template <>
std::span<Setting<TableSettings> const> settings_of();
/// Reads a table: its settings, and the family's own parameters by name. Missing fields keep their defaults. Throws
/// Error at a value that the family does not support, and lists the supported ones.
TableSettings read_table(JsonNode const& node);
/// All fields, for `read_table`.
Json table_json(TableSettings const& table);
/// Reads a number of slots; the table's family, parameters and shards decide which are valid.
std::uint64_t read_slots(JsonNode const& node, TableSettings const& table);

/// Reads the list `steps` for a table that starts as in `settings`. A step's keys start from `base`: the document's
/// `keys`, or the defaults. key_bits: the smallest key width among the tables that run the steps. Throws Error at an
/// invalid step.
std::vector<Action> read_steps(JsonNode const& steps, TableSceneSettings const& settings, KeySettings const& base,
                               int key_bits);

/// Checks steps, or an operation on one key, for `TableScene::perform` and `predict`.
void check_steps_of_lesson(JsonNode const& node, TableSceneSettings const& settings);
/// See `Subject::predict`.
Json predicted(JsonNode const& operation, Engine& engine);

/// The request of the last step, if it opens step mode. The steps must have been read already.
std::optional<StepRequest> read_step_mode(JsonNode const& steps, int key_bits);

/// The keys of the first insert step, if it names any.
std::optional<KeySettings> first_insert_keys(JsonNode const& steps);

/// The list that `read_steps` reads back with `set_up.settings.keys` as base.
Json steps_json(TableSetup const& set_up, std::filesystem::path const& folder);

/// The step that opens step mode: { "op": "step", "operation": "insert", "key": 77, "value": 5, "position": 3 }; with
/// "play": true it plays by itself.
StepRequest read_step_request(JsonNode const& step, int key_bits);
Json step_request_json(StepRequest const& request);

}  // namespace slotscape
