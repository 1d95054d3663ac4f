#pragma once

#include "app/web/export.hpp"

#include <string>

namespace slotscape::web {

/// The number of pages whose points fit into the 4,096 characters of SCORM 1.2's `cmi.suspend_data`: four characters
/// each, as assets/web/keep.js writes them.
inline constexpr std::size_t max_pages_in_course = 1000;

/// The manifest of a package with one page, index.html (ADL SCORM 1.2, Content Aggregation Model, 2.3).
std::string manifest_of(ExportedLesson const& lesson);

/// The lesson as a SCORM 1.2 package for courses: the bytes of a zip archive, which are the same for the same page.
/// Throws Error if it has more than `max_pages_in_course` pages.
std::string course_package(ExportedLesson const& lesson);

}  // namespace slotscape::web
