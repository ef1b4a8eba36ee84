// SPDX-License-Identifier: Apache-2.0
// The precompiled header of what includes <torch/torch.h>: twice as much for the compiler in each file.
#pragma once

#include <torch/torch.h>

#include "cmake/torch_pch.h"
