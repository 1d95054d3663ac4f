#pragma once

#include "app/serve/origin.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// What a browser may do.
enum class Role : std::uint8_t {
  viewer,  ///< look
  driver   ///< and send what mouse and keyboard do
};

/// 128 random bits as 32 hexadecimal digits. Throws Error if the system has none to give.
std::string random_token();

/// What a request says of itself; what it lacks is empty.
struct Request {
  std::string path = {};  ///< "/drive"
  std::string token = {};
  std::string cookies = {};  ///< as in the header Cookie
  std::string host = {};     ///< as in the header Host: "localhost:8080"
  std::string origin = {};   ///< as in the header Origin: "http://localhost:8080"
};

/// Decides who gets in. A token is shown once, in the address that people open; from then on, a cookie has it, for the
/// pages of its role alone, so that it is neither on a projector nor in the history of the browser.
class Access {
public:
  /// `machine`: the names that requests may use besides those of the loopback interface and numeric addresses; none if
  /// nobody else is listened to. `origins`: of proxies, whose names they may use, too.
  explicit Access(std::string machine = {}, std::vector<Origin> origins = {})
      : machine_(std::move(machine)), origins_(std::move(origins))
  {
  }

  std::string const& token(Role role) const { return role == Role::driver ? driver_ : viewer_; }
  /// The page of a role: "/drive" or "/watch".
  static std::string_view path_of(Role role);
  /// What the page's WebSocket asks for: "/drive/live".
  static std::string live_path_of(Role role);
  /// "slotscape_0f1e2d3c=TOKEN; Path=/drive; HttpOnly; SameSite=Lax"; "; Secure" for who asked by the name of an
  /// encrypted origin.
  std::string cookie_of(Role role, std::string_view host = {}) const;

  /// Against DNS rebinding: whether the request was sent to this machine by a name that nobody else can give it.
  bool knows_host(std::string_view host) const;
  /// Against pages of other sites: whether the request comes from a page of this server, or from no page at all.
  bool is_same_origin(Request const& request) const;
  /// By the token in the address.
  std::optional<Role> role_by_token(Request const& request) const;
  /// By the token in the address or in the cookie, if it is that of the role that the path is for.
  bool admits(Request const& request, Role role) const;

private:
  bool has_public_host(std::string_view host) const;
  std::string cookie_name() const { return "slotscape_" + id_; }

  std::string driver_ = random_token();
  std::string viewer_ = random_token();
  std::string id_ = random_token().substr(0, 8);  ///< tells the cookies of several servers apart
  std::string machine_;
  std::vector<Origin> origins_;
};

}  // namespace slotscape::serve
