// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/records/impact_estimate.h"

namespace ampprof::queries {
struct ImpactRow;
}

/// The order of loss impacts, and how far it can be told.
namespace ampprof::analysis {

/// A place in the order of sizes, from 1; 0 without a size. Tied: with others, which cannot be told from the first of
/// them.
struct ImpactRank {
  std::int64_t place = 0;
  bool is_tied = false;

  bool operator==(const ImpactRank&) const = default;
};

/// An impact as its rank needs it.
struct SizedImpact {
  std::int64_t run = 0;
  std::int32_t loss_id = 0;  ///< 0 where losses are added up
  std::optional<double> size = {};
  bool is_signed = false;  ///< the size is that of signed changes: it is tied with none
  std::span<const StepImpact> by_step = {};
};

/// Returns the ranks of impacts that come in the order of their sizes, largest first, those of each run and loss by
/// themselves.
std::vector<ImpactRank> impact_ranks(std::span<const SizedImpact> impacts);
std::vector<ImpactRank> impact_ranks(std::span<const queries::ImpactRow* const> rows);

/// Says how the rows check against their signed changes.
struct SelfCheck {
  double mean = 0.0;          ///< of self_check
  std::int64_t rows = 0;      ///< that have one
  std::int64_t failures = 0;  ///< rows with known roundings that rank by their signed changes all the same
};
/// Empty where no row has one.
std::optional<SelfCheck> self_check(std::span<const queries::ImpactRow* const> rows);

}  // namespace ampprof::analysis
