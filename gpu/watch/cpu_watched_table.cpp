#include "gpu/execution/cpu.hpp"
#include "gpu/watch/watched_table_of.hpp"

namespace slotscape::watch {

template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cpu>(std::string name, Description const& description,
                                                               std::span<Array const> arrays)
{
  return std::make_unique<WatchedTableOf<exec::Cpu>>(std::move(name), description, arrays);
}

std::unique_ptr<WatchedTable> make_watched_table(Backend backend, std::string name, Description const& description,
                                                 std::span<Array const> arrays)
{
  return dispatch(backend,
                  [&]<class Exec>() { return make_watched_table_on<Exec>(std::move(name), description, arrays); });
}

}  // namespace slotscape::watch
