#pragma once

#include "app/base/files.hpp"

#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape::test {

/// A page of the repository of which parts are made from the program: `scripts/render_settings` runs the tests that
/// look at it so that they write it.
class RenderedPage {
public:
  explicit RenderedPage(std::string_view name)
      : file_(test::in_project() / name), page_(read_text_file(file_)), right_(page_)
  {
  }

  /// What is to stand between two lines of the page.
  void put(std::string const& begin, std::string const& end, std::string const& part)
  {
    std::size_t const from = right_.find(begin + "\n");
    std::size_t const to = right_.find(end + "\n", from);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << file_ << " has no lines " << begin << end;
    std::size_t const first = from + begin.size() + 1;
    right_.replace(first, to - first, part);
  }
  /// The page as it is to be.
  std::string const& text() const { return right_; }
  void set_text(std::string text) { right_ = std::move(text); }
  void expect_right() const
  {
    if (std::getenv("SLOTSCAPE_RENDER_SETTINGS") != nullptr) { return write_text_file(file_, right_); }
    EXPECT_EQ(page_, right_) << "run scripts/render_settings";
  }

private:
  std::filesystem::path file_;
  std::string page_;
  std::string right_;
};

}  // namespace slotscape::test
