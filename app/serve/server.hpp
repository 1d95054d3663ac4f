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
  std::string address = {};           ///< numeric, of this machine; empty: loopback only
  std::uint16_t port = default_port;  ///< 0: any free port
  std::size_t viewers = default_viewers;
  std::vector<Origin> origins = {};  ///< of proxies in front of the server
};

/// Sends pictures to browsers over HTTP and WebSockets, and receives the driver's input. Network and compression each
/// have their own thread.
class Server {
public:
  virtual ~Server() = default;
  /// The address to open for this role: "http://127.0.0.1:8080/?token=...", or at the first origin.
  virtual std::string address(Role role) const = 0;
  /// The address for a proxy to connect to: "http://127.0.0.1:8080".
  virtual std::string place() const = 0;
  virtual Audience& audience() = 0;
  /// Whether `show` would have an effect now; otherwise it need not be called.
  virtual bool takes_picture() const = 0;
  virtual void show(gl::Image image) = 0;
};

/// Starts listening. `picture`: the size of all pictures. Throws Error that says what to do if the port is taken, if
/// the address does not belong to this machine, or if the program was built without libwebsockets.
std::unique_ptr<Server> open_server(ServerSettings const& settings, gl::Size picture);

}  // namespace slotscape::serve
