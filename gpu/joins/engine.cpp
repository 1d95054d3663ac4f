#include "gpu/joins/engine.hpp"

#include "gpu/joins/make_engine.hpp"
#include "gpu/multivalue/engine.hpp"

namespace slotscape::joins {

void validate(Settings const& settings)
{
  multivalue::validate(
      {.construction = settings.construction, .key_bits = settings.key_bits, .load_factor = settings.load_factor});
}

std::unique_ptr<Engine> make_engine(Backend backend, Settings const& settings)
{
  validate(settings);
  return dispatch(backend, [&]<class Exec>() { return make_engine_on<Exec>(settings); });
}

}  // namespace slotscape::joins
