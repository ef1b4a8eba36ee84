// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/timeline_text.h"

#include <QStringList>
#include <algorithm>
#include <array>

#include "cli/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kTopSites = 3;

constexpr std::array<const char*, kPrecisionClasses> kNames{"FP32", "reduced", "with casts", "NaN or inf", "other"};

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString timeText(std::int64_t ns) { return text(cli::microseconds(static_cast<double>(ns) / 1e3)); }

QString lengthText(std::int64_t from_ns, std::int64_t to_ns) {
  return text(cli::microseconds((static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e3));
}

/// "FP32 3.1 ms" for each class that has time.
QStringList textsOf(const ClassTimes& times) {
  QStringList texts;
  for (std::size_t kind = 0; kind < kPrecisionClasses; ++kind) {
    if (times[kind] != 0) texts << QString("%1 %2").arg(kNames[kind], timeText(times[kind]));
  }
  return texts;
}

QString stepOf(std::int64_t segment, const TimelineRun& run) {
  const auto found = std::ranges::lower_bound(run.segments, segment, {}, &Segment::id);
  return found == run.segments.end() || found->id != segment ? QString() : textOf(*found);
}

/// "most in sigmoid 1.2 ms, fc/linear 0.8 ms"
QString topSites(const SpanTotals& totals, const TimelineRun& run) {
  std::vector<std::pair<std::int64_t, SiteInStep>> sites;
  for (const auto& [site, ns] : totals.sites) sites.emplace_back(ns, site);
  const auto end = sites.begin() + static_cast<std::ptrdiff_t>(std::min(kTopSites, sites.size()));
  std::ranges::partial_sort(sites, end, std::greater());
  QStringList texts;
  for (auto site = sites.begin(); site != end; ++site) {
    texts << callSiteOf({.place = site->second}, run) + ' ' + timeText(site->first);
  }
  return texts.isEmpty() ? QString() : "most in " + texts.join(", ");
}

}  // namespace

QString nameOf(PrecisionClass kind) { return text(kNames.at(static_cast<std::size_t>(kind))); }

QString callSiteOf(const SpanCall& call, const TimelineRun& run) {
  const auto named = run.texts.names.find(call.place);
  return named == run.texts.names.end() ? "?" : text(named->second);
}

QString textOf(const SpanCall& call, const TimelineRun& run) {
  QStringList lines{callSiteOf(call, run),
                    lengthText(call.start_ns, call.end_ns) + ", " + nameOf(call.kind) +
                        (call.cast_bytes > 0 ? ": " + text(cli::bytes(static_cast<double>(call.cast_bytes))) : ""),
                    text(short_name(call.dtype_in)) + " → " + text(short_name(call.dtype_out))};
  const auto shapes = run.texts.signatures.find(call.signature);
  if (shapes != run.texts.signatures.end()) lines << text(shapes->second);
  if (const QString step = stepOf(call.segment, run); !step.isEmpty()) lines << step;
  const auto site = run.texts.sites.find(call.place.first);
  if (site != run.texts.sites.end() && !site->second.source.empty()) lines << text(site->second.source);
  return lines.join('\n');
}

QString textOf(const TimelineBar& bar, bool is_summary) {
  QStringList lines = textsOf(bar.times);
  if (!is_summary) lines.prepend(text(cli::counted(static_cast<std::int64_t>(bar.count), "op call")));
  return lines.isEmpty() ? QString("no op call") : lines.join('\n') + "\nW zooms in";
}

QString textOf(const Segment& segment) {
  QString name = QString("step %1").arg(segment.step);
  if (segment.step == 0) name = "before the first step";
  if (segment.position > 0) name += QString(" (part %1)").arg(segment.position + 1);
  if (segment.skipped) name += ", skipped";
  return segment.recorded ? name : name + ", not recorded";
}

QString nameOf(const LaneRow& lane) {
  return lane.lane ? QString("thread %1").arg(*lane.lane) : QString("other threads");
}

QString textOf(const TimeSpan& span, const SpanTotals& totals, const TimelineRun& run) {
  QStringList parts{lengthText(span.from_ns, span.to_ns), text(cli::counted(totals.calls, "op call"))};
  parts += textsOf(totals.times);
  if (totals.cast_bytes > 0) parts << text(cli::bytes(static_cast<double>(totals.cast_bytes))) + " cast";
  if (const QString top = topSites(totals, run); !top.isEmpty()) parts << top;
  return parts.join(" · ");
}

}  // namespace ampprof::gui
