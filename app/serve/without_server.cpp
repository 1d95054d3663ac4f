// Replaces server.cpp if the program is built without libwebsockets.

#include "app/serve/server.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape::serve {

std::unique_ptr<Server> open_server(ServerSettings const& /*settings*/, gl::Size /*picture*/)
{
  throw Error(
      tr("This program was built without libwebsockets, which serve needs. Install its package (on Debian and Ubuntu: "
         "libwebsockets-dev) and build again: scripts/run does both."));
}

}  // namespace slotscape::serve
