#pragma once

#include "app/widgets/look.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace slotscape {

/// Asks whether a document may read files outside its folder.
class TrustDialog {
public:
  /// `document`: its name. `outside`: the first file outside its folder. `go_on`: called if the user allows it.
  void ask(std::string document, std::filesystem::path outside, std::function<void()> go_on);
  /// Call every frame. Returns `go_on` once the user trusts the document, otherwise nothing.
  std::function<void()> draw(Look const& look);

private:
  std::string document_;
  std::filesystem::path outside_;
  std::function<void()> go_on_;
  bool opening_ = false;
};

}  // namespace slotscape
