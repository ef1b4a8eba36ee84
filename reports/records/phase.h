// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof {

/// Phase of an op call. Numbers are stored in report files: never renumber. Recompute is a part of the forward that
/// activation checkpointing runs again inside backward.
enum class Phase : std::uint8_t { Forward = 0, Backward = 1, Optimizer = 2, Inference = 3, Recompute = 4 };

/// All phases, in their order in a step.
inline constexpr Phase kPhases[] = {Phase::Forward, Phase::Recompute, Phase::Backward, Phase::Optimizer,
                                    Phase::Inference};

std::string_view name_of(Phase phase);

/// Returns the word that tables write before a call site: "bwd", "opt", "eval"; "" for forward.
std::string_view short_name(Phase phase);

/// Returns the phase with this name_of(); empty for any other word.
std::optional<Phase> phase_from(std::string_view word);

/// Returns the phase with this short_name(); empty for "" and any other word.
std::optional<Phase> phase_from_short(std::string_view word);

/// Returns the names of all phases, in the order of kPhases.
std::vector<std::string> phase_names();

}  // namespace ampprof
