// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ampprof::analysis {

struct EventGroup;
struct Symptoms;

/// Classify a group of overflows by how the loss scale was reached at most of the run's overflows. Start: the scaler
/// began with this scale, or the report does not show more. Growth: the scale grew after steps without overflow.
/// Restarts: the scaler restarted several times. For a group that costs something, exactly one of the three functions
/// returns true; for other groups, none does.
bool is_of_start(const EventGroup& group, const Symptoms& symptoms);
bool is_of_growth(const EventGroup& group, const Symptoms& symptoms);
bool is_of_restarts(const EventGroup& group, const Symptoms& symptoms);

/// Returns the largest power of two at which every gradient of these events fits. If that is unknown, returns the last
/// scale at the group's first op; empty if there is none.
std::optional<double> scale_that_fits(const EventGroup& group, const Symptoms& symptoms);

}  // namespace ampprof::analysis
