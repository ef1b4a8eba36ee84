// SPDX-License-Identifier: Apache-2.0
// Precompiled header of targets with a source that includes <torch/torch.h>. Takes the compiler twice as long per file
// as torch_pch.h.
#pragma once

#include <torch/torch.h>

#include "cmake/torch_pch.h"
