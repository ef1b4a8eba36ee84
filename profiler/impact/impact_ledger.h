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
/// One error may show up several times in a substep (an op with two outputs, a parameter used by two backward passes of
/// one loss): those are parts of one impact. Not thread-safe.
class ImpactLedger {
 public:
  /// An error, and the part of a step that it is of.
  struct Error {
    std::int64_t substep = 0;
    ImpactSource source = ImpactSource::OpCall;
    std::int64_t call_site = 0;
    std::string name;

    auto operator<=>(const Error&) const = default;
  };

  /// The backward pass that made a gradient.
  struct Pass {
    std::int64_t id = 0;
    std::optional<double> scale = {};  ///< of its loss; empty where it is not known yet
  };

  /// Adds a part. `function`: the custom autograd function whose output the error was seen at; 0 for none.
  void add(const Error& error, int loss_id, double gradient_times_error, const Pass& pass, std::uint64_t function = 0);
  /// Drops what was added at the output of a function that runs its forward once more, with gradients (a checkpoint
  /// with reentry): it is part of what that will add.
  void drop(std::uint64_t function);
  /// Says that there is no number to add.
  void add_gap(const Error& error, int loss_id, ImpactGap gap);
  /// Divides what was added without a scale in this pass by its scale.
  void scale_was(std::int64_t pass, double scale);

  /// Returns everything so far, in a fixed order; what still has no scale is a gap.
  std::vector<LossImpact> take();

 private:
  struct Part {
    double impact = 0.0;
    std::map<std::int64_t, double> unscaled = {};  ///< by pass; still to be divided by its scale
  };
  struct Sum {
    std::map<std::uint64_t, Part> parts = {};  ///< by function
    ImpactGap gap = ImpactGap::None;
  };

  std::map<std::pair<Error, int>, Sum> sums_;
};

}  // namespace ampprof::profiler
