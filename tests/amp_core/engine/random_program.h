// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <random>
#include <vector>

namespace amp::random_programs {

/// One backward pass of a program.
struct Pass {
  int loss = 0;
  std::vector<int> models;      ///< that its loss goes through, not empty
  bool delays_check = false;    ///< delay_overflow_check
  bool delays_unscale = false;  ///< micro-batch of an accumulation: the next pass that does not, unscales
  int poisoned_model = -1;      ///< gets a non-finite gradient; -1: none
  bool poison_is_nan = false;   ///< or infinite
  bool throws = false;          ///< the callback throws after its backward: the pass never happened
  std::vector<float> input{1, 1, 1};

  bool operator==(const Pass&) const = default;
};

/// Gradients are zeroed, passes run, some optimizers step.
struct Iteration {
  bool zeroes_to_none = true;
  std::vector<Pass> passes;
  std::vector<bool> steps;       ///< which optimizers step
  bool restarts_before = false;  ///< from a checkpoint, with new models and optimizers

  bool operator==(const Iteration&) const = default;
};

/// A training program made of small exact numbers: the same in FP16, FP32 and unscaled.
struct Program {
  const char* level = "O0";
  std::vector<int> optimizer_of_model;  ///< by model, from 0
  int losses = 1;
  bool is_dynamic = true;
  double scale = 4;  ///< the first one; a power of two
  double max_scale = 64;
  int growth_interval = 2;
  int hysteresis = 1;
  bool has_momentum = false;
  std::vector<Iteration> iterations;

  int optimizer_count() const;
  bool operator==(const Program&) const = default;
};

Program make_program(std::uint32_t seed);

/// Programs that are one thing shorter or plainer: what is left of a failing one when none of these fails is its cause.
std::vector<Program> simpler(const Program& program);

std::ostream& operator<<(std::ostream& out, const Program& program);

}  // namespace amp::random_programs
