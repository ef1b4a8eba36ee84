// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "gui/models/timeline_view.h"

namespace ampprof::gui {

/// Returns the names of classes for the legend ("FP32", "Tensor Cores"), indexed by TimelineItem::kind.
QStringList classNames(queries::TrackKind kind);

/// Returns the OpRow::call_site for TimelineItem::place. Returns "" for an activity without a known launch, and "?" if
/// the report lacks the name of the call site.
QString callSiteOf(const SiteInStep& place, const TimelineRun& run);

/// Returns the label of an item: its op, or the short name of its kernel.
QString labelOf(const TimelineItem& item, const TimelineRun& run);

/// Describes an item, one line per fact. For a call: call site, duration, shapes, types and step. For an activity:
/// name, duration, time from launch to start, evidence for Tensor Cores, and call site.
QString textOf(const TimelineItem& item, const TimelineRun& run);

/// Describes a merged bar, or a column of a summary if `is_summary`: a line per class.
QString textOf(const TimelineBar& bar, queries::TrackKind kind, bool is_summary);

/// Describes a segment: "step 12, skipped".
QString textOf(const Segment& segment);

/// Returns "thread 1", "GPU 0 stream 7", or "other threads".
QString nameOf(const TimelineTrack& track);

/// Summarizes a measured span in one line.
QString textOf(const Measured& measured, const TimelineRun& run);

}  // namespace ampprof::gui
