// Stubs for features that the Windows program lacks: tables of running programs, and serving.

#include "app/serve/listening.hpp"
#include "app/serve/server.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/live.hpp"

#include <arpa/inet.h>

namespace slotscape {

std::vector<watch::Announced> watch::announced()
{
  return {};
}
std::unique_ptr<watch::Source> watch::connect(Announced const& /*table*/, BackendChoice /*where*/)
{
  throw Error(tr("On Windows, running programs cannot be watched: save the table to a file, and open the file."));
}

namespace serve {

std::unique_ptr<Server> open_server(ServerSettings const& /*settings*/, gl::Size /*picture*/)
{
  throw Error(tr("On Windows, Slotscape cannot serve: serve from Linux, or from WSL on this machine."));
}
bool is_ipv6(std::string const& address)
{
  in6_addr parsed{};
  return inet_pton(AF_INET6, address.c_str(), &parsed) == 1;
}
bool is_loopback(std::string const& address)
{
  return address.starts_with("127.") || address == loopback_of_ipv6;
}

}  // namespace serve

}  // namespace slotscape

/// No window has an id here: only on X11 do other programs refer to one by it.
extern "C" unsigned long glfwGetX11Window(struct GLFWwindow* /*window*/)
{
  return 0;
}
