// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "gui/models/timeline_view.h"

namespace ampprof::gui {

/// "FP32", "Tensor Cores": as the legend says it; in the order of TimelineItem::kind.
QStringList classNames(queries::TrackKind kind);

/// A call site, as in OpRow; "" for that of an activity that none launched, "?" for one that the report does not name.
QString callSiteOf(const SiteInStep& place, const TimelineRun& run);

/// Returns what is written on an item: its op, or the short name of its kernel.
QString labelOf(const TimelineItem& item, const TimelineRun& run);

/// Writes call site, duration, shapes, types and step of a call, a line each. A kernel has its short name, its
/// duration, the time from its launch to its start, whether it ran on Tensor Cores and how that is known, and its call
/// site.
QString textOf(const TimelineItem& item, const TimelineRun& run);

/// Tells what a bar of several items, or a column of a summary, holds: a line for each class.
QString textOf(const TimelineBar& bar, queries::TrackKind kind, bool is_summary);

/// "step 12, skipped"
QString textOf(const Segment& segment);

/// "thread 1", "GPU 0 stream 7", or "other threads".
QString nameOf(const TimelineTrack& track);

/// Tells what a measured span comes to, in one line.
QString textOf(const Measured& measured, const TimelineRun& run);

}  // namespace ampprof::gui
