// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof::analysis {

struct EventGroup;
struct Symptoms;

/// Return whether a group of overflows costs something, by how most of the run's overflows reached their scale. The
/// scaler began with it (or nobody knows), the scale grew to it after steps without overflow, or the scaler restarted
/// several times. Exactly one of the three is true for a group that costs something.
bool is_of_start(const EventGroup& group, const Symptoms& symptoms);
bool is_of_growth(const EventGroup& group, const Symptoms& symptoms);
bool is_of_restarts(const EventGroup& group, const Symptoms& symptoms);

/// Returns the largest power of two at which every gradient of these events fits; if unknown, the run's last scale.
/// Empty if no scale is known.
std::optional<double> scale_that_fits(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
