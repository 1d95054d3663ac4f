#include "gpu/multivalue/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/multivalue/make_engine.hpp"

namespace slotscape::multivalue {

void validate(Settings const& settings)
{
  if (settings.key_bits != 32 && settings.key_bits != 64) {
    throw Error("Keys have 32 or 64 bits: choose one of these.");
  }
  if (settings.construction == Construction::two_level_cuckoo && settings.key_bits != 32) {
    throw Error("two_level_cuckoo supports 32-bit keys only: choose count_scan_scatter for 64-bit ones.");
  }
  if (!(settings.load_factor >= 0.1 && settings.load_factor <= 0.9)) {
    throw Error("The load factor of the table of keys must be from 0.1 to 0.9.");
  }
}

std::unique_ptr<Engine> make_engine(Backend backend, Settings const& settings)
{
  validate(settings);
  return dispatch(backend, [&]<class Exec>() { return make_engine_on<Exec>(settings); });
}

}  // namespace slotscape::multivalue
