#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// Where a proxy shows the page to browsers, as they send it in the header Origin: "https://slots.example.org".
class Origin {
public:
  /// Throws Error that says what it can be: a scheme and a host, perhaps with a port, and nothing behind.
  explicit Origin(std::string_view typed);

  /// "https://slots.example.org", in lower case, without the port that the scheme has anyway.
  std::string const& text() const { return text_; }
  /// What its WebSockets begin with: "wss://slots.example.org".
  std::string of_websockets() const { return "ws" + text_.substr(4); }
  bool is_encrypted() const { return text_.starts_with("https"); }
  /// Whether a header Host names it.
  bool has_host(std::string_view host) const;

private:
  std::string text_;
};

/// Of the option --origin: one, or several with commas between them.
std::vector<Origin> origins_in(std::string_view typed);

}  // namespace slotscape::serve
