// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Context.h>

namespace ampprof {

/// How a backend computes FP32, as a program sets it, while it lives.
class Fp32Setting {
 public:
  Fp32Setting(at::Float32Backend backend, at::Float32Op op, at::Float32Precision precision)
      : backend_(backend), op_(op) {
    at::globalContext().setFloat32Precision(backend, op, precision);
  }
  ~Fp32Setting() { at::globalContext().setFloat32Precision(backend_, op_, at::Float32Precision::NONE); }
  Fp32Setting(const Fp32Setting&) = delete;
  Fp32Setting& operator=(const Fp32Setting&) = delete;

 private:
  at::Float32Backend backend_;
  at::Float32Op op_;
};

}  // namespace ampprof
