// SPDX-License-Identifier: Apache-2.0
// Precompiled header of targets that include LibTorch but not <torch/torch.h>.
#pragma once

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/function.h>
#include <torch/cuda.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/serialize.h>
#include <torch/types.h>
#include <torch/utils.h>
