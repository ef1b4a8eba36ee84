// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/queries/report.h"

namespace ampprof::queries {

/// Identifies one check of a parameter. Equal on all ranks for the same check.
struct ParameterCheck {
  std::int64_t step = 0;
  std::int32_t position = 0;  ///< index of the segment in its step
  std::string parameter;

  auto operator<=>(const ParameterCheck&) const = default;
};

/// A checksum of the bits of a parameter after an update.
struct ChecksumRow {
  ParameterCheck place;
  std::int64_t checksum = 0;
};

/// Returns the checksums of one run's parameters, by place.
std::vector<ChecksumRow> parameter_checksums(const Report& report, std::int64_t run);

}  // namespace ampprof::queries
