// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "cli/export/formats.h"
#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/readable_name.h"
#include "reports/queries/calls.h"
#include "reports/queries/events.h"
#include "reports/queries/losses.h"
#include "reports/queries/nvtx_ranges.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/queries/span_activities.h"
#include "reports/records/dtype.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/phase.h"
#include "reports/records/saturating_add.h"
#include "reports/records/step.h"
#include "reports/records/time_span.h"
#include "reports/records/tracks.h"
#include "views/events/views.h"
#include "views/runs/run_choice.h"
#include "views/table/format.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

// Track ids differ between runs, because some viewers treat a thread id as unique across processes.
constexpr std::int64_t kTracksPerRun = 100'000;
constexpr std::int64_t kFirstThread = 10;
constexpr std::int64_t kFirstRangeTrack = 60'000;  // NVTX ranges have one track per thread
constexpr std::int64_t kFirstStream = 80'000;

constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max() - 1;

enum FixedTrack : std::int64_t { kSteps = 1, kFirstPhase = 2 };

// Formats with integers, because a double would round large times.
std::string in_microseconds(std::int64_t ns) {
  if (ns < 0) return fmt::format("{:.3f}", static_cast<double>(ns) / 1e3);
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

// Computes in double: in a damaged file the difference of two times may overflow an integer.
std::int64_t length_of(std::int64_t from_ns, std::int64_t to_ns) {
  const double length = static_cast<double>(to_ns) - static_cast<double>(from_ns);
  return length > 0 && length < 9e18 ? to_ns - from_ns : 0;
}

std::string json_text(const views::Json& json) {
  return json.dump(-1, ' ', false, views::Json::error_handler_t::replace);
}

/// Writes the events of one run.
class RunTrace {
 public:
  RunTrace(std::ostream& out, bool& is_first, std::int64_t run) : out_(out), is_first_(is_first), run_(run) {}

  void name_process(const std::string& name) {
    write("M", 0, R"("name":"process_name","args":{"name":)" + json_text(name) + "}");
    write("M", 0, fmt::format(R"("name":"process_sort_index","args":{{"sort_index":{}}})", run_));
  }
  void name_track(std::int64_t track, const std::string& name) {
    write("M", track, R"("name":"thread_name","args":{"name":)" + json_text(name) + "}");
    write("M", track, fmt::format(R"("name":"thread_sort_index","args":{{"sort_index":{}}})", track));
  }
  void span(std::int64_t track, const std::string& name, std::string_view category, std::int64_t start_ns,
            std::int64_t duration_ns, const views::Json& args) {
    write("X", track,
          fmt::format(R"("name":{},"cat":"{}","ts":{},"dur":{},"args":{})", json_text(name), category,
                      in_microseconds(start_ns), in_microseconds(std::max<std::int64_t>(duration_ns, 0)),
                      json_text(args)));
  }
  void counter(const std::string& name, std::int64_t at_ns, const std::string& series, double value) {
    if (!std::isfinite(value)) return;
    views::Json args;
    args[series] = value;
    write("C", 0,
          fmt::format(R"("name":{},"ts":{},"args":{})", json_text(name), in_microseconds(at_ns), json_text(args)));
  }
  /// Writes an arrow from a moment on one track to a moment on another. Arrow ids differ between runs.
  void arrow(std::int64_t id, std::int64_t from, std::int64_t from_ns, std::int64_t to, std::int64_t to_ns) {
    const std::string name = fmt::format(R"("name":"launch","cat":"launch","id":"{}.{}")", run_, id);
    write("s", from, fmt::format(R"({},"ts":{})", name, in_microseconds(from_ns)));
    write("f", to, fmt::format(R"({},"bp":"e","ts":{})", name, in_microseconds(to_ns)));
  }
  void instant(std::int64_t track, const std::string& name, std::int64_t at_ns, const views::Json& args) {
    write("i", track,
          fmt::format(R"("name":{},"cat":"overflow","s":"p","ts":{},"args":{})", json_text(name),
                      in_microseconds(at_ns), json_text(args)));
  }

 private:
  void write(const char* kind, std::int64_t track, const std::string& rest) {
    out_ << (is_first_ ? "\n" : ",\n") << R"({"ph":")" << kind << R"(","pid":)" << run_ << R"(,"tid":)" << tid_of(track)
         << ',' << rest << '}';
    is_first_ = false;
  }

  /// Returns a track id that no other run uses. Computes unsigned, because the run id of a damaged report may overflow.
  std::int64_t tid_of(std::int64_t track) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(run_) * kTracksPerRun +
                                     static_cast<std::uint64_t>(track));
  }

  std::ostream& out_;
  bool& is_first_;
  std::int64_t run_;
};

struct Step {
  std::int64_t start_ns = 0, end_ns = 0, overhead_ns = 0;
  bool recorded = true, skipped = false;
};

std::map<std::int64_t, Step> steps_of(const std::vector<Segment>& segments) {
  std::map<std::int64_t, Step> steps;
  for (const Segment& segment : segments) {
    if (segment.step == 0) continue;
    const auto [found, is_new] = steps.try_emplace(segment.step, Step{segment.start_ns, segment.end_ns});
    Step& step = found->second;
    step.start_ns = std::min(step.start_ns, segment.start_ns);
    step.end_ns = std::max(step.end_ns, segment.end_ns);
    saturating_add(step.overhead_ns, segment.overhead_ns);
    step.recorded = step.recorded && segment.recorded;
    step.skipped = step.skipped || segment.skipped;
  }
  return steps;
}

void write_steps(RunTrace& trace, const std::map<std::int64_t, Step>& steps) {
  trace.name_track(kSteps, "steps");
  for (const auto& [number, step] : steps) {
    const views::Json args{{"step", number},
                           {"recorded", step.recorded},
                           {"skipped", step.skipped},
                           {"overhead_us", static_cast<double>(step.overhead_ns) / 1e3}};
    trace.span(kSteps, fmt::format("step {}{}", number, step.skipped ? ", skipped" : ""), "step", step.start_ns,
               length_of(step.start_ns, step.end_ns), args);
  }
}

/// Joins successive calls in one phase into a span. Spans of a phase never overlap, even if several threads run it.
class Phases {
 public:
  explicit Phases(RunTrace& trace) : trace_(trace) {
    for (const Phase phase : kPhases) {
      if (phase != Phase::Recompute) name(phase);  // add() names Recompute when a call needs it
    }
  }

  void add(const queries::TimedCall& call) {
    const auto [last, is_new] = last_on_thread_.try_emplace(call.thread, call.phase);
    const bool goes_on = !is_new && last->second == call.phase;
    last->second = call.phase;
    Span& span = spans_.at(static_cast<std::size_t>(call.phase));
    if (call.phase == Phase::Recompute && !std::exchange(names_recompute_, true)) name(call.phase);
    if (!goes_on) {
      close(call.phase);
      span = {std::max(call.start_ns, span.end_ns), span.end_ns, true};
    }
    const std::int64_t room = std::numeric_limits<std::int64_t>::max() - std::max<std::int64_t>(call.start_ns, 0);
    span.end_ns = std::max(span.end_ns, call.start_ns + std::clamp<std::int64_t>(call.duration_ns, 0, room));
  }

  void close_all() {
    for (const Phase phase : kPhases) close(phase);
  }

 private:
  struct Span {
    std::int64_t start_ns = 0, end_ns = 0;
    bool open = false;
  };

  void name(Phase phase) { trace_.name_track(track_of(phase), std::string(name_of(phase))); }

  static std::int64_t track_of(Phase phase) { return kFirstPhase + static_cast<std::int64_t>(phase); }

  void close(Phase phase) {
    Span& span = spans_.at(static_cast<std::size_t>(phase));
    if (!span.open) return;
    span.open = false;
    trace_.span(track_of(phase), std::string(name_of(phase)), "phase", span.start_ns,
                length_of(span.start_ns, span.end_ns), views::Json::object());
  }

  RunTrace& trace_;
  bool names_recompute_ = false;
  std::array<Span, std::size(kPhases)> spans_{};
  std::unordered_map<std::int32_t, Phase> last_on_thread_;
};

views::Json type_or_null(DType type) { return type == DType::Unknown ? views::Json() : views::Json(short_name(type)); }

views::Json args_of(const queries::TimedCall& call) {
  return {{"call_site", call.call_site},
          {"module", call.module},
          {"step", call.step},
          {"input_shapes", views::text_or_null(call.shapes)},
          {"dtype_in", type_or_null(call.dtype_in)},
          {"dtype_out", type_or_null(call.dtype_out)},
          {"cast_bytes", call.cast_bytes},
          {"scale", views::exact(call.scale)},
          {"local_rel_l2", views::exact(call.local_rel_l2)},
          {"nonfinite", views::exact(call.nonfinite)},
          {"source", views::text_or_null(call.source)}};
}

std::int64_t thread_track(std::int32_t thread) {
  return kFirstThread + std::abs(thread % (kFirstRangeTrack - kFirstThread));
}

void write_calls(RunTrace& trace, const queries::Report& report, std::int64_t run) {
  Phases phases(trace);
  std::unordered_map<std::int32_t, bool> named;
  queries::each_call(report, run, [&](const queries::TimedCall& call) {
    const std::int64_t track = thread_track(call.thread);
    if (named.try_emplace(call.thread, true).second) trace.name_track(track, fmt::format("thread {}", call.thread));
    trace.span(track, call.call_site, name_of(call.phase), call.start_ns, call.duration_ns, args_of(call));
    phases.add(call);
  });
  phases.close_all();
}

/// Name and arguments that all activities of one name share.
struct ActivityLabel {
  std::string shown;
  views::Json args = views::Json::object();
};

ActivityLabel words_of(GpuActivityKind kind, const std::string& name) {
  if (kind != GpuActivityKind::Kernel) return {.shown = name};
  return {.shown = kernel_names::short_name_of_kernel(name),
          .args = {{"kernel", kernel_names::readable_name(name)},
                   {"tensor_cores", name_of(kernel_names::classify_kernel(name).executed)}}};
}

class ActivityDictionary {
 public:
  ActivityDictionary(const queries::Report& report, std::int64_t run) : texts_(queries::call_texts(report, run)) {}

  const ActivityLabel& of(const GpuActivity& activity) {
    const auto known = words_.find({activity.kind, activity.name});
    if (known != words_.end()) return known->second;
    const auto text = texts_.activity_names.find(activity.name);
    return words_[{activity.kind, activity.name}] =
               words_of(activity.kind, text == texts_.activity_names.end() ? "" : text->second);
  }

  views::Json args_of(const queries::SpanActivity& entry) {
    const auto site = texts_.names.find(entry.place);
    views::Json args{{"call_site", site == texts_.names.end() ? views::Json() : views::Json(site->second)},
                     {"stream", entry.activity.stream}};
    args.update(of(entry.activity).args);
    if (entry.activity.kind != GpuActivityKind::Kernel) args["bytes"] = entry.activity.bytes;
    if (entry.activity.graph != 0) args["graph"] = entry.activity.graph;
    return args;
  }

 private:
  queries::CallTexts texts_;
  std::map<std::pair<GpuActivityKind, std::int32_t>, ActivityLabel> words_;
};

/// Numbers the tracks of streams in the order of appearance. Draws an arrow from each launch to its activity.
void write_activities(RunTrace& trace, const queries::Report& report, std::int64_t run) {
  ActivityDictionary dictionary(report, run);
  std::map<TrackId, std::int64_t> tracks;
  std::int64_t arrow = 0;
  queries::each_activity(report, run, [&](const queries::SpanActivity& entry) {
    const GpuActivity& activity = entry.activity;
    const auto [track, is_new] =
        tracks.try_emplace(stream_track(activity.device, activity.stream), kFirstStream + std::ssize(tracks));
    if (is_new) trace.name_track(track->second, fmt::format("GPU {} stream {}", activity.device, activity.stream));
    trace.span(track->second, dictionary.of(activity).shown, name_of(activity.kind), activity.start_ns,
               activity.duration_ns, dictionary.args_of(entry));
    if (activity.launched_ns != 0) {
      trace.arrow(++arrow, thread_track(activity.thread), activity.launched_ns, track->second, activity.start_ns);
    }
  });
}

void write_ranges(RunTrace& trace, const queries::Report& report, std::int64_t run) {
  std::map<std::int32_t, bool> named;
  const queries::SpanRanges all = queries::span_ranges(report, run, kAnyTime, kAnyNumber);
  for (const auto& [range, text] : all.ranges) {
    const std::int64_t track = kFirstRangeTrack + std::abs(range.thread % (kFirstStream - kFirstRangeTrack));
    if (named.try_emplace(range.thread, true).second) {
      trace.name_track(track, fmt::format("ranges of thread {}", range.thread));
    }
    trace.span(track, text, "range", range.start_ns, length_of(range.start_ns, range.end_ns), views::Json::object());
  }
}

void write_counters(RunTrace& trace, const queries::Report& report, std::int64_t run,
                    const std::vector<Segment>& segments) {
  std::unordered_map<std::int64_t, const Segment*> by_id;
  for (const Segment& segment : segments) by_id.emplace(segment.id, &segment);
  std::map<std::int32_t, bool> has_begun;  // by loss id
  for (const queries::ScaleRow& row : queries::scales(report, run)) {
    const auto segment = by_id.find(row.update.segment);
    if (segment == by_id.end()) continue;
    const std::string series = fmt::format("loss {}", row.update.loss_id);
    if (has_begun.try_emplace(row.update.loss_id, true).second) {
      trace.counter("loss scale", segment->second->start_ns, series, row.update.scale_before);
    }
    trace.counter("loss scale", segment->second->end_ns, series, row.update.scale_after);
  }
  for (const queries::LossRow& row : queries::losses(report, run)) {
    const auto segment = by_id.find(row.loss.segment);
    if (segment == by_id.end()) continue;
    trace.counter("loss", segment->second->end_ns, fmt::format("loss {}", row.loss.loss_id), row.loss.value);
  }
}

void write_events(RunTrace& trace, const queries::Report& report, std::int64_t run,
                  const std::map<std::int64_t, Step>& steps) {
  for (const queries::EventRow& event : queries::events(report, run)) {
    const auto step = steps.find(event.step);
    if (step != steps.end())
      trace.instant(kSteps, event.by_scaler ? "overflow" : "non-finite", step->second.end_ns, views::to_json(event));
  }
}

}  // namespace

void write_trace(const Exported& exported, std::ostream& out) {
  const queries::Report& report = exported.views.report;
  const std::vector<queries::RunRow>& runs = exported.views.runs;
  out << R"({"displayTimeUnit":"ms","traceEvents":[)";
  bool is_first = true;
  for (const queries::RunRow& run : runs) {
    RunTrace trace(out, is_first, run.run);
    trace.name_process(views::label_of(run, runs) + ": " + run.program);
    const std::vector<Segment> segments = queries::segments(report, run.run);
    const auto steps = steps_of(segments);
    write_steps(trace, steps);
    write_calls(trace, report, run.run);
    write_activities(trace, report, run.run);
    write_ranges(trace, report, run.run);
    write_counters(trace, report, run.run, segments);
    write_events(trace, report, run.run, steps);
  }
  out << "\n]}\n";
}

}  // namespace ampprof::cli
