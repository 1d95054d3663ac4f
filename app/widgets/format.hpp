#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slotscape {

std::string grouped(std::uint64_t number);         ///< "1,048,576"
std::string short_number(double number);           ///< "1.05 M", "65.5 k", "0.48", "12"
std::string brief_number(double number);           ///< the same with no zeros at the end: "1 k", "0.5"
std::string bytes_text(std::uint64_t bytes);       ///< "8 MiB"
std::string percent(double share);                 ///< "52.4 %"
std::string uncapitalised(std::string_view text);  ///< "probe length" of "Probe length"
std::string milliseconds(double seconds);          ///< "3.21 ms"

}  // namespace slotscape
