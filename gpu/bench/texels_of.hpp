#pragma once

#include "gpu/bench/texels.hpp"
#include "gpu/execution/executor.hpp"

namespace slotscape::bench {

template <exec::Executor Exec>
class TexelsOf final : public Texels {
public:
  explicit TexelsOf(std::uint64_t count) : texels_(exec_, count) {}

  TexelTarget target() override { return {texels_.data(), texels_.size()}; }
  std::vector<Texel> read() override
  {
    std::vector<Texel> texels(texels_.size());
    exec_.download(std::span(texels), static_cast<Texel const*>(texels_.data()));
    return texels;
  }

private:
  Exec exec_;
  typename Exec::template Buffer<Texel> texels_;
};

}  // namespace slotscape::bench
