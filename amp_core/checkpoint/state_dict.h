// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "amp_core/levels/loss_scaler.h"

namespace amp {

/// The engine's part of a checkpoint: the state, besides model and optimizers, that is needed to continue training bit
/// for bit.
///
/// Does not contain masters, which model_state_dict() returns. Get the state between iterations: pending gradients and
/// skips are not saved.
struct StateDict {
  /// The scaler of one loss.
  struct Loss {
    LossScalerOptions options;
    LossScaler::State state;

    bool operator==(const Loss&) const = default;
  };

  static constexpr int kVersion = 1;

  int version = kVersion;
  std::map<std::string, std::string> settings;  ///< properties that a resumed run must share, as the banner prints them
  std::string cast_policy;                      ///< policy as text; "" if the program registered no functions
  std::map<int, Loss> losses;                   ///< by loss id

  bool operator==(const StateDict&) const = default;
};

/// Numbers by name, as in Python's state dicts.
using Numbers = std::map<std::string, double>;

/// Returns the state dict of an engine with these settings and scalers.
StateDict make_state_dict(const Properties& properties, const std::vector<LossScaler>& scalers);

/// Throws Error for a checkpoint that does not fit an engine in state `here`: of a newer version, with other settings,
/// another policy or other loss ids. The error lists all differences.
void check_fits(const StateDict& saved, const StateDict& here);

/// Returns `here` with the scales of a state dict of Apex:
///
///     {"loss_scaler0": {"loss_scale": 65536.0, "unskipped": 12}}
///
/// The number in an entry's name is the loss id (in Apex: the order of the entries). There must be an entry for each
/// loss.
StateDict with_apex_state(StateDict here, const std::map<std::string, Numbers>& apex);

/// Returns `here` with one loss set from a state dict of torch.amp.GradScaler: scale, growth_factor, backoff_factor,
/// growth_interval, _growth_tracker. The loss must have a dynamic scale, and limits that include the new scale.
StateDict with_grad_scaler_state(StateDict here, const Numbers& grad_scaler, int loss_id);

/// Returns the scaler of a loss as numbers by name.
Numbers numbers_of(const StateDict::Loss& loss);
/// Reads what numbers_of() returned. Throws Error naming a number that is missing, unknown or out of range.
StateDict::Loss loss_from(const Numbers& numbers);

}  // namespace amp
