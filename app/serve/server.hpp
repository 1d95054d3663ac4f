#pragma once

#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/serve/audience.hpp"
#include "app/serve/origin.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotscape::serve {

inline constexpr std::uint16_t default_port = 8080;
inline constexpr std::size_t default_viewers = 10;
inline constexpr std::size_t max_viewers = 100;

struct ServerSettings {
  std::string address = {};           ///< numeric, of this machine; empty: of the loopback interface alone
  std::uint16_t port = default_port;  ///< 0: any that is free
  std::size_t viewers = default_viewers;
  std::vector<Origin> origins = {};  ///< of proxies in front of it
};

/// Shows pictures to browsers, by HTTP and WebSockets, and takes what the one that drives sends back. The network has a
/// thread of its own; so have the pictures.
class Server {
public:
  virtual ~Server() = default;
  /// What people with this role open: "http://127.0.0.1:8080/?token=...", or the same at the first origin.
  virtual std::string address(Role role) const = 0;
  /// Where it listens, for a proxy: "http://127.0.0.1:8080".
  virtual std::string place() const = 0;
  virtual Audience& audience() = 0;
  /// Whether a picture would be used now; else `show` need not be called.
  virtual bool takes_picture() const = 0;
  virtual void show(gl::Image image) = 0;
};

/// Listens from now on. `picture`: the size of all that will be shown. Throws Error that says what to do if the port is
/// taken, if the address is not one of this machine, or if the program was built without libwebsockets.
std::unique_ptr<Server> open_server(ServerSettings const& settings, gl::Size picture);

}  // namespace slotscape::serve
