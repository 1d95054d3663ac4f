#pragma once

#include "gpu/engine/inspection.hpp"

#include <utility>

namespace slotscape {

/// The contents of a table that somebody else fills, as a person looks at them.
template <class Exec, class Bits>
class InspectedContents final : public InspectedTable {
  using Contents = TableContents<Exec, Bits>;

public:
  /// As `Inspection` takes them.
  InspectedContents(Exec& exec, Contents& contents, typename Inspection<Exec, Bits>::DrawAbsentKeys draw_absent = {})
      : contents_(&contents), inspection_(exec, contents, std::move(draw_absent))
  {
  }

  void look_at(Contents& contents)
  {
    inspection_.look_at(contents);
    contents_ = &contents;
  }
  void table_changed() { inspection_.table_changed(); }

  TableSettings const& table() const override { return contents_->settings(); }
  FamilyInfo const& family() const override { return contents_->info(); }
  std::uint64_t memory_bytes() const override { return contents_->memory_bytes(); }

  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    return inspection_.analyse(request, target);
  }
  Statistics statistics() override { return inspection_.statistics(); }
  SlotInfo slot(Slot slot) override { return slots(std::span(&slot, 1)).front(); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override { return inspection_.read(slots); }
  Cluster cluster(Slot slot) override { return inspection_.cluster(slot); }
  ProbePath probe_path(Key key) override { return inspection_.probe_path(key); }
  std::string check_invariants() override { return contents_->check_invariants(); }

private:
  Contents* contents_;
  Inspection<Exec, Bits> inspection_;
};

}  // namespace slotscape
