// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reports/records/drift.h"

namespace ampprof::drift {

/// Holds the elements of a sample after a write. All spans have one value for each element.
struct Write {
  std::span<const double> run;
  std::span<const double> local;  ///< in FP64, computed from what the run had when the segment began
  std::span<const double> exact;  ///< in FP64, computed from exact values
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  bool through_bits = false;  ///< the run's values come from integer arithmetic on bits: they are rounded at random
};

/// The sample of one tensor: in the run, in a segment without rounding, and without any rounding since it was first
/// seen.
class FollowedSample {
 public:
  /// `values`: of the run, before the first write.
  explicit FollowedSample(std::vector<double> values)
      : run_(std::move(values)), local_(run_), exact_(run_), start_(run_) {}
  /// A tensor that was made, and not written yet.
  explicit FollowedSample(const Write& made);

  void write(const Write& write);
  /// Returns a sample with these values that was not written yet, made in `segment`.
  FollowedSample anew(std::int64_t segment) const;

  std::span<const double> run() const { return run_; }
  std::span<const double> exact() const { return exact_; }
  std::span<const double> local(std::int64_t segment) const { return segment == segment_ ? local_ : run_; }
  /// Returns whether the run's values are those that the last write left.
  bool is_current(std::span<const double> run) const;
  /// Returns whether |exact| < |run| / 2.
  bool is_exact_small() const;
  /// Returns in how many segments it was written.
  std::int64_t segments() const { return segments_; }
  /// Returns run - exact.
  std::vector<double> difference() const;
  /// Fills in figures and the verdict of a sample that was written, but for what only other tensors tell.
  /// `half_spacing`: of the type, relative to a number.
  void put_figures(Drift& drift, double half_spacing) const;
  /// Returns how many values of |run - exact| are kept.
  std::size_t kept_past() const { return past_.size(); }

 private:
  /// Sums of each element over the segments before the one in progress. A segment's error is run - local at its end, so
  /// that those of its ops may cancel.
  struct Sums {
    std::vector<double> errors, updates, squares;
  };
  struct Past {
    std::int64_t segments;
    double difference;
  };

  void begin_segment(std::int64_t segment);
  std::vector<double>& errors_of(std::int64_t call_site);
  bool is_lost(std::size_t i) const;
  std::optional<double> growth(double difference) const;
  std::int64_t worst_site(const std::vector<bool>& among) const;

  std::vector<double> run_, local_, exact_, start_;
  Sums sums_;
  bool through_bits_ = false;  ///< a write was
  std::int64_t segment_ = -1;
  std::int64_t segments_ = 0;
  std::vector<Past> past_;  ///< |run - exact| as segments went by, at distances that grow with their number
  /// Call sites of the writes, and the sum of each element's errors there: what points one way adds up.
  std::vector<std::pair<std::int64_t, std::vector<double>>> sites_;
};

/// How the errors of a tensor came about.
struct Manner {
  /// Rounding at random loses nothing: an element that was rarely rounded up falls short by chance.
  bool rounded_at_random = false;
  /// |D| is at least a third of |sum of e|. A copy that is made anew each time has each time's error, not their sum.
  bool adds_up = true;
};

/// Returns the verdict of a tensor by its own figures.
DriftClass verdict_of(const Drift& figures, const Manner& manner = {});

/// Marks tensors of which one keeps what the other misses: |D + D'| < 0.3 |D|. `exact_is_small`: |exact| < |run| / 2
/// tells the one that keeps it.
struct Pairing {
  Drift* drift;
  std::span<const double> difference;
  bool exact_is_small = false;
};
void find_compensated(std::span<Pairing> tensors);

}  // namespace ampprof::drift
