#include "app/base/heaps.hpp"

#include <malloc.h>

namespace slotscape {

void share_heaps()
{
#if defined(M_ARENA_MAX)
  constexpr int heaps = 4;
  ::mallopt(M_ARENA_MAX, heaps);
#endif
}

}  // namespace slotscape
