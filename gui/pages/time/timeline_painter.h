// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

#include "gui/pages/time/timeline_scene.h"

class QPainter;

namespace ampprof::gui {

void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout, const QPalette& palette,
                   bool has_focus);

}  // namespace ampprof::gui
