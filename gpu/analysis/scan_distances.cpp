#include "gpu/analysis/scan_distances.hpp"

#include <array>
#include <bit>
#include <cstdlib>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slotscape::passes {

#if defined(__x86_64__)
#define SLOTSCAPE_AVX2 [[gnu::target("avx2")]]

namespace {

constexpr int lanes = 8;
constexpr std::uint32_t all_ones = 0xffffffffu;

SLOTSCAPE_AVX2 inline __m256i every(std::uint32_t number)
{
  return _mm256_set1_epi32(static_cast<int>(number));
}
SLOTSCAPE_AVX2 inline __m128i shift(int bits)
{
  return _mm_cvtsi32_si128(bits);
}

/// `BasicHasher::home` for eight keys at once.
class Homes {
public:
  SLOTSCAPE_AVX2 explicit Homes(BasicHasher<Narrow::Key> const& hasher)
      : rounds_(hasher.rounds()),
        xorshift_(every(rounds_.xorshift)),
        first_(every(rounds_.first_multiplier)),
        second_(every(rounds_.second_multiplier)),
        mask_(every(hasher.mask())),
        slots_(every(static_cast<std::uint32_t>(hasher.slots()))),
        down_(hasher.down()),
        scales_(hasher.mask() == 0)
  {
  }

  SLOTSCAPE_AVX2 __m256i operator()(__m256i keys) const
  {
    __m256i x = _mm256_mullo_epi32(mixed(keys, rounds_.first_shift), first_);
    x = _mm256_mullo_epi32(mixed(x, rounds_.second_shift), second_);
    x = mixed(x, rounds_.last_shift);
    return scales_ ? scaled(x) : _mm256_and_si256(_mm256_srl_epi32(x, shift(down_)), mask_);
  }

private:
  SLOTSCAPE_AVX2 __m256i mixed(__m256i x, int bits) const
  {
    return _mm256_xor_si256(x, _mm256_and_si256(_mm256_srl_epi32(x, shift(bits)), xorshift_));
  }
  /// The upper halves of the 64-bit products with the number of slots.
  SLOTSCAPE_AVX2 __m256i scaled(__m256i x) const
  {
    __m256i const even = _mm256_srli_epi64(_mm256_mul_epu32(x, slots_), 32);
    __m256i const odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), slots_);
    return _mm256_blend_epi32(even, odd, 0b10101010);
  }

  HashRounds<Narrow::Key> rounds_;
  __m256i xorshift_;
  __m256i first_;
  __m256i second_;
  __m256i mask_;
  __m256i slots_;
  int down_;
  bool scales_;
};

struct KeysAndValues {
  __m256i keys;
  __m256i values;
};

/// Restores the order, since instructions work on each half of a register separately.
SLOTSCAPE_AVX2 inline __m256i in_order(__m256i quarters)
{
  return _mm256_permute4x64_epi64(quarters, 0b11011000);
}

SLOTSCAPE_AVX2 inline KeysAndValues split(Narrow::Word const* words)
{
  __m256 const low = _mm256_loadu_ps(reinterpret_cast<float const*>(words));
  __m256 const high = _mm256_loadu_ps(reinterpret_cast<float const*>(words + 4));
  return {in_order(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0b10001000))),
          in_order(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0b11011101)))};
}

SLOTSCAPE_AVX2 inline std::uint32_t bits_of(__m256i masks)
{
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(masks)));
}

SLOTSCAPE_AVX2 DistanceScan::Found scan(BasicHasher<Narrow::Key> const& hasher, Slot first, Narrow::Word const* words,
                                        SlotMark* marks, std::uint64_t* occupied, std::uint32_t* measures)
{
  Homes const homes(hasher);
  __m256i const ones = every(all_ones);
  __m256i const slots = every(static_cast<std::uint32_t>(hasher.slots()));
  __m256i const signs = every(0x80000000u);
  __m256i const last_key = _mm256_xor_si256(every(Narrow::locked_key - 1), signs);
  __m256i slot = _mm256_add_epi32(every(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  __m256i any = _mm256_setzero_si256();
  DistanceScan::Found found{};
  for (int k = 0; k < DistanceScan::size; k += lanes) {
    auto const [keys, values] = split(words + k);
    __m256i const past_home = _mm256_sub_epi32(slot, homes(keys));
    __m256i const distance = _mm256_add_epi32(past_home, _mm256_and_si256(_mm256_srai_epi32(past_home, 31), slots));
    __m256i const dead = _mm256_cmpeq_epi32(values, ones);
    __m256i const empty = _mm256_and_si256(dead, _mm256_cmpeq_epi32(keys, ones));
    __m256i const keyless = _mm256_cmpgt_epi32(_mm256_xor_si256(keys, signs), last_key);
    __m256i const measure = _mm256_andnot_si256(dead, distance);
    any = _mm256_or_si256(any, measure);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(measures + k), _mm256_or_si256(distance, dead));

    __m256i const tombstone = _mm256_and_si256(_mm256_andnot_si256(empty, dead), every(2));
    __m256i const state = _mm256_or_si256(_mm256_andnot_si256(dead, every(1)), tombstone);
    __m256i const bits = _mm256_or_si256(state, _mm256_andnot_si256(keyless, every(4)));
    __m256i const mark = _mm256_or_si256(_mm256_slli_epi32(measure, 3), bits);
    __m256i const narrow = in_order(_mm256_packus_epi32(mark, mark));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(marks + k), _mm256_castsi256_si128(narrow));

    if (k % 64 == 0) { occupied[k / 64] = 0; }
    occupied[k / 64] |= std::uint64_t{~bits_of(empty) & 0xffu} << (k % 64);
    found.tombstones += static_cast<std::uint32_t>(std::popcount(bits_of(_mm256_andnot_si256(empty, dead))));
    slot = _mm256_add_epi32(slot, every(lanes));
  }
  alignas(32) std::array<std::uint32_t, lanes> of_lanes;
  _mm256_store_si256(reinterpret_cast<__m256i*>(of_lanes.data()), any);
  for (std::uint32_t const measure : of_lanes) { found.bound |= measure; }
  return found;
}

}  // namespace

bool DistanceScan::is_possible() const
{
  static bool const has_avx2 = __builtin_cpu_supports("avx2");
  return has_avx2 && (hasher_.mask() != 0 || hasher_.kind() != HashKind::identity);
}

DistanceScan::Found DistanceScan::operator()(Slot first, Narrow::Word const* words, SlotMark* marks,
                                             std::uint64_t* occupied, std::uint32_t* measures) const
{
  return scan(hasher_, first, words, marks, occupied, measures);
}

#else

bool DistanceScan::is_possible() const
{
  return false;
}
DistanceScan::Found DistanceScan::operator()(Slot, Narrow::Word const*, SlotMark*, std::uint64_t*, std::uint32_t*) const
{
  std::abort();
}

#endif

}  // namespace slotscape::passes
