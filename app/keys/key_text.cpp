#include "app/keys/key_text.hpp"

#include "app/base/text.hpp"
#include "app/simulation/small_keys.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/signed_keys.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr EnumName<KeyStyle> styles[]{
    {KeyStyle::numbers, "numbers", "Numbers"},
    {KeyStyle::small, "small", "1 to 99"},
    {KeyStyle::words, "words", "Words"},
    {KeyStyle::names, "names", "Names"},
    {KeyStyle::with_sign, "with_sign", "With a sign"},
};

/// Key 1 is the first word. Words have at most seven letters, so that they are large in a cell. Scenarios store the
/// numbers: append to a list, but never change its order.
constexpr std::string_view word_list =
    "apple bridge cloud door eagle flute garden hill island jacket kite lemon moon needle ocean pencil queen "
    "river stone tiger uncle violin window yacht zebra acorn bread candle desk engine forest glass horse ink "
    "jungle kettle ladder mirror nest onion piano quilt rocket ship tower urn valley wheel yard zoo arrow boat "
    "castle drum elbow feather guitar harbour ice jewel kelp lamp map nut orange paper quiz rain snow train "
    "unicorn vase water yeast zipper anchor ball cherry dream egg fish goat hammer ivory juice king leaf night "
    "olive park ring sand tango village wolf year book carrot duck east fire grape hat idea jar knee lake milk "
    "nose oak plum rabbit salt tent vine wind bell coat daisy ear fox gate hand iris judge knot lion mouse north "
    "owl pear rose sugar tree voice wave bird chair dove earth frog gold honey item joke kiwi light melon net "
    "oven pond road silk tulip verse wood bench cake date edge flag game home inn jam kitten loaf meadow nail "
    "oyster path root soup tea vote wall berry clock dance field ghost house letter metal novel oil pepper roof "
    "shoe thumb west brush coin dish farm flower grass hedge cup basket";

constexpr std::string_view name_list =
    "Ada Ben Chloe Dmitri Eva Farid Gita Hugo Ines Jun Kofi Lena Mateo Nora Omar Priya Quinn Rosa Sven Tariq Uma "
    "Viktor Wei Ximena Yuki Zara Aisha Bruno Carmen Diego Emma Felix Grace Hana Ivan Jamila Karim Leila Marco "
    "Naomi Oscar Paola Rafael Sofia Tomas Ulla Vera Walid Xander Yara Zoe Amara Bela Chen Dana Elias Fatima "
    "Goran Hassan Irina Jonas Kenji Luca Mina Nils Olga Pavel Ravi Sara Taro Usha Vito Wanda Yusuf Zeno Anouk "
    "Boris Clara David Elif Franz Gloria Hamid Isla Joao Kira Liam Malik Nadia Otto Petra Rami Selma Tara Ugo "
    "Vanya Wren Yosef Zainab Akira Berta Cyrus Dora Emil Freya Gustav Helga Imani Jorge Katya Leo Maya Nuno "
    "Oriol Pia Ruben Saanvi Thabo Ute Vikram Wim Yael Zuri Alma Bilal Cleo Desta Enzo Faye Gwen Heidi Igor Juan "
    "Kamal Lucia Mehmet Nina Odin Paul Rania Simon Tove Umar Vida Willem Yana Zhen Anna Bjorn Celia Daan Edna "
    "Fumiko Greta Henri Ida Jana Kwame Lars Miro Noor Olive Pedro Rhea Sami Tuan Una Vlad Xia Yuri Zofia Aziz "
    "Basma Colin Dilip Ella Finn Gael Hiro Ilse Jens Kaya Lila Musa Nico Ola Pilar Rolf Suri Tess Uri Vasco "
    "Winnie Yann Zlata Arun Birgit Caleb Dario Esra";

/// The entries of a list, and their keys by lower-case text.
struct Vocabulary {
  explicit Vocabulary(std::string_view list)
  {
    while (!list.empty()) {
      std::size_t const length = std::min(list.find(' '), list.size());
      entries.push_back(list.substr(0, length));
      keys.emplace(lower_case(entries.back()), entries.size());
      list.remove_prefix(std::min(length + 1, list.size()));
    }
  }

  std::vector<std::string_view> entries;
  std::unordered_map<std::string, Key> keys;
};

/// The list of words of a style; null if the style shows keys as numbers.
Vocabulary const* vocabulary_of(KeyStyle style)
{
  static Vocabulary const words(word_list);
  static Vocabulary const names(name_list);
  switch (style) {
    case KeyStyle::words: return &words;
    case KeyStyle::names: return &names;
    case KeyStyle::numbers:
    case KeyStyle::small:
    case KeyStyle::with_sign: break;
  }
  return nullptr;
}

}  // namespace

template <>
std::span<EnumName<KeyStyle> const> enum_names()
{
  return styles;
}

Key key_of_signed(std::int64_t number)
{
  return without_reserved(static_cast<Key>(number));
}

std::int64_t signed_of_key(Key key)
{
  return static_cast<std::int64_t>(without_reserved(key));
}

std::uint64_t hash_of_text(std::uint64_t seed, std::string_view text)
{
  std::uint64_t hash = random64(seed, text.size());
  while (!text.empty()) {
    std::uint64_t word = 0;
    std::size_t const bytes = std::min(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), bytes);
    hash = random64(hash, word);
    text.remove_prefix(bytes);
  }
  return hash;
}

void TextKey::add(std::string_view part)
{
  constexpr std::uint64_t seed = 0x6b657973;
  hash_ = hash_of_text(hash_ ^ seed, part);
}

Key TextKey::take()
{
  constexpr Key reserved_keys = 3;
  Key const hash = std::exchange(hash_, 0);
  return is_reserved(hash, 64) ? hash - reserved_keys : hash;
}

Key key_of_text(std::string_view text)
{
  TextKey key;
  key.add(text);
  return key.take();
}

Key largest_named_key(KeyStyle style)
{
  return style == KeyStyle::small ? max_small_key : spoken_keys(style).size();
}

bool is_spoken(Key key, KeyStyle style)
{
  return key >= 1 && key <= spoken_keys(style).size();
}

std::string key_text(Key key, KeyStyle style)
{
  if (style == KeyStyle::with_sign) { return std::to_string(signed_of_key(key)); }
  return is_spoken(key, style) ? std::string(spoken_keys(style)[key - 1]) : std::to_string(key);
}

std::optional<Key> key_named(std::string_view text, KeyStyle style)
{
  Vocabulary const* const vocabulary = vocabulary_of(style);
  if (style == KeyStyle::with_sign) {
    auto const number = parse_number<std::int64_t>(text);
    return number ? std::optional(key_of_signed(*number)) : std::nullopt;
  }
  if (vocabulary == nullptr) { return std::nullopt; }
  auto const found = vocabulary->keys.find(lower_case(text));
  return found == vocabulary->keys.end() ? std::nullopt : std::optional(found->second);
}

std::span<std::string_view const> spoken_keys(KeyStyle style)
{
  Vocabulary const* const vocabulary = vocabulary_of(style);
  return vocabulary == nullptr ? std::span<std::string_view const>() : vocabulary->entries;
}

}  // namespace slotscape
