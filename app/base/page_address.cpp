#include "app/base/page_address.hpp"

namespace slotscape {

std::string page_address()
{
  return SLOTSCAPE_PAGE_ADDRESS;
}

}  // namespace slotscape
