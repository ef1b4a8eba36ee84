// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ampprof::gui {
namespace {

constexpr double kShortestNs = 1'000.0;
constexpr std::int64_t kLongestStep = 1'000'000'000'000'000'000;

double lengthOf(const TimeSpan& span) { return static_cast<double>(span.to_ns) - static_cast<double>(span.from_ns); }

/// Collects bars, which must be added from left to right, and merges narrow ones.
class Bars {
 public:
  explicit Bars(const TimelineView& view) : view_(view) {}

  void add(std::size_t place, std::int64_t from_ns, std::int64_t to_ns, const ClassTimes& times = {}) {
    const double from = view_.xOf(from_ns);
    const double to = view_.xOf(to_ns);
    if (to < 0.0 || from > view_.width()) return;
    const bool is_narrow = to - from < 1.0;
    if (is_narrow && joins(from, to)) {
      TimelineBar& last = bars_.back();
      last.to_x = std::max(last.to_x, to);
      ++last.count;
      add_times(last.times, times);
    } else {
      bars_.push_back({from, std::max(to, from + 1.0), place, 1, times});
    }
    ends_narrow_ = is_narrow;
  }

  std::vector<TimelineBar> bars() && { return std::move(bars_); }

 private:
  bool joins(double from, double to) const {
    return ends_narrow_ && from - bars_.back().to_x < 1.0 && to - bars_.back().from_x <= kWidestMergedSlice;
  }

  const TimelineView& view_;
  std::vector<TimelineBar> bars_;
  bool ends_narrow_ = false;
};

}  // namespace

TimelineView::TimelineView(const TimeSpan& whole) : whole_(whole) { showWhole(); }

void TimelineView::setWidth(double pixels) { width_ = std::max(pixels, 1.0); }

TimeSpan TimelineView::visible() const {
  return {std::max(static_cast<std::int64_t>(std::floor(from_ns_)), whole_.from_ns),
          std::min(static_cast<std::int64_t>(std::ceil(from_ns_ + length_ns_)), whole_.to_ns)};
}

std::int64_t TimelineView::timeAt(double x) const {
  const double ns =
      std::clamp(from_ns_ + x * nsPerPixel(), static_cast<double>(whole_.from_ns), static_cast<double>(whole_.to_ns));
  return ns < 9e18 ? std::llround(ns) : whole_.to_ns;
}

void TimelineView::show(double from_ns, double length_ns) {
  const double whole = std::max(lengthOf(whole_), 1.0);
  length_ns_ = std::clamp(length_ns, std::min(kShortestNs, whole), whole);
  const double first = static_cast<double>(whole_.from_ns);
  from_ns_ = std::clamp(from_ns, first, first + whole - length_ns_);
}

void TimelineView::zoom(double factor, double x) {
  const double share = x / width_;
  const double at = from_ns_ + share * length_ns_;
  const double before = length_ns_;
  show(from_ns_, length_ns_ / factor);
  if (length_ns_ != before) show(at - share * length_ns_, length_ns_);
}

void TimelineView::pan(double pixels) { show(from_ns_ + pixels * nsPerPixel(), length_ns_); }

void TimelineView::focus(const TimeSpan& span, double margin) {
  const double length = std::max(lengthOf(span) * (1 + 2 * margin), kShortestNs);
  const double middle = static_cast<double>(span.from_ns) + lengthOf(span) / 2;
  show(middle - length / 2, length);
}

void TimelineView::showWhole() { show(static_cast<double>(whole_.from_ns), lengthOf(whole_)); }

std::vector<TimelineBar> barsOf(const std::vector<TimelineItem>& items, const TimelineView& view) {
  Bars bars(view);
  for (std::size_t place = 0; place < items.size(); ++place) {
    const TimelineItem& item = items[place];
    ClassTimes times{};
    times.at(item.kind) = std::max<std::int64_t>(item.end_ns - item.start_ns, 1);
    bars.add(place, item.start_ns, item.end_ns, times);
  }
  return std::move(bars).bars();
}

std::vector<TimelineBar> barsOf(const std::vector<Scope>& scopes, int depth, const TimelineView& view) {
  Bars bars(view);
  for (std::size_t place = 0; place < scopes.size(); ++place) {
    if (scopes[place].depth == depth) bars.add(place, scopes[place].from_ns, scopes[place].to_ns);
  }
  return std::move(bars).bars();
}

std::vector<TimelineBar> barsOf(const std::vector<Segment>& segments, const TimelineView& view) {
  Bars bars(view);
  for (std::size_t place = 0; place < segments.size(); ++place) {
    if (segments[place].step > 0) bars.add(place, segments[place].start_ns, segments[place].end_ns);
  }
  return std::move(bars).bars();
}

std::vector<TimelineBar> barsOf(const std::vector<ClassTimes>& bins, const TimeSpan& span, const TimelineView& view) {
  std::vector<TimelineBar> bars;
  const double first = view.xOf(span.from_ns);
  const double width = lengthOf(span) / view.nsPerPixel() / static_cast<double>(bins.size());
  bool is_open = false;
  for (std::size_t place = 0; place < bins.size(); ++place) {
    const double from = first + width * static_cast<double>(place);
    const double to = from + width;
    if (to < 0.0 || from > view.width()) continue;
    if (!is_open) bars.push_back({from, to, place, 0, {}});
    bars.back().to_x = to;
    ++bars.back().count;
    add_times(bars.back().times, bins[place]);
    is_open = to - bars.back().from_x < 1.0;
  }
  return bars;
}

const TimelineBar* barAt(const std::vector<TimelineBar>& bars, double x) {
  for (const TimelineBar& bar : bars) {
    if (x >= bar.from_x && x < bar.to_x) return &bar;
  }
  return nullptr;
}

TimelineTicks ticksOf(const TimelineView& view, double least_pixels) {
  TimelineTicks ticks;
  const double least_ns = least_pixels * view.nsPerPixel();
  for (int factor = 0; static_cast<double>(ticks.step_ns) < least_ns && ticks.step_ns < kLongestStep; ++factor) {
    ticks.step_ns = factor % 3 == 1 ? ticks.step_ns / 2 * 5 : ticks.step_ns * 2;  // 1, 2, 5, 10, 20, … ns
  }
  const auto [from, to] = view.visible();
  for (std::int64_t n = from / ticks.step_ns; n <= to / ticks.step_ns; ++n) {
    const std::int64_t ns = n * ticks.step_ns;
    if (ns >= from) ticks.ticks.push_back({view.xOf(ns), ns});
  }
  return ticks;
}

bool fitsLabel(const TimelineTick& tick, double label_width, const TimelineView& view) {
  return tick.x + kTickLabelGap + label_width <= view.width();
}

std::string tickText(std::int64_t ns, std::int64_t step_ns) {
  struct Unit {
    std::int64_t ns;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1'000'000'000, " s"}, {1'000'000, " ms"}, {1'000, " µs"}, {1, " ns"}};
  const Unit* unit = kUnits;
  while (step_ns % unit->ns != 0) ++unit;
  std::string digits = std::to_string(ns / unit->ns);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > (ns < 0 ? 1 : 0); place -= 3) {
    digits.insert(static_cast<std::size_t>(place), 1, ',');
  }
  return digits + unit->name;
}

}  // namespace ampprof::gui
