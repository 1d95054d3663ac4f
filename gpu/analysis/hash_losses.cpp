#include "gpu/analysis/hash_losses.hpp"

#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/formula_hasher.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <numeric>
#include <unordered_set>

namespace slotscape {
namespace {

constexpr std::size_t tried = 1024;      ///< keys of each kind
constexpr std::size_t fairly_sure = 16;  ///< ratio of calls to values at which one value in 10^7 remains unseen

bool is_of_cells(HashProgram const& program)
{
  auto const is_coordinate = [](std::uint8_t step) {
    return step >= static_cast<std::uint8_t>(HashOp::x) && step <= static_cast<std::uint8_t>(HashOp::z);
  };
  return std::any_of(program.steps.begin(), program.steps.begin() + program.count, is_coordinate);
}

/// Calls a hasher for keys and compares the hashes.
template <class U, class Hasher>
class LossFinder {
public:
  LossFinder(Hasher const& hasher, std::span<std::uint64_t const> keys) : hasher_(hasher)
  {
    for (std::size_t i = 0; i < tried; ++i) { random_.push_back(static_cast<U>(random64(0x6c6f7373u, i))); }
    std::size_t const step = std::max<std::size_t>(keys.size() / tried, 1);
    for (std::size_t i = 0; i < keys.size(); i += step) { given_.push_back(static_cast<U>(keys[i])); }
    for (std::uint64_t const key : keys) {
      varying_ |= static_cast<U>(key ^ keys.front());
      step_of_keys_ = std::gcd(step_of_keys_, std::max(key, keys.front()) - std::min(key, keys.front()));
    }
  }

  std::vector<HashLoss> find()
  {
    if constexpr (std::same_as<Hasher, FormulaHasher<U>>) {
      find_few_values();
      find_symmetries();
    }
    find_constant_bits();
    find_unused_bits();
    find_lattice();
    return losses_;
  }

private:
  static constexpr int width = 8 * sizeof(U);

  void add(HashLoss::Kind kind, std::uint64_t number, std::uint64_t last = 0)
  {
    losses_.push_back({kind, number, last});
  }

  /// Finds the bits in which the hashes of any keys differ or, if there are few hash values, their number.
  void find_few_values()
  {
    std::uint64_t changing = 0;
    std::unordered_set<std::uint64_t> values;
    for (std::size_t i = 0; i < fairly_sure * tried; ++i) {
      std::uint64_t const value = hasher_.hash(static_cast<U>(random64(0x76616cu, i)));
      changing |= value ^ hasher_.hash(random_.front());
      values.insert(value);
    }
    auto const bits = static_cast<unsigned>(std::popcount(changing));
    std::uint64_t const most = bits < 64 ? std::uint64_t{1} << bits : ~std::uint64_t{0};
    bool const seen_all = values.size() <= tried;
    std::uint64_t const number = seen_all ? values.size() : most;
    std::uint64_t const nearly_all = hasher_.slots() - hasher_.slots() / 8;  // a rarely set bit may not have been seen
    if (number < nearly_all) { add(HashLoss::Kind::few_values, number); }
  }

  /// For formulas of cells: finds two coordinates that can be exchanged without changing the hash of any of many cells.
  void find_symmetries()
  {
    constexpr int bits = width == 64 ? 21 : 10;
    constexpr U mask = (U{1} << bits) - 1;
    if (!is_of_cells(hasher_.program())) { return; }
    for (int first = 0; first < 3; ++first) {
      for (int second = first + 1; second < 3; ++second) {
        bool const same = std::ranges::all_of(random_, [&](U key) {
          U const a = (key >> (first * bits)) & mask;
          U const b = (key >> (second * bits)) & mask;
          U const rest = key & ~((mask << (first * bits)) | (mask << (second * bits)));
          return hasher_.home(key) == hasher_.home(rest | (b << (first * bits)) | (a << (second * bits)));
        });
        bool const matter = std::ranges::any_of(random_, [&](U key) {
          return hasher_.home(key) != hasher_.home(key ^ (U{1} << (first * bits)));
        });
        if (same && matter) {
          add(HashLoss::Kind::symmetric, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(second));
        }
      }
    }
  }

  void find_constant_bits()
  {
    Slot changing = 0;
    for (U const key : random_) { changing |= hasher_.home(key) ^ hasher_.home(random_.front()); }
    int const constant = changing == 0 ? 0 : std::countr_zero(changing);
    if (constant != 0) { add(HashLoss::Kind::constant_bits, static_cast<std::uint64_t>(constant)); }
  }

  bool matters(int bit) const
  {
    auto const changes = [&](U key) { return hasher_.home(key) != hasher_.home(key ^ (U{1} << bit)); };
    return std::ranges::any_of(random_, changes) || std::ranges::any_of(given_, changes);
  }

  /// Finds a contiguous range of unused bits in which the keys differ; a range that reaches the top bit is a period.
  void find_unused_bits()
  {
    int last = width - 1;
    while (last >= 0 && matters(last)) { --last; }
    int first = last;
    while (first > 0 && !matters(first - 1)) { --first; }
    if (last < 0 || first == 0) { return; }  // no bits, or all: then there is only one value
    U const unused = static_cast<U>((~U{0} >> (width - 1 - last)) & (~U{0} << first));
    if ((varying_ & unused) == 0) { return; }
    std::uint64_t const period = std::uint64_t{1} << first;
    if (last == width - 1) {
      if (period < hasher_.slots()) { add(HashLoss::Kind::period, period); }
    } else {
      add(HashLoss::Kind::unused_bits, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last));
    }
  }

  /// If a key and the key `slots` further on share a home, keys with a common step share few homes.
  void find_lattice()
  {
    std::uint64_t const slots = hasher_.slots();
    bool const repeats = std::ranges::all_of(given_, [&](U key) {
      return key > static_cast<U>(~U{0} - slots) || hasher_.home(key) == hasher_.home(static_cast<U>(key + slots));
    });
    std::uint64_t const shared = std::gcd(step_of_keys_, slots);
    if (repeats && given_.size() > 1 && shared > 1) { add(HashLoss::Kind::lattice, slots / shared, step_of_keys_); }
  }

  Hasher const& hasher_;
  std::vector<U> random_;
  std::vector<U> given_;
  U varying_ = 0;
  std::uint64_t step_of_keys_ = 0;
  std::vector<HashLoss> losses_;
};

template <class U>
std::vector<HashLoss> losses_in(HashChoice const& hash, std::span<std::uint64_t const> keys, std::uint64_t slots)
{
  return with_hasher<U>(hash, slots,
                        [&]<class Hasher>(Hasher const& hasher) { return LossFinder<U, Hasher>(hasher, keys).find(); });
}

std::string with_power(std::uint64_t number)
{
  std::string digits = std::to_string(number);
  if (number < 1024 || !std::has_single_bit(number)) { return digits; }
  return fmt::format("2^{}", std::countr_zero(number));
}

std::string in_words(HashLoss const& loss)
{
  constexpr std::array<char, 3> axes{'x', 'y', 'z'};
  switch (loss.kind) {
    case HashLoss::Kind::few_values: return tr("The hash has only {} different values.", with_power(loss.number));
    case HashLoss::Kind::constant_bits:
      return tr_plural("The lowest bit of a home never changes.", "The low {} bits of a home never change.",
                       loss.number, loss.number);
    case HashLoss::Kind::period:
      return tr("Keys that differ by a multiple of {} share a home.", with_power(loss.number));
    case HashLoss::Kind::unused_bits: return tr("Bits {} to {} of a key do not matter.", loss.number, loss.last);
    case HashLoss::Kind::symmetric:
      return tr("{} and {} may be swapped without changing the hash.", axes[loss.number], axes[loss.last]);
    case HashLoss::Kind::lattice: break;
  }
  return tr("These keys differ by multiples of {}, which leaves them {} homes.", with_power(loss.last),
            with_power(loss.number));
}

}  // namespace

std::vector<HashLoss> losses_of(HashChoice const& hash, std::span<std::uint64_t const> keys, int key_bits,
                                std::uint64_t slots)
{
  return key_bits == 64 ? losses_in<std::uint64_t>(hash, keys, slots) : losses_in<std::uint32_t>(hash, keys, slots);
}

std::string losses_in_words(std::span<HashLoss const> losses)
{
  std::string text;
  for (HashLoss const& loss : losses) {
    if (!text.empty()) { text += ' '; }
    text += in_words(loss);
  }
  return text;
}

}  // namespace slotscape
