#pragma once

#include "gpu/base/error.hpp"

#include <glad/gl.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace slotscape {

/// The OpenGL buffer from which a device's memory is shown. It grows with its contents, and is reallocated when a small
/// part suffices, so a single large picture does not hold memory for ever.
class SharedBuffer {
public:
  SharedBuffer() = default;
  ~SharedBuffer() { release(); }
  SharedBuffer(SharedBuffer const&) = delete;
  SharedBuffer& operator=(SharedBuffer const&) = delete;

  GLuint name() const { return name_; }
  std::uint64_t capacity() const { return capacity_; }

  /// Whether the buffer has room for `bytes` without being many times larger.
  bool fits(std::uint64_t bytes) const
  {
    return name_ != 0 && bytes <= capacity_ && capacity_ <= always_kept + most_times * bytes;
  }
  /// Makes the buffer fit `bytes`; returns whether it was reallocated. Throws Error if memory runs out; the buffer is
  /// then gone.
  bool fit(std::uint64_t bytes)
  {
    if (fits(bytes)) { return false; }
    std::uint64_t const half_more = bytes > capacity_ ? capacity_ + capacity_ / 2 : 0;
    release();
    std::uint64_t const wanted = (bytes < half_more ? half_more : bytes) / block * block + block;
    while (glGetError() != GL_NO_ERROR) {}  // left over from other code
    glGenBuffers(1, &name_);
    glBindBuffer(GL_COPY_WRITE_BUFFER, name_);
    glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(wanted), nullptr, GL_DYNAMIC_DRAW);
    if (glGetError() != GL_NO_ERROR) {
      release();
      throw Error("OpenGL is out of memory for a picture of " + std::to_string(bytes >> 20) +
                  " MiB: show less at a time, or close other programs that use the GPU.");
    }
    capacity_ = wanted;
    return true;
  }
  void write(void const* data, std::uint64_t bytes) const
  {
    glBindBuffer(GL_COPY_WRITE_BUFFER, name_);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
  }

private:
  static constexpr std::uint64_t block = 1u << 14;
  static constexpr std::uint64_t always_kept = 1u << 20;
  static constexpr std::uint64_t most_times = 8;

  void release()
  {
    if (name_ != 0) { glDeleteBuffers(1, &name_); }
    name_ = 0;
    capacity_ = 0;
  }

  GLuint name_ = 0;
  std::uint64_t capacity_ = 0;
};

/// Measures the seconds from its construction to its destruction and writes them to `out`.
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
