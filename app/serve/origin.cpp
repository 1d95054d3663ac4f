#include "app/serve/origin.hpp"

#include "app/base/text.hpp"
#include "app/serve/listening.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace slotscape::serve {
namespace {

bool is_label(std::string_view label)
{
  constexpr std::size_t max_length = 63;
  bool const is_short = !label.empty() && label.size() <= max_length;
  bool const has_letters = label.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
  return is_short && has_letters && label.front() != '-' && label.back() != '-';
}

/// A host name, or a numeric address, with brackets around IPv6 (RFC 3986, RFC 1123).
bool is_host_name(std::string const& host)
{
  constexpr std::size_t max_length = 253;
  if (host.starts_with('[')) { return host.ends_with(']') && is_ipv6(host.substr(1, host.size() - 2)); }
  if (host.size() > max_length) { return false; }
  std::string_view last = host;
  while (true) {
    std::size_t const dot = last.find('.');
    if (!is_label(last.substr(0, dot))) { return false; }
    if (dot == std::string_view::npos) { break; }
    last.remove_prefix(dot + 1);
  }
  in_addr address{};
  bool const ends_in_number = last.find_first_not_of("0123456789") == std::string_view::npos;
  return !ends_in_number || inet_pton(AF_INET, host.c_str(), &address) == 1;
}

std::string_view usual_port(std::string_view origin)
{
  return origin.starts_with("https") ? ":443" : ":80";
}

}  // namespace

Origin::Origin(std::string_view typed) : text_(lower_case(typed))
{
  std::size_t const scheme = text_.starts_with("https://") ? 8 : text_.starts_with("http://") ? 7 : 0;
  if (scheme != 0 && text_.find('/', scheme) != std::string::npos) {
    throw Error(
        tr("--origin: '{}' is invalid; it must end after the host, which serves this program alone: https://HOST",
           typed));
  }
  std::size_t const bracket = text_.find(']', scheme);
  std::size_t const colon = text_.find(':', bracket == std::string::npos ? scheme : bracket);
  bool const has_port = colon != std::string::npos;
  auto const port = has_port ? parse_number<std::uint16_t>(std::string_view(text_).substr(colon + 1)) : std::nullopt;
  bool const is_host = scheme != 0 && is_host_name(text_.substr(scheme, has_port ? colon - scheme : colon));
  if (!is_host || (has_port && (!port || *port == 0 || text_[colon + 1] == '0'))) {
    throw Error(tr(
        "--origin: '{}' is invalid; it must be the start of the page's address, as browsers send it: https://HOST or "
        "https://HOST:PORT, in ASCII",
        typed));
  }
  if (text_.substr(std::min(colon, text_.size())) == usual_port(text_)) { text_.resize(colon); }
}

bool Origin::has_host(std::string_view host) const
{
  std::string_view const own = std::string_view(text_).substr(text_.find("//") + 2);
  std::string const asked = lower_case(host);
  bool const has_port = own.find(':') != std::string_view::npos && !own.ends_with(']');
  return asked == own || (!has_port && asked == fmt::format("{}{}", own, usual_port(text_)));
}

std::vector<Origin> origins_in(std::string_view typed)
{
  constexpr std::size_t max_origins = 8;  // so that they fit into a page's headers
  std::vector<Origin> origins;
  while (!typed.empty()) {
    if (origins.size() == max_origins) { throw Error(tr("--origin takes at most {} origins", max_origins)); }
    std::string_view const one = typed.substr(0, typed.find(','));
    origins.emplace_back(trimmed(one));
    typed.remove_prefix(std::min(one.size() + 1, typed.size()));
  }
  return origins;
}

}  // namespace slotscape::serve
