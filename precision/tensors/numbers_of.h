// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ampprof::tensors {

/// Returns the values of tensors of one element each, in their order. Waits for devices: one copy brings all that is on
/// one of them. Never by pinned memory, whose owner may have been destroyed where a program ends.
std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors);

}  // namespace ampprof::tensors
