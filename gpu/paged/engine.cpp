#include "gpu/base/error.hpp"
#include "gpu/paged/keys.hpp"
#include "gpu/paged/make_engine.hpp"

#include <algorithm>
#include <utility>

namespace slotscape::paged {

std::uint64_t key_count(int key_bits)
{
  return key_bits == 32 ? DistinctKeys<std::uint32_t>::count() : DistinctKeys<std::uint64_t>::count();
}

std::unique_ptr<PagedEngine> make_paged_engine(Backend backend, PagedSettings const& settings, std::uint32_t cells,
                                               PagedEngine::Seen seen, std::function<void(double)> making)
{
  if (settings.key_bits != 32 && settings.key_bits != 64) { throw Error("Keys have 32 or 64 bits."); }
  Making const what{settings, std::max(cells, 1u), std::move(seen), std::move(making)};
  return dispatch(backend, [&]<class Exec>() { return make_engine_on<Exec>(what); });
}

}  // namespace slotscape::paged
