// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/records/records.h"

namespace ampprof::profiler {

/// Adds up what each error does to each loss, and divides by the loss scale once it is known.
///
/// One error may show up several times in a segment (an op with two outputs, a parameter used by two backward passes of
/// one loss): those are parts of one impact. Not thread-safe.
class ImpactLedger {
 public:
  /// An error, and the part of a step that it is of.
  struct Error {
    std::int64_t segment = 0;
    ImpactSource source = ImpactSource::OpCall;
    std::int64_t call_site = 0;
    std::string name;

    auto operator<=>(const Error&) const = default;
  };

  /// A backward pass of this loss made the gradient; `scale` is empty where it is not known yet.
  void add(const Error& error, int loss_id, double gradient_times_error, std::optional<double> scale);
  /// There is no number to add.
  void add_gap(const Error& error, int loss_id, ImpactGap gap);
  /// What was added without a scale had this one.
  void scale_was(double scale);

  /// Everything so far, in a fixed order; what still has no scale is a gap.
  std::vector<LossImpact> take();

 private:
  struct Sum {
    double impact = 0.0;
    double unscaled = 0.0;  ///< still to be divided by the scale
    bool has_unscaled = false;
    ImpactGap gap = ImpactGap::None;
  };

  std::map<std::pair<Error, int>, Sum> sums_;
};

}  // namespace ampprof::profiler
