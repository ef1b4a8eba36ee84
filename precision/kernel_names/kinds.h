// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {

/// Returns the kind of the first row of kKinds whose text occurs in the name; Other without a match.
KernelKind kind_of(const NameWords& name);

/// Tells whether the kernel is from CUDA or PyTorch, whose naming can be trusted.
bool is_of_known_library(const NameWords& name);

}  // namespace ampprof::kernel_names
