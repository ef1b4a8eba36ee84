// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/loss_impact.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// Adds up the parts of the impact that each error has on each loss, once the parts have arrived from the device and
/// the loss scale is known.
///
/// One error may have several parts in a segment (an op with two outputs, a parameter used by two backward passes of
/// one loss). Not thread-safe.
class ImpactLedger {
 public:
  /// Identifies an error by its origin.
  struct Error {
    std::int64_t segment = 0;
    ImpactSource source = ImpactSource::OpCall;
    std::int64_t call_site = 0;
    std::string name;
    std::size_t run = 0;  ///< index of the run of the report

    auto operator<=>(const Error&) const = default;
  };

  /// The backward pass that made a gradient.
  struct Pass {
    std::int64_t id = 0;
    std::optional<double> scale = {};  ///< loss scale; empty while unknown
  };

  /// Holds one part of an impact: a gradient times an error.
  struct Effect {
    double gradient_times_error = 0.0;
    ImpactGap gap = ImpactGap::None;  ///< why the product is missing; None if it is known
    ImpactSquares squares = {};       ///< sums of (gradient * rounding)^2, by kind of rounding
    ImpactGradient gradient = ImpactGradient::Run;
  };
  /// A part, shared with the code that computes it. Empty until its numbers arrive from the device.
  using LateEffect = std::shared_ptr<const std::optional<Effect>>;

  /// Adds a part. `function`: the custom autograd function at whose output the error was measured; 0 if there is none.
  void add(const Error& error, int loss_id, LateEffect effect, const Pass& pass, std::uint64_t function = 0);
  /// Drops the parts added at the output of a function that runs its forward again with gradients (a reentrant
  /// checkpoint). The recomputation adds them again.
  void drop(std::uint64_t function);
  /// Notes that an impact has no value, and why.
  void add_gap(const Error& error, int loss_id, ImpactGap gap);
  /// Sets the loss scale of all parts of this pass that were added without one, arrived or not.
  void scale_was(std::int64_t pass, double scale);

  /// Returns how many parts have not arrived.
  std::size_t waiting() const;
  /// Returns the impacts of a run whose parts have all arrived, and removes them. The order is fixed. An impact whose
  /// scale is still unknown is a gap.
  std::vector<LossImpact> take(std::size_t run = 0);

 private:
  struct Part {
    LateEffect effect;
    Pass pass;
  };
  struct Sum {
    std::map<std::uint64_t, std::vector<Part>> parts = {};  ///< by custom autograd function
    ImpactGap gap = ImpactGap::None;

    std::size_t waiting() const;
    /// Sums the parts. All must have arrived.
    void add_to(LossImpact& impact) const;
  };

  std::map<std::pair<Error, int>, Sum> sums_;
};

}  // namespace ampprof::profiler
