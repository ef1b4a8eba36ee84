// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "amp_core/levels/loss_scaler.h"

namespace amp {

/// The engine's part of a checkpoint: what must be kept, besides model and optimizers, to go on training bit for bit.
///
/// Masters are not in it but in model_state_dict(). Take it between iterations: gradients and skips that are still to
/// come are in no checkpoint.
struct StateDict {
  struct Loss {
    LossScalerOptions options;
    LossScaler::State state;

    bool operator==(const Loss&) const = default;
  };

  static constexpr int kVersion = 1;

  int version = kVersion;
  std::map<std::string, std::string> settings;  ///< the properties that matter, as the banner prints them
  std::string cast_policy;                      ///< as text, where the program registered functions of its own
  std::map<int, Loss> losses;                   ///< by loss id

  bool operator==(const StateDict&) const = default;
};

/// Numbers by name, as Python's state dicts have them.
using Numbers = std::map<std::string, double>;

/// The settings and scalers of an engine.
StateDict make_state_dict(const Properties& properties, const std::vector<LossScaler>& scalers);

/// Refuses a checkpoint that does not fit an engine in state `here`: of a newer version, with other settings, another
/// policy or other loss ids. The sentence lists all that differs.
void check_fits(const StateDict& saved, const StateDict& here);

/// `here` with the scales of a state dict of Apex: {"loss_scaler0": {"loss_scale": ..., "unskipped": ...}, ...}.
/// Entries go by the number in their name (in Apex: by their order); there must be one for each loss.
StateDict with_apex_state(StateDict here, const std::map<std::string, Numbers>& apex);

/// `here` with one loss as a state dict of torch.amp.GradScaler has it: scale, growth_factor, backoff_factor,
/// growth_interval, _growth_tracker. The scale must be dynamic here, and within the limits.
StateDict with_grad_scaler_state(StateDict here, const Numbers& grad_scaler, int loss_id);

/// A loss as numbers by name, and back; throws Error naming what is missing, unknown or no possible value.
Numbers numbers_of(const StateDict::Loss& loss);
StateDict::Loss loss_from(const Numbers& numbers);

}  // namespace amp
