#include "app/menu.hpp"
#include "app/scenario/names.hpp"
#include "app/scenes/shared/table_scene.hpp"

namespace slotscape {

void TableScene::draw_own_menus(MenuActions const& actions)
{
  if (!ImGui::BeginMenu("Table")) { return; }
  menu_item(actions, "Insert a batch", UserCommand::insert);
  menu_item(actions, "Find a batch", UserCommand::find);
  menu_item(actions, "Erase a batch", UserCommand::erase);
  menu_item(actions, "Single batch of the mix", UserCommand::single_batch);
  menu_item(actions, "Step through one operation…", UserCommand::step_mode);
  menu_item(actions, state().settings.drive.running ? "Pause the mix" : "Run the mix", UserCommand::pause);
  ImGui::Separator();
  menu_item(actions, "Rehash into twice the slots", UserCommand::rehash_double);
  menu_item(actions, "Rehash into half the slots", UserCommand::rehash_half);
  menu_item(actions, "Purge tombstones", UserCommand::purge);
  menu_item(actions, "Clear", UserCommand::clear);
  menu_item(actions, "Restart from the same seed", UserCommand::restart);
  ImGui::EndMenu();
}

void TableScene::draw_file_entries(MenuActions const& actions)
{
  menu_item(actions, "Open scenario or key file…", UserCommand::open);
}

void TableScene::draw_view_entries(MenuActions const& actions)
{
  menu_item(actions, "Show the whole table", UserCommand::fit);
  menu_item(actions, "Find a key", UserCommand::find_key);
  ImGui::Separator();
  menu_item(actions, "Colour by state", UserCommand::color_state);
  menu_item(actions, "Colour by probe length", UserCommand::color_probe);
  menu_item(actions, "Colour by cluster length", UserCommand::color_cluster);
  menu_item(actions, "Colour by recent change", UserCommand::color_recent);
  choice_menu("Palette", state().settings.view.palette);
  ImGui::Separator();
  ImGui::MenuItem("Controls", nullptr, &actions.panels.controls);
  ImGui::MenuItem("Numbers", nullptr, &actions.panels.numbers);
  ImGui::MenuItem("Plots", nullptr, &actions.panels.plots);
  ImGui::MenuItem("Slot card", nullptr, &actions.panels.slot_card);
  ImGui::MenuItem("Minimap", nullptr, &state().settings.view.show_minimap);
}

std::string TableScene::mouse_help() const
{
  return "The wheel zooms towards the cursor, a drag pans, a double click shows the whole table. A click pins a slot. "
         "Drop a scenario or a key file on the window to open it.";
}

}  // namespace slotscape
