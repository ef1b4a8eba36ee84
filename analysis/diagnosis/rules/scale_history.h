// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof::analysis {

struct EventGroup;
struct Symptoms;

/// Return whether a group of overflows costs something, and how the scale of most overflows of the run was reached: the
/// scaler began with it (or nobody knows), it grew to it after steps without overflow, or the scaler began anew several
/// times. One of the three is true of a group that costs something.
bool is_of_start(const EventGroup& group, const Symptoms& symptoms);
bool is_of_growth(const EventGroup& group, const Symptoms& symptoms);
bool is_of_restarts(const EventGroup& group, const Symptoms& symptoms);

/// Returns the largest power of two at which every gradient of these events fits; where that is not known, the scale
/// that the run ends with. Empty where no scale is known.
std::optional<double> scale_that_fits(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
