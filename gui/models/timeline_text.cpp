// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/timeline_text.h"

#include <QStringList>
#include <algorithm>
#include <array>

#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kTopSites = 3;

constexpr std::size_t kNamedStreams = 4;

constexpr std::array<const char*, kPrecisionClasses> kOfCalls{"FP32", "reduced", "with casts", "NaN or inf", "other"};
constexpr std::array<const char*, kActivityClasses> kOfActivities{"Tensor Cores", "matmul without Tensor Cores",
                                                                  "other kernel", "memcpy", "memset"};

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString timeText(std::int64_t ns) { return text(text::microseconds(static_cast<double>(ns) / 1e3)); }

QString lengthText(std::int64_t from_ns, std::int64_t to_ns) {
  return text(text::microseconds((static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e3));
}

/// Returns "FP32 3.1 ms" for each class with time.
QStringList textsOf(const ClassTimes& times, const QStringList& names) {
  QStringList texts;
  for (qsizetype kind = 0; kind < names.size(); ++kind) {
    const std::int64_t ns = times.at(static_cast<std::size_t>(kind));
    if (ns != 0) texts << names[kind] + ' ' + timeText(ns);
  }
  return texts;
}

QString stepOf(std::int64_t segment, const TimelineRun& run) {
  const auto found = std::ranges::lower_bound(run.segments, segment, {}, &Segment::id);
  return found == run.segments.end() || found->id != segment ? QString() : textOf(*found);
}

/// Returns the call sites with the most time: "most in sigmoid 1.2 ms, fc/linear 0.8 ms".
QString topSites(const queries::SpanTotals& totals, const TimelineRun& run) {
  std::vector<std::pair<std::int64_t, SiteInStep>> sites;
  for (const auto& [site, ns] : totals.sites) sites.emplace_back(ns, site);
  const auto end = sites.begin() + static_cast<std::ptrdiff_t>(std::min(kTopSites, sites.size()));
  std::ranges::partial_sort(sites, end, std::greater());
  QStringList texts;
  for (auto site = sites.begin(); site != end; ++site) {
    texts << callSiteOf(site->second, run) + ' ' + timeText(site->first);
  }
  return texts.isEmpty() ? QString() : "most in " + texts.join(", ");
}

const ActivityName* nameOf(const GpuActivity& activity, const TimelineRun& run) {
  const auto known = run.activity_names.find(activity.name);
  return known == run.activity_names.end() ? nullptr : &known->second;
}

/// Returns whether a kernel ran on Tensor Cores, with the evidence: "ran on Tensor Cores (name: tensor_shape)".
QString verdictText(const kernel_names::KernelFacts& facts) {
  const QString by = facts.evidence.empty() ? QString() : " (name: " + text(facts.evidence) + ')';
  switch (facts.executed) {
    case kernel_names::Executed::Used:
      return "ran on Tensor Cores" + by;
    case kernel_names::Executed::NotUsed:
      return "did not run on Tensor Cores" + by;
    case kernel_names::Executed::Fp16NotTensorCore:
      return "computed in 16 bits, but not on Tensor Cores" + by;
    case kernel_names::Executed::Unknown:
      break;
  }
  return "the kernel's name does not tell whether it ran on Tensor Cores";
}

QString textOf(const queries::SpanCall& call, const TimelineRun& run) {
  QStringList lines{callSiteOf(call.place, run),
                    lengthText(call.start_ns, call.end_ns) + ", " +
                        classNames(queries::TrackKind::Threads)[static_cast<qsizetype>(call.kind)] +
                        (call.cast_bytes > 0 ? ": " + text(text::bytes(static_cast<double>(call.cast_bytes))) : ""),
                    text(short_name(call.dtype_in)) + " → " + text(short_name(call.dtype_out))};
  const auto shapes = run.texts.signatures.find(call.signature);
  if (shapes != run.texts.signatures.end()) lines << text(shapes->second);
  if (const QString step = stepOf(call.segment, run); !step.isEmpty()) lines << step;
  const auto site = run.texts.sites.find(call.place.first);
  if (site != run.texts.sites.end() && !site->second.source.empty()) lines << text(site->second.source);
  return lines.join('\n');
}

QString textOf(const GpuActivity& activity, const SiteInStep& place, const TimelineRun& run) {
  const ActivityName* name = nameOf(activity, run);
  QString took = timeText(activity.duration_ns);
  if (activity.kind != GpuActivityKind::Kernel) took += ", " + text(text::bytes(static_cast<double>(activity.bytes)));
  if (activity.launched_ns != 0) took += ", began " + lengthText(activity.launched_ns, activity.start_ns) + " after its launch";
  QStringList lines{name == nullptr ? "?" : text(name->name), took};
  if (activity.kind == GpuActivityKind::Kernel && name != nullptr) lines << verdictText(name->facts);
  const QString site = callSiteOf(place, run);
  lines << (site.isEmpty() ? "outside any op call" : site);
  if (activity.graph != 0) lines << QString("CUDA graph %1").arg(activity.graph);
  if (const QString step = stepOf(activity.segment, run); !step.isEmpty()) lines << step;
  return lines.join('\n');
}

/// Returns "GPU 0 stream 7: 12 kernels, busy 1.20 ms (34 %)".
QString textOf(const StreamTotals& stream, const TimeSpan& span) {
  const double length = static_cast<double>(span.to_ns) - static_cast<double>(span.from_ns);
  QString said = nameOf(TimelineTrack{.kind = queries::TrackKind::Streams, .id = stream.id}) + ": ";
  if (stream.kernels.value_or(0) > 0) said += text(text::counted(*stream.kernels, "kernel")) + ", ";
  said += "busy " + timeText(stream.ns);
  if (length > 0) said += " (" + text(text::percent(static_cast<double>(stream.ns) / length)) + ')';
  if (stream.bytes > 0) said += ", " + text(text::bytes(static_cast<double>(stream.bytes))) + " moved";
  return said;
}

}  // namespace

QStringList classNames(queries::TrackKind kind) {
  QStringList names;
  if (kind == queries::TrackKind::Threads) {
    for (const char* name : kOfCalls) names << text(name);
  } else {
    for (const char* name : kOfActivities) names << text(name);
  }
  return names;
}

QString callSiteOf(const SiteInStep& place, const TimelineRun& run) {
  if (place.first == 0) return {};
  const auto named = run.texts.names.find(place);
  return named == run.texts.names.end() ? "?" : text(named->second);
}

QString labelOf(const TimelineItem& item, const TimelineRun& run) {
  if (const GpuActivity* activity = item.activity()) {
    const ActivityName* name = nameOf(*activity, run);
    return name == nullptr ? QString() : text(name->name);
  }
  const auto site = run.texts.sites.find(item.place.first);
  return site == run.texts.sites.end() ? QString() : text(site->second.op);
}

QString textOf(const TimelineItem& item, const TimelineRun& run) {
  return item.activity() ? textOf(*item.activity(), item.place, run) : textOf(*item.call(), run);
}

QString textOf(const TimelineBar& bar, queries::TrackKind kind, bool is_summary) {
  const QString what = kind == queries::TrackKind::Threads ? "op call" : "kernel, memcpy or memset";
  QStringList lines = textsOf(bar.times, classNames(kind));
  const auto count = static_cast<std::int64_t>(bar.count);
  if (!is_summary && kind == queries::TrackKind::Threads) lines.prepend(text(text::counted(count, "op call")));
  if (!is_summary && kind == queries::TrackKind::Streams)
    lines.prepend(text(text::count(count)) + " kernels, memcpys and memsets");
  return lines.isEmpty() ? "no " + what : lines.join('\n') + "\nW zooms in";
}

QString textOf(const Segment& segment) {
  QString name = QString("step %1").arg(segment.step);
  if (segment.step == 0) name = "outside any step";
  if (segment.position > 0) name += QString(" (part %1)").arg(segment.position + 1);
  if (segment.skipped) name += ", skipped";
  return segment.recorded ? name : name + ", not recorded";
}

QString nameOf(const TimelineTrack& track) {
  if (track.kind == queries::TrackKind::Threads)
    return track.id ? QString("thread %1").arg(*track.id) : QString("other threads");
  if (!track.id) return "other streams";
  return QString("GPU %1 stream %2").arg(device_of(*track.id)).arg(stream_of(*track.id));
}

QString textOf(const Measured& measured, const TimelineRun& run) {
  const auto& [span, totals, streams] = measured;
  QStringList parts{lengthText(span.from_ns, span.to_ns), text(text::counted(totals.calls, "op call"))};
  parts += textsOf(totals.times, classNames(queries::TrackKind::Threads));
  if (totals.cast_bytes > 0) parts << text(text::bytes(static_cast<double>(totals.cast_bytes))) + " cast";
  for (const StreamTotals& stream : std::span(streams).first(std::min(kNamedStreams, streams.size()))) {
    parts << textOf(stream, span);
  }
  if (streams.size() > kNamedStreams) parts << QString("%1 other streams").arg(streams.size() - kNamedStreams);
  if (const QString top = topSites(totals, run); !top.isEmpty()) parts << top;
  return parts.join(" · ");
}

}  // namespace ampprof::gui
