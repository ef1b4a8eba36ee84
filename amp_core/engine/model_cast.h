// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include "amp_core/engine/optimizer_state.h"
#include "amp_core/levels/error.h"

namespace torch::nn {
class Module;
}

namespace amp {

/// Refuses a model that is wrapped for data parallelism: one whose tree holds a module of a class called
/// DistributedDataParallel or DataParallel. LibTorch has no such class in C++, so this is about wrappers by convention;
/// a c10d::Reducer that the program holds beside its model cannot be seen.
void refuse_data_parallel(const torch::nn::Module& model);

/// Refuses a model that is not FP32, naming the parameter or buffer. Double tensors are left alone everywhere.
void refuse_reduced(const torch::nn::Module& model);

/// Makes a model's FP32 tensors `type`: parameters keep their identity, so optimizers and references stay valid. With
/// `keep_batchnorm` batch norm layers stay FP32, affine or not: their running statistics need it. (Apex makes those
/// without affine parameters half.) Weights of recurrent layers are laid out anew for cuDNN. Returns the parameters as
/// they were.
Originals cast_model(torch::nn::Module& model, at::ScalarType type, bool keep_batchnorm);

}  // namespace amp
