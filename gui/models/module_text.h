// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

struct ModulePicture;

/// Returns what stands on the box of a node: "relu", "layers", "everything" for the root.
QString labelOf(const ModulePicture& picture, std::size_t node);

/// Returns a node's figure of a measure with its share of all that is weighed: "1.20 ms, 12 %"; "1.20 ms, was 0.80 ms"
/// where two runs are compared.
QString figureOf(const ModulePicture& picture, std::size_t node, std::size_t measure);

/// Describes a node, a line for each fact: its path or call site, figures, types, line of the source.
QString tipOf(const ModulePicture& picture, std::size_t node, std::size_t measure);

/// Returns the call site of a leaf, as in OpRow; "" for a module.
QString callSiteOf(const ModulePicture& picture, std::size_t node);

}  // namespace ampprof::gui
