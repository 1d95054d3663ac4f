#include "app/simulation/families.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/slot_counts.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

auto says(char const* words)
{
  return Contains(::testing::Field(&GuaranteeText::text, HasSubstr(words)));
}

TEST(Promises, FollowTheGuarantees)
{
  Guarantees free;
  EXPECT_THAT(guarantee_texts(free),
              AllOf(says("can all run concurrently"), says("is not reused"), says("arbitrary"),
                    says("until every slot is taken"), says("returns ‘full’"), Not(says("rebuilds"))));
  Guarantees strict{.concurrency = Concurrency::phased,
                    .erase_frees_slot = true,
                    .ordered = true,
                    .is_static = true,
                    .safe_load = 0.85,
                    .overflow = OverflowPolicy::rebuild};
  EXPECT_THAT(guarantee_texts(strict), AllOf(says("in separate phases"), says("Any key can reuse"),
                                             says("ascending order"), says("Inserting new keys rebuilds"),
                                             says("Up to α 0.85"), says("rebuilds the table with other hashes")));
  Guarantees const phased{.concurrency = Concurrency::erases_apart};
  EXPECT_THAT(guarantee_texts(phased), says("erases need a phase of their own"));
}

TEST(Promises, WarnBeyondTheSafeLoadOnly)
{
  Guarantees const guarantees{.safe_load = 0.9};
  EXPECT_THAT(safe_load_warning(guarantees, 0.9), IsEmpty());
  EXPECT_THAT(safe_load_warning(guarantees, 0.91), AllOf(HasSubstr("α 0.9"), HasSubstr("‘full’")));
  Guarantees const rebuilding{.safe_load = 0.5, .overflow = OverflowPolicy::rebuild};
  EXPECT_THAT(safe_load_warning(rebuilding, 0.6), HasSubstr("rebuilt"));
  EXPECT_THAT(safe_load_warning({}, 1.0), IsEmpty());
}

TEST(Promises, EveryFamilyMakesThem)
{
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    TableSettings const table = with_family({}, family);
    Guarantees const guarantees = family.guarantees(table);
    EXPECT_GT(guarantees.safe_load, 0.0) << name;
    EXPECT_LE(guarantees.safe_load, guarantees.max_load) << name;
    EXPECT_GE(guarantee_texts(guarantees).size(), 4u) << name;
    EXPECT_EQ(capped_to_safe_load(family, table, 2.0), guarantees.safe_load) << name;
    EXPECT_EQ(capped_to_safe_load(family, table, 0.01), 0.01) << name;
  }
}

TEST(SlotCounts, SuitWhatTheSchemeNeeds)
{
  EXPECT_TRUE(suits(SlotCounts::any, 1000));
  EXPECT_FALSE(suits(SlotCounts::any, min_slots - 1));
  EXPECT_FALSE(suits(SlotCounts::any, max_slots + 1));
  EXPECT_FALSE(suits(SlotCounts::power_of_two, 1000));
  EXPECT_TRUE(suits(SlotCounts::power_of_two, 1024));
  EXPECT_TRUE(suits(SlotCounts::power_of_two_or_prime, 1024));
  EXPECT_TRUE(suits(SlotCounts::power_of_two_or_prime, 1009));
  EXPECT_FALSE(suits(SlotCounts::power_of_two_or_prime, 1001));  // 7 * 11 * 13
  EXPECT_TRUE(suits(SlotCounts::power_of_two_or_prime, 2147483647));
}

TEST(SlotCounts, OfShardsWhoseSlotsAreNotNumberedAsOne)
{
  constexpr std::uint64_t most = 3 * max_slots;
  EXPECT_TRUE(suits(SlotCounts::power_of_two, most, 3, most));
  EXPECT_TRUE(suits(SlotCounts::any, most - 1, 3, most)) << "rounded up";
  EXPECT_FALSE(suits(SlotCounts::any, most + 1, 3, most));
  EXPECT_FALSE(suits(SlotCounts::any, most, 3)) << "those of one table";
  EXPECT_EQ(nearest_slots(SlotCounts::power_of_two, most - 3, 3, most), (std::vector{most, most / 2}));
}

TEST(SlotCounts, SayWhatWouldDo)
{
  EXPECT_EQ(allowed_slot_counts(SlotCounts::power_of_two, 1000),
            "a power of two from 4 to 2147483648, for example 1024 or 512");
  EXPECT_EQ(allowed_slot_counts(SlotCounts::power_of_two_or_prime, 1001),
            "a power of two or a prime number from 4 to 2147483648, for example 997 or 1009");
  EXPECT_EQ(allowed_slot_counts(SlotCounts::any, 3), "a whole number from 4 to 2147483648");
  EXPECT_EQ(allowed_slot_counts(SlotCounts::power_of_two, 65536),
            "a power of two from 4 to 2147483648, for example 65536");
  EXPECT_EQ(allowed_slot_counts(SlotCounts::power_of_two_or_prime, 65537),
            "a power of two or a prime number from 4 to 2147483648, for example 65537");
}

/// The numbers that an error offers.
std::vector<std::uint64_t> offered_in(std::string const& error)
{
  std::vector<std::uint64_t> numbers;
  std::size_t const start = error.find("for example ");
  for (std::size_t i = start; i < error.size(); ++i) {
    if (std::isdigit(error[i]) == 0) { continue; }
    std::size_t length = 0;
    numbers.push_back(std::stoull(error.substr(i), &length));
    i += length;
  }
  return numbers;
}

bool is_power_or_prime(std::uint64_t number, bool takes_primes)
{
  bool is_power = false;
  for (std::uint64_t power = min_slots; power <= max_slots; power *= 2) { is_power = is_power || power == number; }
  if (is_power || !takes_primes || number < 2) { return is_power; }
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) { return false; }
  }
  return true;
}

/// In every error of every family that restricts slots: allowed ones, the nearer one first, none twice.
TEST(SlotCounts, ErrorsOfferTheNearestNumbers)
{
  int refused = 0;
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    if (family.slot_counts == SlotCounts::any) { continue; }
    bool const primes = family.slot_counts == SlotCounts::power_of_two_or_prime;
    for (std::uint64_t const slots : {0ull, 3ull, 18ull, 24ull, 100ull, 1000ull, 49152ull, 65535ull, 70000ull,
                                      1278750ull, 2147483646ull, 2147483649ull, 1ull << 40}) {
      std::string const error = test::message_of<Error>([&] { validate_slots(family, slots); });
      std::vector<std::uint64_t> const offered = offered_in(error);
      ASSERT_FALSE(offered.empty()) << name << ": " << error;
      ASSERT_LE(offered.size(), 2u) << error;
      auto const distance = [&](std::uint64_t a) { return a > slots ? a - slots : slots - a; };
      std::uint64_t const start = std::clamp(slots, min_slots, max_slots);
      std::uint64_t nearest = 0;  // found by trying, one step further each time
      for (std::uint64_t step = 0; nearest == 0; ++step) {
        if (is_power_or_prime(start + step, primes)) { nearest = start + step; }
        if (nearest == 0 && start >= step + min_slots && is_power_or_prime(start - step, primes)) {
          nearest = start - step;
        }
      }
      EXPECT_EQ(offered[0], nearest) << error;
      for (std::uint64_t const number : offered) { EXPECT_TRUE(is_power_or_prime(number, primes)) << error; }
      if (offered.size() == 2) {
        EXPECT_LE(distance(offered[0]), distance(offered[1])) << error;
        EXPECT_NE(offered[0] < slots, offered[1] < slots) << error;
      }
      ++refused;
    }
  }
  EXPECT_GE(refused, 2 * 13);
}

TEST(SlotCounts, FindANumberThatSuits)
{
  EXPECT_EQ(suitable_slots(SlotCounts::any, 1001), 1001u);
  EXPECT_EQ(suitable_slots(SlotCounts::power_of_two, 1001), 1024u);
  EXPECT_EQ(suitable_slots(SlotCounts::power_of_two_or_prime, std::uint64_t{2} * 1009), 2027u);
  EXPECT_EQ(suitable_slots(SlotCounts::power_of_two, 8), 8u);  // refused by whoever is asked for it
}

TEST(SlotCounts, AreReadAsTheyAreWritten)
{
  for (std::uint64_t const slots : {16ull, 65536ull, 1000003ull, 1ull << 31}) {
    EXPECT_EQ(parse_slots(slots_text(slots)), slots);
  }
  EXPECT_EQ(parse_slots("100001"), 100001u);
  EXPECT_EQ(parse_slots("1 000"), 1000u);
  EXPECT_EQ(parse_slots("1\u00a0000\u00a0003"), 1000003u) << "as other languages than English write it";
  EXPECT_EQ(parse_slots("2^20"), 1048576u);
  for (char const* wrong : {"", "many", "2^", "2^99", "-5", "1.5"}) { EXPECT_FALSE(parse_slots(wrong)) << wrong; }
}

TEST(SlotCounts, TellTheBytesOfPairs)
{
  EXPECT_EQ(bytes_of_pairs({.key_bits = 32}, 1000), 8000u);
  EXPECT_EQ(bytes_of_pairs({.key_bits = 64}, 1000), 16000u);
}

TEST(Keys, ReachAlmostToTheEndOfTheirWidth)
{
  EXPECT_LT(largest_key(32), 0xffffffffu);
  EXPECT_GT(largest_key(32), 0xfffffff0u);
  EXPECT_LT(largest_key(64), 0xffffffffffffffffu);
  EXPECT_GT(largest_key(64), 0xfffffffffffffff0u);
}

constexpr std::uint32_t sizes[]{1, 8, 32};
constexpr Parameter bucket{"bucket", "Bucket", "", 8, sizes};

TEST(Parameters, OnlyTheUnusualAreKept)
{
  TableSettings table;
  set_parameter(table, bucket, 32);
  EXPECT_EQ(table.parameters.at("bucket"), 32u);
  set_parameter(table, bucket, 8);
  EXPECT_EQ(table, TableSettings{});
}

TEST(Parameters, AnotherFamilyTakesWhatItCanOfATable)
{
  TableSettings table{.slots = 1000, .hash = HashKind::xxhash, .key_bits = 64};
  table.parameters["bucket"] = 32;
  FamilyInfo narrow = family_info("linear_probing");
  narrow.name = "narrow";
  narrow.slot_counts = SlotCounts::power_of_two;
  narrow.wide = false;
  TableSettings const taken = with_family(table, narrow);
  EXPECT_EQ(taken.family, "narrow");
  EXPECT_EQ(taken.slots, 1024u);
  EXPECT_EQ(taken.hash, HashKind::xxhash);
  EXPECT_EQ(taken.key_bits, 32);
  EXPECT_THAT(taken.parameters, IsEmpty());
  FamilyInfo wide = narrow;
  wide.slot_counts = SlotCounts::any;
  wide.wide = true;
  EXPECT_EQ(with_family(table, wide).slots, 1000u);
  EXPECT_EQ(with_family(table, wide).key_bits, 64);
  table.deletion = Deletion::shift;
  EXPECT_EQ(with_family(table, family_info("linear_probing")).deletion, Deletion::shift);
  EXPECT_EQ(with_family(table, family_info("quadratic")).deletion, Deletion::tombstone_reuse);
}

TEST(Families, ParametersAreNamedWithTheirValues)
{
  auto const text_of = [](std::string const& family, std::string_view name) {
    FamilyInfo const& info = family_info(family);
    auto const parameter = std::ranges::find(info.parameters, name, &Parameter::name);
    return parameter_text(*parameter, parameter->fallback);
  };
  EXPECT_EQ(text_of("slab", "pool"), "pool 50 %");
  EXPECT_EQ(text_of("hopscotch", "neighbourhood"), "neighbourhood H = 32");
  EXPECT_EQ(text_of("cuckoo", "functions"), "hash functions d = 2");
  EXPECT_EQ(text_of("cuckoo", "bucket"), "slots per bucket b = 8");
  EXPECT_EQ(text_of("segmented_cuckoo", "segment"), "8,192 slots per segment");
  EXPECT_EQ(text_of("segmented_cuckoo", "partition"), "partition batches: if worthwhile");
  EXPECT_EQ(text_of("warp_cooperative", "tile"), "8 tile lanes");
  EXPECT_EQ(text_of("swiss", "variant"), "variant: Abseil, 2017");
}

}  // namespace
}  // namespace slotscape
