#pragma once

#include "app/gl/image.hpp"
#include "app/serve/audience.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace slotscape::serve {

/// Reduces width and height by `divisor`; each pixel is the mean of the pixels that it replaces.
gl::Image shrunk(gl::Image const& image, int divisor);
/// Throws Error if there is not enough memory.
std::string encoded(gl::Image const& image, Level const& level);

/// Compresses pictures for an audience on its own thread, once for each level that someone wants.
class Encoder {
public:
  explicit Encoder(Audience& audience);
  ~Encoder();
  Encoder(Encoder const&) = delete;
  Encoder& operator=(Encoder const&) = delete;

  /// Whether a picture would currently be used.
  bool takes_picture() const;
  /// Sets the picture to show. No effect while `takes_picture` is false.
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
  gl::Image last_;             ///< the last picture; used only by the thread
  std::uint64_t picture_ = 0;  ///< number of the last picture; used only by the thread
  std::thread thread_;
};

}  // namespace slotscape::serve
