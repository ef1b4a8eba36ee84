// SPDX-License-Identifier: Apache-2.0
// The precompiled header of everything that includes LibTorch: 25 s a file without it.
#pragma once

#include <torch/torch.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/function.h>
#include <torch/library.h>
