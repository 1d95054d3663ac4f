#pragma once

#include "app/pictures/canvas.hpp"
#include "gpu/matching/engine.hpp"

#include <cstdint>

namespace slotscape::pictures {

/// The position of a query's point in the reference.
Point in_reference(matching::Similarity const& query_to_reference, Point in_query);

/// The similarity that rotates and scales about the middle of the query, and moves it to the middle of the reference
/// plus `shift`.
matching::Similarity about_middle(matching::Picture const& reference, std::uint32_t query_width,
                                  std::uint32_t query_height, double rotation_degrees, double scale, Point shift = {});

/// The query that the transformation maps onto the reference: each pixel is the mean over the area that it covers
/// there, with `outside` for places outside the picture.
matching::Picture transformed(matching::Picture const& reference, matching::Similarity const& query_to_reference,
                              std::uint32_t width, std::uint32_t height, std::uint8_t outside = 128);

/// Replaces a share of the pixels, from 0 to 1, by random greys.
matching::Picture with_noise(matching::Picture picture, double share, std::uint64_t seed);
/// Covers a share of the picture, from 0 to 1, with patches.
matching::Picture with_occlusion(matching::Picture picture, double share, std::uint64_t seed);

}  // namespace slotscape::pictures
