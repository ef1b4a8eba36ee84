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

/// Adds up what each error does to each loss, once that has come from its device and the loss scale is known.
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
    std::size_t run = 0;  ///< which run of the report it is of

    auto operator<=>(const Error&) const = default;
  };

  /// The backward pass that made a gradient.
  struct Pass {
    std::int64_t id = 0;
    std::optional<double> scale = {};  ///< of its loss; empty where it is not known yet
  };

  /// Says what a gradient makes of an error.
  struct Effect {
    double gradient_times_error = 0.0;
    ImpactGap gap = ImpactGap::None;  ///< why that is no number
    ImpactSquares squares = {};       ///< of gradient times each rounding
    ImpactGradient gradient = ImpactGradient::Run;
  };
  /// Shared with who finds it; empty until it comes.
  using LateEffect = std::shared_ptr<const std::optional<Effect>>;

  /// Adds a part. `function`: the custom autograd function whose output the error was seen at; 0 for none.
  void add(const Error& error, int loss_id, LateEffect effect, const Pass& pass, std::uint64_t function = 0);
  /// Drops what was added at the output of a function that runs its forward once more, with gradients (a checkpoint
  /// with reentry): it is part of what that will add.
  void drop(std::uint64_t function);
  /// Says that there is no number to add.
  void add_gap(const Error& error, int loss_id, ImpactGap gap);
  /// Divides what was added without a scale in this pass by its scale, whether it has come yet or not.
  void scale_was(std::int64_t pass, double scale);

  /// Returns how many parts have not come.
  std::size_t waiting() const;
  /// Returns the impacts of a run all of whose parts have come, once, in a fixed order; what still has no scale is a
  /// gap.
  std::vector<LossImpact> take(std::size_t run = 0);

 private:
  struct Part {
    LateEffect effect;
    Pass pass;
  };
  struct Sum {
    std::map<std::uint64_t, std::vector<Part>> parts = {};  ///< by function
    ImpactGap gap = ImpactGap::None;

    std::size_t waiting() const;
    /// Adds up what has come.
    void add_to(LossImpact& impact) const;
  };

  std::map<std::pair<Error, int>, Sum> sums_;
};

}  // namespace ampprof::profiler
