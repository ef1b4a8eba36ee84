// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/torch_hooks/fp32_precision.h"

namespace ampprof {

/// Sets the FP32 precision of a device type as a program does. Restores full precision in the destructor.
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
