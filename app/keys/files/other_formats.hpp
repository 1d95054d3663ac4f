#pragma once

#include <string>
#include <string_view>

namespace slotscape::key_files {

/// What to do with a binary file that begins as those of other programs do, such as Parquet or gzip; empty if it does
/// not.
std::string advice_on_format(std::string_view bytes);

}  // namespace slotscape::key_files
