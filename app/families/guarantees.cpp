#include "app/families/guarantees.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

std::string at_once(Guarantees const& guarantees)
{
  switch (guarantees.together) {
    case Together::everything: return "Inserts, finds and erases may all run at once.";
    case Together::erases_apart: return "Inserts and finds may run at once; erases have a phase of their own.";
    case Together::nothing: break;
  }
  return "Inserts, finds and erases take turns; each kind runs in parallel with itself.";
}

std::string load_text(double load)
{
  return fmt::format("α {:.3g}", load);
}

std::string safe_load(Guarantees const& guarantees)
{
  if (guarantees.safe_load >= 1.0) { return "Random keys find a place until every slot is taken."; }
  return fmt::format("Up to {} random keys find a place.", load_text(guarantees.safe_load));
}

std::string beyond(Guarantees const& guarantees)
{
  std::string const who = guarantees.safe_load >= 1.0 ? "a key without a free slot" : "a key that finds no place";
  if (guarantees.beyond == Beyond::table_full) { return fmt::format("Beyond that, {} is answered ‘full’.", who); }
  return fmt::format("Beyond that, {} has the table rebuilt with other hashes; if that fails, it is answered ‘full’.",
                     who);
}

std::string_view erasing(Guarantees const& guarantees)
{
  if (guarantees.erase_frees_slot) { return "An erased key’s slot is free for any other key."; }
  if (guarantees.erase_frees_bucket) { return "An erased key’s slot is free for other keys of its bucket."; }
  return "An erased key’s slot is no use to other keys before a rehash.";
}

}  // namespace

std::vector<Promise> promises_of(Guarantees const& guarantees)
{
  std::vector<Promise> promises{{"At once", at_once(guarantees)}};
  if (guarantees.is_static) {
    promises.push_back({"Static", "The table is built as a whole: inserting new keys rebuilds it."});
  }
  promises.push_back({"Erasing", std::string(erasing(guarantees))});
  promises.push_back(
      {"Order", guarantees.ordered ? "Iteration goes by rising key." : "The order of iteration means nothing."});
  promises.push_back({"Load", safe_load(guarantees) + " " + beyond(guarantees)});
  return promises;
}

std::string beyond_safe_load(Guarantees const& guarantees, double load)
{
  constexpr double rounding = 1e-9;
  if (load <= guarantees.safe_load + rounding) { return {}; }
  std::string const safe = load_text(guarantees.safe_load);
  return guarantees.beyond == Beyond::table_full
             ? fmt::format("Above the safe {}: keys may find no place and be answered ‘full’.", safe)
             : fmt::format("Above the safe {}: the table may be rebuilt often, or be full.", safe);
}

double capped_load(FamilyInfo const& family, TableSettings const& table, double load)
{
  return std::min(load, family.guarantees(table).safe_load);
}

}  // namespace slotscape
