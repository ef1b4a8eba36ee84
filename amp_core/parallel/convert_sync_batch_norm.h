// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "amp_core/base/models.h"

namespace amp::parallel {

/// Makes every torch::nn::BatchNorm1d, 2d and 3d in a model share its statistics with the other ranks of a group while
/// it trains, and gives the group to every SyncBatchNorm in the model. A null group means default_group(), read at each
/// forward.
///
/// The layers stay in place, also as typed members: same class, tensors, options and mode, so optimizers and
/// checkpoints stay valid. The running mean marks a layer, or the weight if there is no running mean. If a layer has
/// neither, an Error that names the layer is thrown, and nothing is changed. The mark belongs to the tensor: it
/// survives to(device), a level's casts and loading, but a clone() must be converted itself. Converting again sets
/// another group. Instance norm is left alone.
///
/// SyncBatchNorm's rules for ranks and backward apply. LibTorch's layer itself still refuses a rank with a single value
/// per channel; use SyncBatchNorm if that may happen.
///
/// The first call that finds a layer registers a kernel for `batch_norm` in LibTorch: make that call before other
/// threads run ops.
void convert_sync_batchnorm(const ModelRef& model, const c10::intrusive_ptr<c10d::ProcessGroup>& group = {});

/// Returns the group of this rank if consecutive ranks share statistics in groups of `group_size`: ranks 0 to size - 1,
/// and so on. All ranks call it. If `group_size` is 0 or the number of ranks, returns null, which means all ranks.
/// Throws Error if the size does not divide the number of ranks, and before init().
c10::intrusive_ptr<c10d::ProcessGroup> create_syncbn_process_group(int group_size);

}  // namespace amp::parallel
