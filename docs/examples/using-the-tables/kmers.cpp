// Counts the k-mers of a FASTA file, as `kmers FILE [K]`: all texts of K letters, of which one and its reverse
// complement are the same. Without a file, those of made-up sequences are counted, and compared with a plain count.

#include <slotscape/table.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

/// A k-mer has two bits a letter, so that one of 31 letters is a number of 64 bits.
constexpr int max_k = 31;
using Counts = slotscape::CpuTable<slotscape::families::linear_probing, std::uint64_t, std::uint32_t>;

/// The k-mers of sequences that come letter by letter.
class Kmers {
public:
  explicit Kmers(int k) : k_(k) {}

  void begin_sequence() { letters_ = 0; }
  /// Whether a k-mer ends with this letter. Those with letters such as N are left out.
  bool takes(char letter)
  {
    std::uint64_t const code = code_of(letter);
    if (code > 3) {
      begin_sequence();
      return false;
    }
    std::uint64_t const mask = (std::uint64_t{1} << 2 * k_) - 1;
    forward_ = (forward_ << 2 | code) & mask;
    backward_ = backward_ >> 2 | (3 - code) << 2 * (k_ - 1);
    return ++letters_ >= k_;
  }
  std::uint64_t present() const { return std::min(forward_, backward_); }

private:
  /// A and T, C and G add up to 3. 4: none of them.
  static std::uint64_t code_of(char letter)
  {
    switch (letter) {
      case 'A':
      case 'a': return 0;
      case 'C':
      case 'c': return 1;
      case 'G':
      case 'g': return 2;
      case 'T':
      case 't': return 3;
      default: return 4;
    }
  }

  int k_;
  int letters_ = 0;
  std::uint64_t forward_ = 0;
  std::uint64_t backward_ = 0;
};

/// use(kmer) for each k-mer of a FASTA file.
template <class Use>
void for_each_kmer(std::istream& fasta, int k, Use const& use)
{
  Kmers kmers(k);
  for (std::string line; std::getline(fasta, line);) {
    if (line.starts_with('>')) {
      kmers.begin_sequence();
      continue;
    }
    for (char const letter : line) {
      if (letter != '\r' && kmers.takes(letter)) { use(kmers.present()); }
    }
  }
}

/// A number of ones, as an array that needs no memory.
struct Ones {
  std::uint32_t operator[](std::uint64_t) const { return 1; }
};

/// Counts them a million at a time, in a table that grows as needed.
Counts count(std::istream& fasta, int k)
{
  constexpr std::size_t at_once = 1 << 20;
  Counts counts({.slots = 1 << 16, .grow_at = 0.7});
  std::vector<std::uint64_t> waiting;
  auto const add = [&] {
    counts.insert_or_add(waiting.data(), Ones{}, waiting.size()).or_throw();
    waiting.clear();
  };
  for_each_kmer(fasta, k, [&](std::uint64_t kmer) {
    waiting.push_back(kmer);
    if (waiting.size() == at_once) { add(); }
  });
  add();
  return counts;
}

std::string letters_of(std::uint64_t kmer, int k)
{
  std::string text;
  for (int i = k - 1; i >= 0; --i) { text += "ACGT"[kmer >> 2 * i & 3]; }
  return text;
}

/// All k-mers and how often they occur, the most frequent ones first.
std::vector<std::pair<std::uint32_t, std::uint64_t>> by_frequency(Counts& counts)
{
  std::vector<std::uint64_t> kmers(counts.size());
  std::vector<std::uint32_t> times(counts.size());
  counts.export_pairs(kmers.data(), times.data(), kmers.size());
  std::vector<std::pair<std::uint32_t, std::uint64_t>> result;
  for (std::size_t i = 0; i < kmers.size(); ++i) { result.emplace_back(times[i], kmers[i]); }
  std::sort(result.begin(), result.end(),
            [](auto a, auto b) { return a.first != b.first ? a.first > b.first : a < b; });
  return result;
}

/// Two sequences in lines of 60 letters; the second one has a piece of the first, and letters that nobody could read.
std::string made_up_fasta()
{
  std::string first;
  std::uint64_t random = 1;
  for (int i = 0; i < 20'000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    first += "ACGT"[random >> 62];
  }
  std::string const second = first.substr(5'000, 3'000) + "NNN" + first.substr(100, 50);
  std::string text;
  for (auto const& [name, letters] : {std::pair{">first", first}, std::pair{">second", second}}) {
    text += std::string(name) + '\n';
    for (std::size_t at = 0; at < letters.size(); at += 60) { text += letters.substr(at, 60) + '\n'; }
  }
  return text;
}

/// Whether counting them one by one gives the same.
bool is_right(std::string const& text, int k, std::vector<std::pair<std::uint32_t, std::uint64_t>> const& counted)
{
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  std::istringstream fasta(text);
  for_each_kmer(fasta, k, [&](std::uint64_t kmer) { ++expected[kmer]; });
  return counted.size() == expected.size() && std::all_of(counted.begin(), counted.end(), [&](auto const& each) {
           return expected.at(each.second) == each.first;
         });
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    int const k = argc > 2 ? std::atoi(argv[2]) : 21;
    if (k < 1 || k > max_k) { throw std::runtime_error("K is from 1 to 31"); }
    std::string const example = argc > 1 ? "" : made_up_fasta();
    std::istringstream text(example);
    std::ifstream file(argc > 1 ? argv[1] : "");
    if (argc > 1 && !file) { throw std::runtime_error(std::string("could not open ") + argv[1]); }
    Counts counts = count(argc > 1 ? static_cast<std::istream&>(file) : text, k);
    auto const frequent = by_frequency(counts);
    std::printf("%zu different %d-mers\n", frequent.size(), k);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, frequent.size()); ++i) {
      std::printf("%s %u\n", letters_of(frequent[i].second, k).c_str(), frequent[i].first);
    }
    return argc > 1 || is_right(example, k, frequent) ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
