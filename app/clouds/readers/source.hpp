#pragma once

#include "app/clouds/progress.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The content of a file that is being read.
struct Source {
  std::string name;  ///< for messages
  std::string_view bytes;
  Progress& progress;

  /// Throws Error with the name in front.
  template <class... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> text, Arguments&&... arguments) const
  {
    throw Error(name + ": " + fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  /// Says how far the reader is. Throws Cancelled.
  void reached(std::size_t byte) const
  {
    constexpr double shares_of_reading = 0.7;
    double const share = bytes.empty() ? 1.0 : static_cast<double>(byte) / static_cast<double>(bytes.size());
    progress.report(0.1 + shares_of_reading * share);
  }
};

}  // namespace slotscape::clouds
