#pragma once

#include "app/serve/origin.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// The rights of a browser.
enum class Role : std::uint8_t {
  viewer,  ///< look
  driver   ///< may also send mouse and keyboard input
};

/// 128 random bits as 32 hexadecimal digits. Throws Error if the system provides none.
std::string random_token();

/// The relevant parts of a request; missing ones are empty.
struct Request {
  std::string path = {};  ///< "/drive"
  std::string token = {};
  std::string cookies = {};  ///< as in the header Cookie
  std::string host = {};     ///< as in the header Host: "localhost:8080"
  std::string origin = {};   ///< as in the header Origin: "http://localhost:8080"
};

/// Access control. A token appears once, in the address that users open. From then on it is in a cookie, restricted to
/// the pages of its role, so that it is neither visible on a projector nor in the browser's history.
class Access {
public:
  /// `machine`: the host name that requests may use, besides the loopback names and numeric addresses; empty if only
  /// the loopback interface is served. `origins`: those of proxies, whose host names are allowed, too.
  explicit Access(std::string machine = {}, std::vector<Origin> origins = {})
      : machine_(std::move(machine)), origins_(std::move(origins))
  {
  }

  std::string const& token(Role role) const { return role == Role::driver ? driver_ : viewer_; }
  /// The page of a role: "/drive" or "/watch".
  static std::string_view path_of(Role role);
  /// The path of the page's WebSocket: "/drive/live".
  static std::string live_path_of(Role role);
  /// "slotscape_0f1e2d3c=TOKEN; Path=/drive; HttpOnly; SameSite=Lax"; with "; Secure" if the request used the host name
  /// of an encrypted origin.
  std::string cookie_of(Role role, std::string_view host = {}) const;

  /// Against DNS rebinding: whether the request's host name cannot be assigned to this machine by somebody else.
  bool knows_host(std::string_view host) const;
  /// Against pages of other sites: whether the request comes from a page of this server, or from no page.
  bool is_same_origin(Request const& request) const;
  /// The role of the token in the address, if valid.
  std::optional<Role> role_by_token(Request const& request) const;
  /// Whether the token in the address or in the cookie is valid for the role of the path.
  bool admits(Request const& request, Role role) const;

private:
  bool has_public_host(std::string_view host) const;
  std::string cookie_name() const { return "slotscape_" + id_; }

  std::string driver_ = random_token();
  std::string viewer_ = random_token();
  std::string id_ = random_token().substr(0, 8);  ///< distinguishes the cookies of several servers
  std::string machine_;
  std::vector<Origin> origins_;
};

}  // namespace slotscape::serve
