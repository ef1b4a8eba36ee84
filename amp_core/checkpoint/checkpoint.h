// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/ordered_dict.h>

#include <map>
#include <string>
#include <vector>

#include "amp_core/base/models.h"
#include "amp_core/checkpoint/state_dict.h"

namespace torch::serialize {
class InputArchive;
class OutputArchive;
}  // namespace torch::serialize

/// Checkpoints: the engine's state, models in FP32, and the state of Apex and GradScaler.
///
///     torch::save(amp::state_dict(), "amp.pt");                // to save
///     torch::save(optimizer, "optimizer.pt");
///     torch::serialize::OutputArchive archive;
///     amp::save_model(model, archive);
///     archive.save_to("model.pt");                             // the FP32 model class reads it with torch::load
///
///     amp::initialize(model, optimizer, options);              // to resume: with the options of the saved run
///     torch::serialize::InputArchive archive;
///     archive.load_from("model.pt");
///     amp::load_model(model, archive);                         // or torch::load() before initialize()
///     torch::load(optimizer, "optimizer.pt");
///     amp::StateDict state;
///     torch::load(state, "amp.pt");
///     amp::load_state_dict(state);
///
/// Training then continues bit for bit, at every level: masters are saved with the model.
namespace amp {

/// Returns the state of the calling thread's engine, to be saved. Throws Error before initialize().
StateDict state_dict();

/// Restores a saved state: scales, counts and scaler settings become those of the checkpoint. Call it after
/// initialize(). Throws Error for a checkpoint that does not fit (another level, number of losses, policy, static
/// instead of dynamic scale, a newer version) and for invalid scaler numbers. The error lists all differences, and the
/// state is unchanged.
void load_state_dict(const StateDict& state);

/// Continues with the loss scales of an Apex checkpoint, whose numbers the caller has read from the file. See
/// with_apex_state().
void import_apex_state(const std::map<std::string, Numbers>& apex);
/// Continues with the loss scale of a torch.amp.GradScaler checkpoint. See with_grad_scaler_state().
void import_grad_scaler_state(const Numbers& grad_scaler, int loss_id = 0);

/// Writes the state, for torch::save().
torch::serialize::OutputArchive& operator<<(torch::serialize::OutputArchive& archive, const StateDict& state);
/// Reads the state, for torch::load(). Throws Error if the archive holds no amp checkpoint, or one of a newer version.
torch::serialize::InputArchive& operator>>(torch::serialize::InputArchive& archive, StateDict& state);

/// Returns copies of parameters and buffers by name, half ones in FP32. A half parameter with a master has the master's
/// value, so no precision is lost. (Apex gives the half values, in FP32.)
torch::OrderedDict<std::string, at::Tensor> model_state_dict(const ModelRef& model);

/// Sets parameters, buffers and existing masters. Names and shapes must be those of the model; otherwise throws Error
/// with all differences, and the model is unchanged.
void load_model_state_dict(const ModelRef& model, const torch::OrderedDict<std::string, at::Tensor>& tensors);

/// Returns copies of a model's parameters or buffers as model_state_dict() stores them, in the order of `tensors`. For
/// callers that name tensors themselves.
std::vector<at::Tensor> checkpoint_tensors(const std::vector<at::Tensor>& tensors);
/// Sets the master of `parameters[i]` to `values[i]`, of the same shape, for each i. Parameters without a master are
/// left alone.
void load_masters(const std::vector<at::Tensor>& parameters, const std::vector<at::Tensor>& values);

/// Writes the FP32 state as an archive in the layout of torch::save() for the FP32 model. A program without amp can
/// load the archive into the model class with torch::load().
void save_model(const ModelRef& model, torch::serialize::OutputArchive& archive);
/// Reads an archive of save_model(), or of torch::save() for an FP32 model.
void load_model(const ModelRef& model, torch::serialize::InputArchive& archive);

}  // namespace amp
