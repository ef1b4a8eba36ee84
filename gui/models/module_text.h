// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

struct ModulePicture;

/// Returns the label of a node's box: "relu", "layers"; for the root "everything".
QString labelOf(const ModulePicture& picture, std::size_t node);

/// Returns the value of the measure that determines weights, and its share of the total: "1.20 ms, 12 %". If two runs
/// are compared: "1.20 ms, was 0.80 ms".
QString figureOf(const ModulePicture& picture, std::size_t node, std::size_t measure);

/// Describes a node, one line per fact: path or call site, values of measures, types, source line.
QString tipOf(const ModulePicture& picture, std::size_t node, std::size_t measure);

/// Returns the OpRow::call_site of a leaf; "" for a module.
QString callSiteOf(const ModulePicture& picture, std::size_t node);

}  // namespace ampprof::gui
