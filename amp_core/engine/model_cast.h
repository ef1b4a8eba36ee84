// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include "amp_core/engine/optimizer_state.h"
#include "amp_core/levels/error.h"

namespace torch::nn {
class Module;
}

namespace amp {

/// Throws Error for a model that is wrapped for data parallelism: a module in its tree has a class named
/// DistributedDataParallel or DataParallel. LibTorch has no such class in C++, so this finds wrappers by convention. A
/// c10d::Reducer outside the module tree is not detected.
void refuse_data_parallel(const torch::nn::Module& model);

/// Throws Error, naming the parameter or buffer, for a model with FP16 or BF16 tensors. FP64 tensors are accepted, and
/// are never cast.
void refuse_reduced(const torch::nn::Module& model);

/// Casts a model's FP32 tensors to `type`. Parameters keep their identity, so optimizers and references stay valid.
/// With `keep_batchnorm` batch norm layers stay FP32, affine or not, for their running statistics. (Apex casts layers
/// without affine parameters.) Weights of recurrent layers get a new layout for cuDNN. Returns the original parameters.
Originals cast_model(torch::nn::Module& model, at::ScalarType type, bool keep_batchnorm);

}  // namespace amp
