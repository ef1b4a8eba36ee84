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
  std::vector<int> models;      ///< models that the loss depends on; at least one
  bool delays_check = false;    ///< the option delay_overflow_check
  bool delays_unscale = false;  ///< a micro-batch: the next pass without this flag unscales
  int poisoned_model = -1;      ///< model with a gradient that is not finite; -1 if there is none
  bool poison_is_nan = false;   ///< the gradient is NaN, otherwise infinite
  bool throws = false;          ///< the callback throws after backward, so the engine ignores the pass
  std::vector<float> input{1, 1, 1};

  bool operator==(const Pass&) const = default;
};

/// One iteration of a training loop: zeroes gradients, runs passes, and steps some optimizers.
struct Iteration {
  bool zeroes_to_none = true;
  std::vector<Pass> passes;
  std::vector<bool> steps;       ///< which optimizers step
  bool restarts_before = false;  ///< resumes from a checkpoint, with new models and optimizers

  bool operator==(const Iteration&) const = default;
};

/// A training program with small exact numbers: FP16 with a loss scale and unscaled FP32 give the same results.
struct Program {
  const char* level = "O0";
  std::vector<int> optimizer_of_model;  ///< indexed by model
  int losses = 1;
  bool is_dynamic = true;
  double scale = 4;  ///< initial scale; a power of two
  double max_scale = 64;
  int growth_interval = 2;
  int hysteresis = 1;
  bool has_momentum = false;
  std::vector<Iteration> iterations;

  int optimizer_count() const;
  bool operator==(const Program&) const = default;
};

Program make_program(std::uint32_t seed);

/// Returns copies of a program, each with another part removed or simplified. If the program fails and none of the
/// copies does, all its parts contribute to the failure.
std::vector<Program> simpler(const Program& program);

std::ostream& operator<<(std::ostream& out, const Program& program);

}  // namespace amp::random_programs
