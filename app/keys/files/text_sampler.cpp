#include "app/keys/files/text_sampler.hpp"

#include "app/base/alike.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace slotscape::key_files {

void TextSampler::add(Key key, std::span<std::string const> parts, std::uint64_t place)
{
  constexpr std::size_t max_bytes = 256;
  if (keys_.contains(key)) { return; }
  TextKey look;
  for (std::string const& part : parts) { look.add(look_of(part)); }
  Key const of_look = look.take();
  if (of_look >= sample_.end) { return; }
  std::string const text = fmt::format("{}", fmt::join(parts, ", "));
  sample_.texts.push_back({of_look, key, place, text.substr(0, max_bytes)});
  keys_.insert(key);
  if (sample_.texts.size() == 2 * max_texts) { leave_out_the_upper_half(); }
}

TextSample TextSampler::take()
{
  std::ranges::stable_sort(sample_.texts, {}, &SampledText::look);
  return std::move(sample_);
}

void TextSampler::leave_out_the_upper_half()
{
  std::vector<SampledText>& texts = sample_.texts;
  std::ranges::nth_element(texts, texts.begin() + max_texts, {}, &SampledText::look);
  sample_.end = texts[max_texts].look;
  std::erase_if(texts, [&](SampledText const& text) {
    if (text.look < sample_.end) { return false; }
    keys_.erase(text.key);
    return true;
  });
}

}  // namespace slotscape::key_files
