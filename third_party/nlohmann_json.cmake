slotscape_find(nlohmann_json DEBIAN nlohmann-json3-dev CONFIG nlohmann_json TARGET nlohmann_json::nlohmann_json
               MODULE nlohmann_json HEADER nlohmann/json.hpp)
