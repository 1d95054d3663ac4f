#include "app/serve/page.hpp"

#include "app/gl/embedded.hpp"

#include <fmt/format.h>

namespace slotscape::serve {

std::string live_page(std::string const& nonce)
{
  constexpr std::string_view place = "{{nonce}}";
  std::string page(gl::embedded_text("assets/serve/page.html"));
  for (std::size_t at = page.find(place); at != std::string::npos; at = page.find(place, at)) {
    page.replace(at, place.size(), nonce);
  }
  return page;
}

std::string policy_of_page(std::string const& nonce, std::string_view host, std::vector<Origin> const& origins)
{
  std::string sources = fmt::format("'self' ws://{0} wss://{0}", host);
  for (Origin const& origin : origins) { sources += " " + origin.of_websockets(); }
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src blob: data:; connect-src {1}; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      nonce, sources);
}

std::string refusal_page(std::string_view why)
{
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>Slotscape</title>\n<h1>Slotscape</h1>\n<p>{}</p>\n</html>\n",
      why);
}

}  // namespace slotscape::serve
