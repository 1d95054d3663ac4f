#pragma once

#include "app/lessons/votes.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::lessons {

inline constexpr std::size_t max_own_options = 6;

/// A question with options that a lecturer types while a page is shown, for the audience to vote on.
class OwnQuestion {
public:
  /// Keeps the text that was typed before, if any.
  void open();
  /// Draws the popup; returns whether to ask the question now.
  bool draw(Look const& look);
  /// The vote on the question. Throws Error if there is no question, or fewer than two options.
  Vote vote(std::string title) const;

  std::string question = {};
  std::vector<std::string> options = std::vector<std::string>(max_own_options);  ///< empty ones are left out

private:
  bool field(std::size_t number, char const* label, char const* proposed, std::string& text);
  bool fields(Look const& look);

  bool opening_ = false;
  std::optional<std::size_t> wanted_;  ///< the field that should get the keyboard
};

}  // namespace slotscape::lessons
