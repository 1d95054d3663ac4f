#include "app/files/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace slotscape {

namespace {

char lower(char letter)
{
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

std::size_t edits(std::string_view from, std::string_view to)
{
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      std::size_t const replaced = diagonal + (lower(from[i]) == lower(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<std::string_view const> candidates)
{
  std::string_view best;
  std::size_t fewest = 0;
  for (std::string_view const candidate : candidates) {
    std::size_t const distance = edits(word.substr(0, 64), candidate);
    bool const near = distance <= std::max<std::size_t>(2, candidate.size() / 2) && distance < candidate.size();
    if (near && (best.empty() || distance < fewest)) {
      best = candidate;
      fewest = distance;
    }
  }
  return best;
}

std::string suggest(std::string_view word, std::span<std::string_view const> candidates)
{
  std::string_view const best = nearest(word, candidates);
  std::string const start = best.empty() ? "it" : fmt::format("did you mean '{}'? It", best);
  return fmt::format("{} can be: {}", start, fmt::join(candidates, ", "));
}

}  // namespace slotscape
