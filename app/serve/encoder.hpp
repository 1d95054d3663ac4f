#pragma once

#include "app/gl/image.hpp"
#include "app/serve/audience.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace slotscape::serve {

/// Every `divisor`-th part of the picture's width and height, each pixel the mean of those that it stands for.
gl::Image shrunk(gl::Image const& image, int divisor);
/// Throws Error if there is not enough memory.
std::string encoded(gl::Image const& image, Level const& level);

/// Compresses pictures for an audience on a thread of its own, each once for every level that somebody wants.
class Encoder {
public:
  explicit Encoder(Audience& audience);
  ~Encoder();
  Encoder(Encoder const&) = delete;
  Encoder& operator=(Encoder const&) = delete;

  /// Whether a picture would be used now.
  bool takes_picture() const;
  /// What is to be seen from now on. Without effect while `takes_picture` is false.
  void show(gl::Image image);

private:
  void run();
  void encode(gl::Image image);

  Audience& audience_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<gl::Image> waiting_;
  bool busy_ = false;
  bool ends_ = false;
  gl::Image last_;             ///< of the thread alone
  std::uint64_t picture_ = 0;  ///< its number; the same
  std::thread thread_;
};

}  // namespace slotscape::serve
