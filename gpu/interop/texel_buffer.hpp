#pragma once

#include "gpu/analysis/picture.hpp"

#include <glad/gl.h>

#include <bit>
#include <chrono>
#include <cstdint>

namespace slotscape {

/// The OpenGL buffer of texels; it only grows.
class TexelBuffer {
public:
  TexelBuffer() = default;
  ~TexelBuffer() { release(); }
  TexelBuffer(TexelBuffer const&) = delete;
  TexelBuffer& operator=(TexelBuffer const&) = delete;

  GLuint name() const { return name_; }
  std::uint64_t capacity() const { return capacity_; }

  /// Makes room for `texels`; returns whether this is another buffer now.
  bool grow(std::uint64_t texels)
  {
    if (name_ != 0 && texels <= capacity_) { return false; }
    release();
    capacity_ = std::bit_ceil(texels < 1024 ? std::uint64_t{1024} : texels);
    glCreateBuffers(1, &name_);
    glNamedBufferData(name_, static_cast<GLsizeiptr>(capacity_ * sizeof(Texel)), nullptr, GL_DYNAMIC_DRAW);
    return true;
  }
  void write(Texel const* texels, std::uint64_t count) const
  {
    glNamedBufferSubData(name_, 0, static_cast<GLsizeiptr>(count * sizeof(Texel)), texels);
  }

private:
  void release()
  {
    if (name_ != 0) { glDeleteBuffers(1, &name_); }
    name_ = 0;
  }

  GLuint name_ = 0;
  std::uint64_t capacity_ = 0;
};

/// Writes the seconds of its own life into `out`.
class Stopwatch {
public:
  explicit Stopwatch(double& out) : out_(out), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { out_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(Stopwatch const&) = delete;
  Stopwatch& operator=(Stopwatch const&) = delete;

private:
  double& out_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace slotscape
