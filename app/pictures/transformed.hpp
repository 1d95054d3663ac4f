#pragma once

#include "app/pictures/canvas.hpp"
#include "gpu/matching/engine.hpp"

#include <cstdint>

namespace slotscape::pictures {

/// Where a point of the query lies in the reference.
Point in_reference(matching::Similarity const& query_to_reference, Point in_query);

/// The similarity that turns and scales about the middle of the query, and brings this to the middle of the reference
/// and `shift` further.
matching::Similarity about_middle(matching::Picture const& reference, std::uint32_t query_width,
                                  std::uint32_t query_height, double rotation_degrees, double scale, Point shift = {});

/// The query that the transformation takes onto the reference: its pixels are means over what they cover there, and
/// `outside` where this is not in the picture.
matching::Picture transformed(matching::Picture const& reference, matching::Similarity const& query_to_reference,
                              std::uint32_t width, std::uint32_t height, std::uint8_t outside = 128);

/// Replaces a share of the pixels, from 0 to 1, by random greys.
matching::Picture with_noise(matching::Picture picture, double share, std::uint64_t seed);
/// Covers a share of the picture, from 0 to 1, by patches.
matching::Picture with_occlusion(matching::Picture picture, double share, std::uint64_t seed);

}  // namespace slotscape::pictures
