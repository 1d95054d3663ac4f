#include "app/scene/share_link.hpp"

#include "app/base/base64.hpp"
#include "app/base/deflate.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {
namespace {

constexpr std::string_view mark = "#s=";

}  // namespace

std::string link_of(std::string_view page, std::string_view scenario)
{
  std::string link(page.substr(0, page.find('#')));
  link += mark;
  link += base64_url(compressed(scenario));
  if (link.size() > longest_link) {
    throw Error(
        tr("The link would have {} characters, but programs truncate addresses longer than {}: save the setup as a "
           "scenario (Ctrl+D), and share the file.",
           grouped(link.size()), grouped(longest_link)));
  }
  return link;
}

std::optional<std::string> scenario_in_link(std::string_view address)
{
  std::size_t const at = address.find(mark);
  if (at == std::string_view::npos || address.find_first_of(" \n") < at) { return std::nullopt; }
  std::string_view text = address.substr(at + mark.size());
  text = text.substr(0, text.find_first_of(" \t\r\n&"));
  auto const bytes = decode_base64_url(text);
  auto scenario = bytes ? uncompressed(*bytes, longest_shared) : std::nullopt;
  if (!scenario) {
    throw Error(tr("The link is damaged: part of it is missing or changed. Ask for a new link, or for the file."));
  }
  return scenario;
}

}  // namespace slotscape
