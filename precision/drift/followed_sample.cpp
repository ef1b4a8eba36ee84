// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/followed_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

namespace ampprof::drift {
namespace {

/// |D| is stored whenever the number of segments has grown by this factor: about a hundred values for ten thousand
/// segments.
constexpr double kPastRatio = 1.1;
/// The exponent of growth is fitted over the last seven eighths of the segments.
constexpr double kRecentPart = 8.0;
constexpr std::size_t kLeastPast = 3;

double inner(std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
double norm(std::span<const double> x) { return std::sqrt(inner(x, x)); }
double ratio(double numerator, double denominator) {
  if (denominator != 0.0) return numerator / denominator;
  return numerator == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace

bool FollowedSample::is_current(std::span<const double> run) const {
  return std::ranges::equal(run, run_, [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
  });
}

std::vector<double> FollowedSample::difference() const {
  std::vector<double> difference(run_.size());
  std::ranges::transform(run_, exact_, difference.begin(), std::minus());
  return difference;
}

FollowedSample::FollowedSample(const Write& made)
    : FollowedSample(std::vector<double>(made.run.begin(), made.run.end())) {
  local_.assign(made.local.begin(), made.local.end());
  exact_.assign(made.exact.begin(), made.exact.end());
  segment_ = made.segment;
}

FollowedSample FollowedSample::anew(std::int64_t segment) const {
  return FollowedSample(Write{.run = run_, .local = local(segment), .exact = exact_, .segment = segment});
}

bool FollowedSample::is_exact_small() const { return norm(exact_) < 0.5 * norm(run_); }

void FollowedSample::begin_segment(std::int64_t segment) {
  if (segments_ == 0) {
    const std::vector<double> zeros(run_.size());
    sums_ = {.errors = zeros, .updates = zeros, .squares = zeros};
  } else {
    double squares = 0.0;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const double error = run_[i] - local_[i];
      const double difference = run_[i] - exact_[i];
      if (std::isfinite(error)) sums_.errors[i] += error, sums_.squares[i] += error * error;
      if (std::isfinite(difference)) squares += difference * difference;
    }
    const bool is_kept =
        past_.empty() || static_cast<double>(segments_) >= kPastRatio * static_cast<double>(past_.back().segments);
    if (is_kept) past_.push_back({segments_, std::sqrt(squares)});
  }
  if (segment != segment_) local_ = run_;
  segment_ = segment;
  ++segments_;
}

std::vector<double>& FollowedSample::errors_of(std::int64_t call_site) {
  for (auto& [site, errors] : sites_) {
    if (site == call_site) return errors;
  }
  return sites_.emplace_back(call_site, std::vector<double>(run_.size())).second;
}

/// Returns the call site with the largest sum of squared errors over the elements that `among` marks.
std::int64_t FollowedSample::worst_site(const std::vector<bool>& among) const {
  const auto squares = [&](const auto& site) {
    double sum = 0.0;
    for (std::size_t i = 0; i < among.size(); ++i) sum += among[i] ? site.second[i] * site.second[i] : 0.0;
    return sum;
  };
  const auto worst = std::ranges::max_element(sites_, {}, squares);
  return worst == sites_.end() ? 0 : worst->first;
}

void FollowedSample::write(const Write& write) {
  if (segment_ != write.segment || segments_ == 0) begin_segment(write.segment);
  std::vector<double>& errors = errors_of(write.call_site);
  for (std::size_t i = 0; i < run_.size(); ++i) {
    const double error = (write.run[i] - write.local[i]) - (run_[i] - local_[i]);
    const double update = write.local[i] - local_[i];
    if (std::isfinite(update)) sums_.updates[i] += update;
    if (std::isfinite(error)) errors[i] += error;
  }
  through_bits_ = through_bits_ || write.through_bits;
  std::ranges::copy(write.run, run_.begin());
  std::ranges::copy(write.local, local_.begin());
  std::ranges::copy(write.exact, exact_.begin());
}

/// Fits log |D| over log segments by least squares.
std::optional<double> FollowedSample::growth(double difference) const {
  std::vector<std::pair<double, double>> points;
  const auto add = [&](std::int64_t segments, double value) {
    if (value > 0.0 && static_cast<double>(segments) >= static_cast<double>(segments_) / kRecentPart) {
      points.emplace_back(std::log(static_cast<double>(segments)), std::log(value));
    }
  };
  for (const Past& past : past_) add(past.segments, past.difference);
  if (past_.empty() || past_.back().segments != segments_) add(segments_, difference);
  if (points.size() < kLeastPast) return std::nullopt;
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (const auto& [x, y] : points) {
    mean_x += x / static_cast<double>(points.size());
    mean_y += y / static_cast<double>(points.size());
  }
  double products = 0.0;
  double squares = 0.0;
  for (const auto& [x, y] : points) {
    products += (x - mean_x) * (y - mean_y);
    squares += (x - mean_x) * (x - mean_x);
  }
  return squares == 0.0 ? std::nullopt : std::optional(products / squares);
}

/// Tells whether an element lost at least half of its change W (see Drift) due to biased errors.
bool FollowedSample::is_lost(std::size_t i) const {
  const double way = exact_[i] - start_[i];
  const double in_progress = run_[i] - local_[i];
  const double squares = sums_.squares[i] + in_progress * in_progress;
  const bool fell_short = std::copysign(1.0, way) * (run_[i] - exact_[i]) <= -0.5 * std::abs(way);
  const bool points_one_way = std::abs(sums_.errors[i] + in_progress) >= 2.0 * std::sqrt(squares);
  return way != 0.0 && squares > 0.0 && fell_short && points_one_way;
}

void FollowedSample::fill_statistics(Drift& drift, double half_spacing) const {
  std::vector<double> differences, ways, ways_of_run, exact, errors, updates, squares;
  std::vector<bool> all(run_.size(), true), lost(run_.size());
  double moved = 0.0;
  drift.broken = 0;
  for (std::size_t i = 0; i < run_.size(); ++i) {
    if (std::isfinite(exact_[i]) && !std::isfinite(run_[i])) ++drift.broken;
    if (!std::isfinite(run_[i] - exact_[i]) || !std::isfinite(exact_[i] - start_[i])) continue;
    const double in_progress = run_[i] - local_[i];
    differences.push_back(run_[i] - exact_[i]);
    ways.push_back(exact_[i] - start_[i]);
    ways_of_run.push_back(run_[i] - start_[i]);
    exact.push_back(exact_[i]);
    errors.push_back(sums_.errors[i] + in_progress);
    updates.push_back(sums_.updates[i]);
    squares.push_back(sums_.squares[i] + in_progress * in_progress);
    if (ways.back() != 0.0) ++moved;
    lost[i] = is_lost(i);
  }
  const double difference = norm(differences);
  drift.segments = segments_;
  drift.sampled = static_cast<std::int64_t>(run_.size());
  drift.way = norm(ways);
  drift.way_of_run = norm(ways_of_run);
  drift.drift = ratio(difference, drift.way);
  drift.relative = ratio(difference, norm(exact));
  const double squares_of_ways = inner(ways, ways);
  drift.bias = squares_of_ways == 0.0 ? 0.0 : inner(differences, ways) / squares_of_ways;
  drift.own = ratio(norm(errors), norm(updates));
  drift.lost = ratio(static_cast<double>(std::ranges::count(lost, true)), moved);
  drift.walk = ratio(norm(errors), std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0)));
  drift.growth = growth(difference);
  drift.ulps = ratio(difference, half_spacing * norm(exact));
  drift.verdict = verdict_of(drift, {.rounded_at_random = through_bits_, .adds_up = 3.0 * difference >= norm(errors)});
  const bool has_lost = drift.verdict == DriftClass::Lost || drift.verdict == DriftClass::FewLost;
  drift.call_site = worst_site(has_lost ? lost : all);
}

}  // namespace ampprof::drift
