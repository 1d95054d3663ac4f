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
  require_within(settings.smoothing, 0.5, 8.0, "smoothing");
  require_within(settings.threshold, 0.02, 1.0, "threshold");
  require_within(settings.features, 16, 4096, "features");
  require_within(settings.bases, 1, 8192, "bases");
  require_within(settings.query_bases, 1, 512, "query_bases");
  require_within(settings.shortest_basis, 0.01, 2.0, "shortest_basis");
  require_within(settings.longest_basis, 0.01, 2.0, "longest_basis");
  if (settings.shortest_basis >= settings.longest_basis) {
    throw Error("shortest_basis must be less than longest_basis: there are no bases between " +
                shown(settings.shortest_basis) + " and " + shown(settings.longest_basis) + ".");
  }
  require_within(settings.quantum, 0.005, 0.5, "quantum");
  require_within(settings.attempts, 1, 16, "attempts");
}

std::unique_ptr<MatchEngine> make_match_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::matching
