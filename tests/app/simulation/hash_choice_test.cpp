#include "app/simulation/hash_choice.hpp"

#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <gmock/gmock.h>

#include <string>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

HashChoice read(std::string const& text)
{
  Json const json = parse_json(text, "here");
  return read_hash(JsonNode(json, "here"));
}

std::string error_of(auto const& reads)
{
  try {
    reads();
  } catch (Error const& error) {
    return error.what();
  }
  return "no error";
}

TEST(HashChoices, AreTheSameAfterFilesAndOptions)
{
  for (std::string const text : {"murmur3", "identity", "fibonacci/modulo", "murmur3/prime", "formula: (7*k + 3) % 11",
                                 "formula/mask: 3*k", "formula/multiply_high: murmur3(k)", "formula: teschner"}) {
    HashChoice const choice = hash_from_text(text);
    EXPECT_EQ(to_text(choice), text);
    Json const json = hash_json(choice);
    EXPECT_EQ(read_hash(JsonNode(json, "here")), choice) << json;
    Json const as_text = text;
    EXPECT_EQ(read_hash(JsonNode(as_text, "here")), choice);
  }
}

TEST(HashChoices, HaveTheNamesOfScenarios)
{
  HashChoice const formula = read(R"({ "formula": "(7*k + 3) % 11" })");
  ASSERT_EQ(formula.kind, HashKind::formula);
  EXPECT_EQ(formula.formula->text, "(7*k + 3) % 11");
  EXPECT_EQ(formula.reduction, HashReduction::usual);
  EXPECT_EQ(read(R"({ "formula": "k", "reduction": "mask" })").reduction, HashReduction::mask);
  HashChoice const by_prime = read(R"({ "function": "murmur3", "reduction": "prime" })");
  EXPECT_EQ(by_prime.kind, HashKind::murmur3);
  EXPECT_FALSE(by_prime.is_compiled_in());
  EXPECT_EQ(hash_json(HashKind::xxhash), Json("xxhash"));
}

TEST(HashChoices, SayWhatIsWrong)
{
  EXPECT_THAT(error_of([] { read(R"({ "formula": "7 * * k" })"); }),
              HasSubstr("formula: expected a number after * at column 5"));
  EXPECT_THAT(error_of([] { read(R"({ "formula": "k", "function": "murmur3" })"); }),
              HasSubstr("leave one of them out"));
  EXPECT_THAT(error_of([] { read(R"({ "reduction": "mask" })"); }), HasSubstr("formula"));
  EXPECT_THAT(error_of([] { read(R"({ "formula": "k", "reduction": "remainder" })"); }), HasSubstr("reduction"));
  EXPECT_THAT(error_of([] { read(R"("murmur4")"); }), HasSubstr("murmur3"));
  HashChoice choice;
  EXPECT_THAT(error_of([&] { read_hash_option("--hash", "formula: k %", choice); }),
              HasSubstr("--hash: expected a number after % at column 4"));
  EXPECT_THAT(error_of([&] { read_hash_option("--hash", "formula", choice); }), HasSubstr("after a colon"));
  EXPECT_THAT(error_of([&] { read_hash_option("--hash", "murmur3/low", choice); }), HasSubstr("'low' is unknown"));
  EXPECT_EQ(choice, HashChoice(HashKind::murmur3));
}

TEST(HashChoices, KeepTheirReductionWithAnotherFunction)
{
  HashChoice hash = hash_from_text("murmur3/prime");
  hash = with_kind(hash, HashKind::formula);
  EXPECT_EQ(to_text(hash), "formula/prime: k % m");
  hash = with_formula(hash, "k * 31");
  EXPECT_EQ(to_text(with_kind(hash, HashKind::formula)), "formula/prime: k * 31");
  EXPECT_EQ(to_text(with_kind(hash, HashKind::identity)), "identity/prime");
  EXPECT_EQ(words_of(hash), "k * 31, modulo a prime");
}

}  // namespace
}  // namespace slotscape
