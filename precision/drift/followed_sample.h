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

/// The elements of a sample after a write. Each span has one value per element.
struct Write {
  std::span<const double> run;
  std::span<const double> local;  ///< values in FP64, computed from the run's values at the start of the segment
  std::span<const double> exact;  ///< values in FP64, computed from exact values
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  bool through_bits = false;  ///< the run computes on bits as integers, as for stochastic rounding
};

/// Follows a sample of one tensor in three versions: as the run computes it (run), without the rounding in the current
/// segment (local), and without any rounding since the tensor was first recorded (exact).
class FollowedSample {
 public:
  /// `values` are the values in the run before the first write.
  explicit FollowedSample(std::vector<double> values)
      : run_(std::move(values)), local_(run_), exact_(run_), start_(run_) {}
  /// Follows a tensor that `made` created.
  explicit FollowedSample(const Write& made);

  void write(const Write& write);
  /// Returns a sample with these values, as if created in `segment` and not written since.
  FollowedSample anew(std::int64_t segment) const;

  std::span<const double> run() const { return run_; }
  std::span<const double> exact() const { return exact_; }
  std::span<const double> local(std::int64_t segment) const { return segment == segment_ ? local_ : run_; }
  /// Returns whether the run still has the values of the last write.
  bool is_current(std::span<const double> run) const;
  /// Returns whether |exact| < |run| / 2.
  bool is_exact_small() const;
  /// Returns the number of segments in which the tensor was written.
  std::int64_t segments() const { return segments_; }
  /// Returns run - exact.
  std::vector<double> difference() const;
  /// Fills in the statistics and the verdict, except what depends on other tensors. The sample must have been written.
  /// `half_spacing` is half the spacing of the type, relative to the value.
  void fill_statistics(Drift& drift, double half_spacing) const;
  /// Returns how many values of |run - exact| are stored.
  std::size_t kept_past() const { return past_.size(); }

 private:
  /// Sums per element over the finished segments. The error of a segment is run - local at the end of the segment,
  /// because errors of ops in one segment may cancel.
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
  bool through_bits_ = false;  ///< whether a write computed on bits as integers
  std::int64_t segment_ = -1;
  std::int64_t segments_ = 0;
  std::vector<Past> past_;  ///< |run - exact| over time, at intervals that grow with the number of segments
  /// Call sites of the writes, each with the sum of its errors per element, so that errors of the same sign add up.
  std::vector<std::pair<std::int64_t, std::vector<double>>> sites_;
};

/// ErrorPattern in which the errors of a tensor arose.
struct ErrorPattern {
  /// True if rounding was stochastic. Such rounding loses nothing: an element that was rarely rounded up is too small
  /// by chance.
  bool rounded_at_random = false;
  /// True if |D| is at least a third of |sum of e|, with D and e as in Drift. For a copy that is created anew in each
  /// step, D is only the last error, not the sum of errors.
  bool adds_up = true;
};

/// Returns the verdict on a tensor from its own statistics.
DriftClass verdict_of(const Drift& figures, const ErrorPattern& manner = {});

/// A tensor's drift and its D = run - exact, for find_compensated().
struct Pairing {
  Drift* drift;
  std::span<const double> difference;
  bool exact_is_small = false;
};
/// Finds pairs of tensors of one size in which one stores the rounding error of the other: |D + D'| < 0.3 |D|. The
/// tensor with |exact| < |run| / 2 (`exact_is_small`) becomes the residue, the other compensated.
void find_compensated(std::span<Pairing> tensors);

}  // namespace ampprof::drift
