#include "app/serve/access.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

namespace slotscape::serve {
namespace {

/// Compares in constant time, so that timing does not reveal where they differ.
bool is_equal(std::string_view a, std::string_view b)
{
  if (a.size() != b.size()) { return false; }
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

/// The host without its port: "localhost" for "LOCALHOST:8080", "::1" for "[::1]:8080"; empty if malformed.
std::string name_of(std::string_view host)
{
  bool const in_brackets = host.starts_with('[');
  std::size_t const end = std::min(host.find(in_brackets ? ']' : ':'), host.size());
  std::string_view const name = in_brackets ? host.substr(1, end - 1) : host.substr(0, end);
  std::string_view port = host.substr(end);
  if (in_brackets) {
    if (port.empty()) { return {}; }
    port.remove_prefix(1);
  }
  bool const has_number = port.empty() || (port.front() == ':' && parse_number<std::uint16_t>(port.substr(1)));
  return has_number ? lower_case(name) : std::string();
}

bool is_numeric(std::string const& name)
{
  in6_addr address{};
  return inet_pton(AF_INET, name.c_str(), &address) == 1 || inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

/// The value of a cookie; empty if it is missing.
std::string_view value_of(std::string_view cookies, std::string_view name)
{
  while (!cookies.empty()) {
    std::string_view cookie = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookie.size() + 1, cookies.size()));
    cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
    std::size_t const equals = cookie.find('=');
    if (equals != std::string_view::npos && cookie.substr(0, equals) == name) { return cookie.substr(equals + 1); }
  }
  return {};
}

}  // namespace

std::string random_token()
{
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error("The system gives no random numbers (getrandom), without which nothing can be served safely.");
  }
  std::string token;
  for (unsigned char const byte : bytes) { token += fmt::format("{:02x}", byte); }
  return token;
}

std::string_view Access::path_of(Role role)
{
  return role == Role::driver ? "/drive" : "/watch";
}

std::string Access::live_path_of(Role role)
{
  return fmt::format("{}/live", path_of(role));
}

std::string Access::cookie_of(Role role, std::string_view host) const
{
  auto const is_this = [&](Origin const& origin) { return origin.is_encrypted() && origin.has_host(host); };
  std::string_view const secure = std::ranges::any_of(origins_, is_this) ? "; Secure" : "";
  return fmt::format("{}={}; Path={}; HttpOnly; SameSite=Lax{}", cookie_name(), token(role), path_of(role), secure);
}

bool Access::knows_host(std::string_view host) const
{
  if (has_public_host(host)) { return true; }
  std::string const name = name_of(host);
  if (name == "localhost" || name.ends_with(".localhost") || is_numeric(name)) { return true; }
  std::string const machine = lower_case(machine_);
  return !machine.empty() && (name == machine || name == machine + ".local");
}

bool Access::has_public_host(std::string_view host) const
{
  return std::ranges::any_of(origins_, [&](Origin const& origin) { return origin.has_host(host); });
}

bool Access::is_same_origin(Request const& request) const
{
  std::string const host = lower_case(request.host);
  std::string const origin = lower_case(request.origin);
  if (origin.empty() || std::ranges::find(origins_, origin, &Origin::text) != origins_.end()) { return true; }
  return !has_public_host(host) && (origin == "http://" + host || origin == "https://" + host);
}

std::optional<Role> Access::role_by_token(Request const& request) const
{
  for (Role const role : {Role::viewer, Role::driver}) {
    if (is_equal(request.token, token(role))) { return role; }
  }
  return std::nullopt;
}

bool Access::admits(Request const& request, Role role) const
{
  return role_by_token(request) == role || is_equal(value_of(request.cookies, cookie_name()), token(role));
}

}  // namespace slotscape::serve
