// What libFuzzer calls. `--target=NAME` chooses the reader.

#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace slotscape::fuzz {
namespace {

Target const* chosen = nullptr;

}  // namespace
}  // namespace slotscape::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** words)
{
  using namespace slotscape::fuzz;
  constexpr std::string_view option = "--target=";
  for (std::string_view const word : std::span(*words, static_cast<std::size_t>(*count))) {
    if (!word.starts_with(option)) { continue; }
    auto const found = std::ranges::find(targets(), word.substr(option.size()), &Target::name);
    if (found != targets().end()) { chosen = &*found; }
  }
  if (chosen != nullptr) { return 0; }
  for (Target const& target : targets()) {
    std::printf("%.*s %zu\n", static_cast<int>(target.name.size()), target.name.data(), target.max_bytes);
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size)
{
  slotscape::fuzz::run(*slotscape::fuzz::chosen, {reinterpret_cast<char const*>(bytes), size});
  return 0;
}
