slotscape_find(glm DEBIAN libglm-dev CONFIG glm TARGET glm::glm MODULE glm HEADER glm/glm.hpp)
