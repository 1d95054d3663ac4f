#include "gpu/matching/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/matching/make_engine.hpp"

namespace slotscape::matching {
namespace {

std::string shown(double number)
{
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') { text.pop_back(); }
  return text;
}

void require_within(double number, double least, double most, std::string const& what)
{
  if (!(number >= least && number <= most)) {
    throw Error(what + " must be from " + shown(least) + " to " + shown(most) + ", not " + shown(number) + ".");
  }
}

}  // namespace

void validate(MatchSettings const& settings)
{
  require_within(settings.smoothing, min_smoothing, max_smoothing, "smoothing");
  require_within(settings.threshold, min_threshold, max_threshold, "threshold");
  require_within(settings.features, min_features, max_features, "features");
  require_within(settings.bases, 1, max_bases, "bases");
  require_within(settings.query_bases, 1, max_query_bases, "query_bases");
  require_within(settings.shortest_basis, min_basis, max_basis, "shortest_basis");
  require_within(settings.longest_basis, min_basis, max_basis, "longest_basis");
  if (settings.shortest_basis >= settings.longest_basis) {
    throw Error("shortest_basis must be less than longest_basis: there are no bases between " +
                shown(settings.shortest_basis) + " and " + shown(settings.longest_basis) + ".");
  }
  require_within(settings.quantum, min_quantum, max_quantum, "quantum");
  require_within(settings.attempts, 1, max_attempts, "attempts");
}

std::unique_ptr<MatchEngine> make_match_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::matching
