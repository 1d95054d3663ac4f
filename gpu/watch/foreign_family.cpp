#include "gpu/watch/foreign_table.hpp"

namespace slotscape::watch {
namespace {

Guarantees keeps_tombstones(TableSettings const&)
{
  return {};
}
Guarantees reuses_tombstones(TableSettings const&)
{
  return {.erase_frees_slot = true};
}

Measure measure_of(Description const& table)
{
  if (!table.knows_homes()) { return {}; }
  bool const windows = table.probing.window > 1;
  switch (table.probing.scheme) {
    case Scheme::linear:
    case Scheme::downward:
      return windows ? Measure{"Probe length", "windows from home"} : Measure{"Probe length", "slots from home"};
    case Scheme::quadratic:
    case Scheme::squares:
    case Scheme::perturbation:
    case Scheme::alternating:
    case Scheme::double_hashing: return {"Probe length", "steps from home"};
    case Scheme::cuckoo: return {"Hash function", "number of the one used"};
    case Scheme::chains: return {"Slabs", "slabs before the key's"};
    case Scheme::unknown: break;
  }
  return {};
}

/// There are formulas for slots that are probed one by one, and for the buckets of cuckoo hashing.
TheoryOf theory_of(Description const& table)
{
  bool const is_cuckoo = table.knows_homes() && table.is_plain() && table.probing.scheme == Scheme::cuckoo;
  return is_cuckoo ? TheoryOf::cuckoo : theory_of_probing(table);
}

}  // namespace

TheoryOf theory_of_probing(Description const& table)
{
  if (!table.knows_homes() || !table.is_plain() || table.probing.window > 1) { return TheoryOf::nothing; }
  switch (table.probing.scheme) {
    case Scheme::linear:
    case Scheme::downward: return TheoryOf::linear_probing;
    case Scheme::double_hashing: return TheoryOf::uniform_probing;
    case Scheme::quadratic:
    case Scheme::squares: return TheoryOf::secondary_clustering;
    default: return TheoryOf::nothing;
  }
}

ForeignFamily::ForeignFamily(std::string name, Description const& table)
    : title_(std::move(name)), idea_("As described: " + text_of(table) + ".")
{
  bool const bucketed = table.probing.scheme == Scheme::cuckoo || table.buckets || table.probing.window > 1;
  info_.name = title_;
  info_.title = title_;
  info_.source = table.preset.empty() ? std::string_view("described by its program") : std::string_view(idea_);
  info_.idea = idea_;
  info_.guarantees = table.erased_key ? reuses_tombstones : keeps_tombstones;
  info_.measure = measure_of(table);
  info_.theory = theory_of(table);
  info_.wide = true;
  // Runs of slots are meaningful if keys are near their homes, and may be meaningful if homes are unknown.
  bool const fills_runs = table.probing.scheme == Scheme::linear || table.probing.scheme == Scheme::downward;
  info_.clusters = !table.buckets && (fills_runs || !table.knows_homes());
  if (bucketed && table.slots / table.probing.window > 1 && table.align() == table.probing.window) {
    bool const buckets = table.buckets || table.probing.scheme == Scheme::cuckoo;
    info_.groups = {buckets ? "Bucket size" : "Keys of a window", "keys"};
    if (table.links) { info_.groups = {"Keys of a chain", "keys"}; }
  }
  settings_.family = title_;
  settings_.slots = table.all_slots();
  settings_.key_bits = std::min(table.key.bits, 64);  // longer keys are shown by their hashes
  settings_.deletion = table.erased_key ? Deletion::tombstone_reuse : Deletion::empty_value;
  settings_.parameters = {{"functions", static_cast<std::uint32_t>(table.hashes.size())},
                          {"bucket", static_cast<std::uint32_t>(table.probing.window)}};
}

}  // namespace slotscape::watch
