// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// web/dist, which the build puts into the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace omnium::report {

// The page; its data belong where kViewerData stands.
extern const std::string_view kViewer;
inline constexpr std::string_view kViewerData = "@DATA@";

// The style of the drawings in SVG reports.
extern const std::string_view kDrawingStyle;

}  // namespace omnium::report
