// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {

/// Returns the kind of the first row of a table whose text is in the name; Other where none is.
KernelKind kind_of(const NameWords& name);

/// Whether the name is one of CUDA's or PyTorch's own kernels, whose words mean what they say.
bool is_of_known_library(const NameWords& name);

}  // namespace ampprof::kernel_names
