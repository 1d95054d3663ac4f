#include "gpu/blocks/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/blocks/make_engine.hpp"

namespace slotscape::blocks {

void validate(BlocksSettings const& settings)
{
  if (!(settings.voxel >= 1e-9f && settings.voxel <= 1e9f)) {
    throw Error("The side of a voxel must be a number from 1e-9 to 1e9.");
  }
  if (!(settings.load_factor >= min_load_factor && settings.load_factor <= max_load_factor)) {
    throw Error("The load factor must be from 0.05 to 0.95.");
  }
  auto const is_many = [](std::uint64_t count) { return count < 1 || count > max_accesses; };
  if (is_many(settings.accesses) || is_many(settings.rays)) {
    throw Error("There can be 1 to " + std::to_string(max_accesses) + " accesses, and as many rays.");
  }
}

std::unique_ptr<BlocksEngine> make_blocks_engine(Backend backend)
{
  return dispatch(backend, []<class Exec>() { return make_engine_on<Exec>(); });
}

}  // namespace slotscape::blocks
