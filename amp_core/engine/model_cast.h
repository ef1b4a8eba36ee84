// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace torch::nn {
class Module;
}

namespace amp {

/// Refuses a model that is not FP32, naming the parameter or buffer. Double tensors are left alone everywhere.
void check_incoming_model(const torch::nn::Module& model);

/// Makes a model half: parameters keep their identity, so optimizers and references stay valid. With `keep_batchnorm`
/// batch norm layers stay FP32, affine or not: their running statistics need it.
void make_half(torch::nn::Module& model, bool keep_batchnorm);

}  // namespace amp
