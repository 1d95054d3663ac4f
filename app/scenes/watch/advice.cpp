#include "app/scenes/watch/advice_part.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <utility>

namespace slotscape {
namespace {

using watch::Scheme;

std::string on_sample(WatchedFacts const& facts)
{
  watch::SampledHomes const& homes = facts.keys.sampled;
  if (!facts.keys.homes || homes.count() == homes.places) { return {}; }
  std::string text =
      tr("There are too many keys to count: only those of {} of {} homes were counted; estimates from them are marked "
         "with ~.",
         grouped(homes.count()), grouped(homes.places));
  if (!sample_says_nothing(facts)) { return text; }
  return one_text({text, tr("The effect of a rehash cannot be estimated: some of the other homes are much fuller, or "
                            "the keys crowd too much.")});
}

std::string on_what_is_missing(WatchedFacts const& facts)
{
  watch::Description const& table = facts.description;
  if (facts.check.is_wrong()) {
    return tr(
        "Homes, probe lengths and theory are not shown: the description's hash or probing does not find the keys.");
  }
  if (table.has_undefined_hash()) {
    return tr(
        "Homes, probe lengths and theory are not shown: {} is not defined for 16-byte keys. Hashes of bytes are: "
        "xxhash_32, xxhash_64, murmur3_32 and murmur3_128.",
        watch::hash_function_names[static_cast<std::size_t>(table.hashes.front().function)]);
  }
  if (table.home_of == watch::HomeOf::unknown && !table.family.empty()) {
    return tr("Homes, probe lengths and theory are not shown: this program does not know the home slots of '{}'.",
              translated(table.family));
  }
  if (table.home_of == watch::HomeOf::unknown) {
    return tr("Homes, probe lengths and theory are not shown: the description has no \"hash\".");
  }
  if (table.probing.scheme == Scheme::unknown && !table.family.empty()) {
    return tr("Probe lengths and theory are not shown: this program does not know how '{}' probes.",
              translated(table.family));
  }
  if (table.probing.scheme == Scheme::unknown) {
    return tr("Probe lengths and theory are not shown: the description has no \"probing\".");
  }
  if (!table.probing.counts_misses) {
    return tr(
        "Accesses of misses are not counted: a lookup of an absent key may end sooner than the description says.");
  }
  if (table.home_of == watch::HomeOf::array) {
    return tr("Keys cannot be looked up, and misses are not counted: the homes of absent keys are not known.");
  }
  return {};
}

}  // namespace

std::string why_unknown(std::string const& files, std::string const& error)
{
  return tr("The layout of {} is not known. Choose a preset, or open a description.\n\n{}", files, error);
}

std::string summary_of(Statistics const& now)
{
  std::string text = fmt::format("α {:.2f}", now.load_factor());
  if (now.hit_accesses.count != 0) { text += ", " + tr("{:.1f} accesses per hit", now.hit_accesses.mean); }
  if (now.miss_accesses.count != 0) { text += ", " + tr("{:.1f} accesses per miss", now.miss_accesses.mean); }
  if (now.links != 0) {
    text +=
        ", " + tr_plural("{} key not found by lookup", "{} keys not found by lookup", now.links, grouped(now.links));
  }
  return text;
}

std::vector<std::string> advice_on(WatchedFacts const& facts)
{
  std::vector<std::string> sentences = lost_keys_text(facts);
  auto const add = [&](std::string sentence) {
    if (!sentence.empty()) { sentences.push_back(std::move(sentence)); }
  };
  std::vector<std::string> const words = watch::words_explained(facts.description);
  if (facts.statistics.live == 0) {
    add(tr("The table is empty."));
    sentences.insert(sentences.end(), words.begin(), words.end());
    return sentences;
  }
  if (facts.lost.count() == 0 && facts.lost.repeats != 0) { add(on_repeated(facts)); }
  if (facts.lost.keys.unreachable == 0) { add(on_early_end(facts)); }  // otherwise, the advice on lost keys mentions it
  OnHash const of_hash = on_hash(facts);
  if (of_hash.is_cause) { add(of_hash.text); }
  add(on_tombstones(facts));
  add(on_room(facts));
  if (!of_hash.is_cause) { add(of_hash.text); }
  add(on_given_homes(facts));
  add(on_homes_in_use(facts));
  add(on_runs(facts));
  add(on_longest(facts));
  add(on_long_chains(facts));
  bool const judged = facts.description.knows_paths() && facts.description.is_plain();
  if (sentences.empty() && judged) { add(on_nothing(facts)); }
  add(on_not_followed(facts));
  add(on_cut_chains(facts));
  add(on_slabs_beside(facts));
  sentences.insert(sentences.end(), words.begin(), words.end());
  add(on_what_is_missing(facts));
  add(on_sample(facts));
  return sentences;
}

}  // namespace slotscape
