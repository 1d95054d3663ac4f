#include "app/menu.hpp"
#include "app/scenes/spatial/names.hpp"
#include "app/scenes/spatial/scene.hpp"

namespace slotscape {

void SpatialScene::draw_own_menus(MenuActions const& actions)
{
  if (!ImGui::BeginMenu("Models")) { return; }
  menu_item(actions, "Show both", UserCommand::boolean_both);
  menu_item(actions, "Union", UserCommand::boolean_unite);
  menu_item(actions, "Intersection", UserCommand::boolean_intersect);
  menu_item(actions, "A − B", UserCommand::boolean_a_minus_b);
  menu_item(actions, "B − A", UserCommand::boolean_b_minus_a);
  ImGui::Separator();
  menu_item(actions, state_.settings.animation.running ? "Pause the animation" : "Run the animation",
            UserCommand::pause);
  choice_menu("Motion", state_.settings.animation.motion);
  menu_item(actions, "Animation from its start", UserCommand::restart);
  ImGui::Separator();
  menu_item(actions, "Choose A", UserCommand::choose_a);
  menu_item(actions, "Choose B", UserCommand::choose_b);
  menu_item(actions, "Put the chosen one back", UserCommand::reset_model);
  ImGui::Separator();
  menu_item(actions, "Finer grid", UserCommand::finer_grid);
  menu_item(actions, "Coarser grid", UserCommand::coarser_grid);
  menu_item(actions, "The other table", UserCommand::other_table);
  ImGui::EndMenu();
}

void SpatialScene::draw_file_entries(MenuActions const& actions)
{
  menu_item(actions, "Open model or scenario…", UserCommand::open);
  menu_path_item(actions, "Open model as A…", PathPurpose::model_a);
  menu_path_item(actions, "Open model as B…", PathPurpose::model_b);
  ImGui::Separator();
  menu_path_item(actions, "Save result as PLY…", PathPurpose::result_ply);
  menu_path_item(actions, "Save voxels as PLY…", PathPurpose::voxels_ply);
}

void SpatialScene::draw_view_entries(MenuActions const& actions)
{
  SpatialSceneSettings& settings = state_.settings;
  menu_item(actions, "Show all of the grid", UserCommand::fit);
  menu_item(actions, "Fly to the selection", UserCommand::focus);
  ImGui::MenuItem("Turntable", keys_of(UserCommand::toggle_turntable).data(), &settings.turntable);
  ImGui::Separator();
  choice_menu("Show", settings.view.kind);
  choice_menu("Colour by", settings.view.paint_by);
  ImGui::MenuItem("Colours for the colour-blind", nullptr, &settings.view.color_blind);
  choice_menu("Palette", settings.view.palette);
  ImGui::MenuItem("Hidden parts as ghosts", keys_of(UserCommand::toggle_ghosts).data(), &settings.view.ghosts);
  ImGui::MenuItem("Box and axes", nullptr, &settings.view.show_box);
  ImGui::MenuItem("Smooth edges", nullptr, &settings.view.smooth_edges);
  ImGui::Separator();
  ImGui::MenuItem("Slot maps", keys_of(UserCommand::toggle_maps).data(), &settings.show_maps);
  ImGui::MenuItem("Controls", nullptr, &actions.panels.controls);
  ImGui::MenuItem("Numbers", nullptr, &actions.panels.numbers);
  ImGui::MenuItem("Stages", nullptr, &actions.panels.plots);
  ImGui::MenuItem("Voxel card", nullptr, &actions.panels.slot_card);
}

std::string SpatialScene::mouse_help() const
{
  return "A drag on a model moves it, with Shift turns it; Ctrl and the wheel scale it. A drag beside them turns the "
         "view, with the right button moves it; the wheel zooms. A click selects a voxel, a double click flies to it. "
         "Drop a model on the window: it replaces the chosen one.";
}

}  // namespace slotscape
