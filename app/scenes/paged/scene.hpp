#pragma once

#include "app/scene/work_scene.hpp"
#include "app/scenes/paged/table_work.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/sides.hpp"
#include "app/widgets/texture.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace slotscape {

/// The place of a page on the canvas, and its grid of cells.
struct PageGrid {
  Rectangle place;
  std::uint32_t columns = 1;  ///< pages in each row
  std::uint32_t side = 1;     ///< side of a page, in cells
  float pitch = 0.0f;         ///< from page to page, pixels
  float gap = 0.0f;           ///< distance from page to page, in pixels

  ImVec2 corner_of(std::uint32_t page) const;
  float page_pixels() const { return pitch - gap; }
};

/// A table larger than a GPU's memory. Its pages reside in host memory and move to the GPU one by one when a batch has
/// work for them. Each page is drawn as it was when it last left the GPU.
class PagedScene final : public WorkScene<PagedQuery, PagedAnswer> {
public:
  PagedScene(PagedSceneSettings const& settings, DeviceFacts const& device);

  PagedSceneSettings& settings() { return settings_; }
  SceneSetup set_up() const override { return settings_; }
  bool can_wait() const override { return !work().busy(); }
  std::span<Command const> commands() const override { return commands_; }
  void advance(double elapsed_seconds) override;
  void lay_out(Frame const& frame) override;
  void draw_gui(Frame const& frame) override;
  void draw_slide(Look const& look, Drawing& drawing, bool paints) override;
  SceneStatistics statistics(FrameTimes const& frames) override;
  Findings findings() const override;

private:
  PagedScene(PagedSceneSettings const& settings, DeviceFacts const& device, std::shared_ptr<PagesPicture> picture);

  // --- work
  PagedQuery query() const override;
  void show(PagedQuery const& query, PagedAnswer answer) override;
  void go_back(std::optional<PagedQuery> const& query) override;
  std::string doing(PagedQuery const& query) const override;
  std::string action(PagedQuery const& query) const override;

  void ask(LookedUp what);
  void make_commands();
  void note_other_settings();

  PageGrid grid_on(Look const& look) const;
  Color color_at(double load) const;
  void paint();
  void draw_pages(Look const& look, ImDrawList& list);
  void draw_tooltip(Look const& look, PageGrid const& grid) const;
  void draw_legend(Look const& look, Drawing& drawing) const;
  void draw_controls(Look const& look);
  void draw_numbers(Look const& look) const;
  void draw_call(Look const& look, PagedCall const& call) const;
  std::string title() const;

  PagedSceneSettings settings_;
  DeviceFacts device_;
  std::shared_ptr<PagesPicture> picture_;
  std::uint64_t asks_ = 0;
  std::optional<PagedAnswer> answer_;
  std::optional<PagedSceneSettings> answered_;
  std::optional<PagedSceneSettings> before_;  ///< settings in the previous frame
  PagesSeen seen_;
  std::optional<std::pair<double, double>> painted_;  ///< colour limits in the texture
  double low_ = 0.0;                                  ///< load factor at the lower end of the colours
  double high_ = 1.0;
  Texture texture_;
  SideLayout sides_;
  Rectangle legend_;
  std::vector<Command> commands_;
};

}  // namespace slotscape
