// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Optimizers whose step is a few kernel calls for all parameters, on CPU and CUDA.
#include "amp_core/optimizers/found_inf.h"
#include "amp_core/optimizers/fused_adagrad.h"
#include "amp_core/optimizers/fused_adam.h"
#include "amp_core/optimizers/fused_lamb.h"
#include "amp_core/optimizers/fused_novograd.h"
#include "amp_core/optimizers/fused_sgd.h"
#include "amp_core/optimizers/larc.h"
