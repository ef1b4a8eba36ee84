// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "gui/models/timeline_view.h"

namespace ampprof::gui {

/// "FP32", "with casts": as the legend says it.
QString nameOf(PrecisionClass kind);

/// The call site of a call, as in OpRow; "?" for one that the report does not name.
QString callSiteOf(const SpanCall& call, const TimelineRun& run);

/// Call site, duration, shapes, types and step of a call, a line each.
QString textOf(const SpanCall& call, const TimelineRun& run);

/// What a bar of several calls, or a column of a summary, holds: a line for each class.
QString textOf(const TimelineBar& bar, bool is_summary);

/// "step 12, skipped"
QString textOf(const Segment& segment);

/// "thread 1", or "other threads".
QString nameOf(const LaneRow& lane);

/// What a measured span comes to, in one line.
QString textOf(const TimeSpan& span, const SpanTotals& totals, const TimelineRun& run);

}  // namespace ampprof::gui
