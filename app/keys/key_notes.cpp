#include "app/keys/key_notes.hpp"

#include <utility>

namespace slotscape {
namespace {

/// Frees the keys of a file. What is known of them is here, so that it goes wherever they go.
struct KeyFileOwner {
  KeyFileNotes notes;
  void operator()(std::vector<Key> const* keys) const { std::default_delete<std::vector<Key> const>()(keys); }
};

}  // namespace

std::shared_ptr<std::vector<Key> const> with_notes(std::vector<Key> keys, KeyFileNotes notes)
{
  return {new std::vector<Key>(std::move(keys)), KeyFileOwner{std::move(notes)}};
}

KeyFileNotes* editable_notes_of(KeySettings const& keys)
{
  auto* const owner = std::get_deleter<KeyFileOwner>(keys.file_keys);
  return owner == nullptr ? nullptr : &owner->notes;
}

KeyFileNotes const& notes_of(KeySettings const& keys)
{
  static KeyFileNotes const none;
  KeyFileNotes const* const notes = editable_notes_of(keys);
  return notes == nullptr ? none : *notes;
}

}  // namespace slotscape
