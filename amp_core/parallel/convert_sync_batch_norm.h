// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "amp_core/base/models.h"

namespace amp::parallel {

/// Makes every torch::nn::BatchNorm1d, 2d and 3d in a model share its statistics with the other ranks of a group while
/// it trains, and gives the group to every SyncBatchNorm in it. Null: default_group(), asked at each forward.
///
/// The layers stay what and where they are, also as typed members: same class, tensors, options and mode, so optimizers
/// and checkpoints stay valid. They are marked by their running mean, or by their weight where they have none; a layer
/// with neither is refused with an Error that names it, and nothing has changed then. The mark is of the tensor: it
/// survives to(device), a level's casts and loading, and a clone() has to be converted itself. To convert again sets
/// another group. Instance norm is left alone.
///
/// What SyncBatchNorm says of ranks and backward holds. LibTorch's layer itself still refuses a rank that has a single
/// value per channel; where that may be, use SyncBatchNorm.
///
/// The first call that finds a layer puts a kernel for `batch_norm` into LibTorch: make it before other threads run
/// ops.
void convert_sync_batchnorm(const ModelRef& model, const c10::intrusive_ptr<c10d::ProcessGroup>& group = {});

/// Returns the group of this rank where neighbours share statistics in groups of `group_size`: ranks 0 to size - 1, and
/// so on. All ranks call it. 0 and the number of ranks give null, which stands for all of them. Throws Error where the
/// size does not divide the number of ranks, and before init().
c10::intrusive_ptr<c10d::ProcessGroup> create_syncbn_process_group(int group_size);

}  // namespace amp::parallel
