# The program's scenes, in the order of the menu: each is the folder app/scenes/NAME with a function NAME_scene().
set(SLOTSCAPE_SCENES slots compare spatial sparse match tune races watch paged neighbours particles)
