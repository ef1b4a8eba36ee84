// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/torch_hooks/fp32_precision.h"

namespace ampprof {

/// What a kind of device computes FP32 in, as a program sets it, while it lives.
class Fp32Setting {
 public:
  Fp32Setting(c10::DeviceType device, torch_hooks::Fp32Op op, torch_hooks::Fp32Precision precision)
      : device_(device), op_(op) {
    torch_hooks::set_fp32_precision(device, op, precision);
  }
  ~Fp32Setting() { torch_hooks::set_fp32_precision(device_, op_, torch_hooks::Fp32Precision::Full); }
  Fp32Setting(const Fp32Setting&) = delete;
  Fp32Setting& operator=(const Fp32Setting&) = delete;

 private:
  c10::DeviceType device_;
  torch_hooks::Fp32Op op_;
};

}  // namespace ampprof
