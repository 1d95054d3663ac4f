// Keys and values of our own types: counts the words of a text, and the points in each cell of a grid.

#include <slotscape/table.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// --- Words are too long for a table: their keys are their numbers, and hash and equality look at the text.

/// Word i is text[starts[i]] to text[starts[i + 1] - 1].
struct Words {
  char const* text;
  std::uint32_t const* starts;
};
struct HashWord {
  Words words;
  std::uint64_t operator()(std::uint32_t word) const
  {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (std::uint32_t at = words.starts[word]; at != words.starts[word + 1]; ++at) {
      hash = (hash ^ static_cast<unsigned char>(words.text[at])) * 0x100000001b3u;
    }
    return hash;
  }
};
struct SameWord {
  Words words;
  bool operator()(std::uint32_t a, std::uint32_t b) const { return word(a) == word(b); }
  std::string_view word(std::uint32_t i) const
  {
    return {words.text + words.starts[i], words.starts[i + 1] - words.starts[i]};
  }
};
/// The array 0, 1, 2, which needs no memory: anything with `[i]` will do.
struct Numbers {
  std::uint32_t operator[](std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
};
using WordCounts = slotscape::CpuTable<slotscape::families::swiss, std::uint32_t, std::uint32_t,
                                       slotscape::HashedBy<HashWord, SameWord>>;

/// How many different words there are, and how many of these occur once.
std::pair<std::uint64_t, std::uint64_t> count_words(std::string const& text, std::vector<std::uint32_t> const& starts)
{
  auto const count = static_cast<std::uint32_t>(starts.size() - 1);
  Words const words{text.data(), starts.data()};
  WordCounts counts({.slots = WordCounts::slots_for(count)}, {{words}, {words}});
  std::vector<std::uint32_t> const ones(count, 1);
  counts.insert_or_add(Numbers{}, ones.data(), count).or_throw();

  std::uint64_t const different = counts.size();
  return {different, counts.erase_if([](std::uint32_t, std::uint32_t times) { return times == 1; })};
}

/// --- A cell of a grid is a key of 12 bytes.

struct Cell {
  std::int32_t x, y, z;
};
using Grid = slotscape::CpuTable<slotscape::families::linear_probing, Cell, float>;

/// How many cells have points, and what those of all cells weigh. Nobody knows the number of cells before.
std::pair<std::uint64_t, double> weigh_cells(std::vector<Cell> const& cells, std::vector<float> const& weights)
{
  Grid grid({.slots = 64, .grow_at = 0.8});
  grid.insert_or_add(cells.data(), weights.data(), cells.size()).or_throw();

  std::vector<Cell> each(grid.size());
  std::vector<float> sums(grid.size());
  grid.export_pairs(each.data(), sums.data(), sums.size());
  double all = 0.0;
  for (float const sum : sums) { all += sum; }
  return {sums.size(), all};
}

}  // namespace

int main()
{
  try {
    std::string text;
    std::vector<std::uint32_t> starts{0};
    for (std::uint32_t i = 0; i < 100'000; ++i) {  // word0 to word99 many times, and every thousandth word is unique
      text += "word" + std::to_string(i % 1000 == 0 ? i + 1000 : i % 100);
      starts.push_back(static_cast<std::uint32_t>(text.size()));
    }
    auto const [words, unique] = count_words(text, starts);

    std::vector<Cell> cells;
    for (std::int32_t i = 0; i < 100'000; ++i) { cells.push_back({i % 20 - 10, i % 30 - 15, -i % 7}); }
    auto const [filled, weight] = weigh_cells(cells, std::vector<float>(cells.size(), 0.5f));

    std::printf("%llu different words, %llu of them once\n", static_cast<unsigned long long>(words),
                static_cast<unsigned long long>(unique));
    std::printf("%llu cells, which weigh %.0f\n", static_cast<unsigned long long>(filled), weight);
    return words == 200 && unique == 100 && filled == 420 && weight == 50'000.0 ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
