// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "amp_core/levels/properties.h"

namespace samples {

/// Arguments that every sample accepts. A sample sets its defaults before it parses.
struct Arguments {
  std::string opt_level = "O1";
  std::string type = "";  ///< type that O1 to O3 compute in, such as "bf16"; "" for the level's default
  std::int64_t epochs = 1;
  std::int64_t batch_size = 64;
  std::int64_t steps = 0;  ///< stop after this many steps, whatever the number of epochs; 0: after `epochs`
  std::uint64_t seed = 1;
  int threads = 0;                ///< number of CPU threads; 0: LibTorch's choice
  std::int64_t poison_step = 0;   ///< the step, from 1, whose input is scaled by 2^17; 0: none
  std::int64_t truth_step = 0;    ///< the step whose loss is printed in FP64 and FP32 too; 0: none
  std::string save = "";          ///< file for weights, buffers and RNG state; "" for none
  std::string save_weights = "";  ///< file for the weights alone; "" for none
  std::string hold_weights = "";  ///< file of `--save-weights`, whose weights are used and never updated; "" to train
  bool dither_weights = false;    ///< change held weights in each step by up to 2^-8, so that each rounds differently
  std::string device = "auto";    ///< cpu, cuda, or auto: cuda if there is a GPU
  bool deterministic = false;     ///< use only kernels that give the same bits each time
  bool no_amp = false;            ///< train without amp_core
  bool count_steps = false;       ///< print the number of steps and end

  std::int64_t steps_for(std::int64_t examples) const;
};

/// Returns the options of amp::initialize() from the arguments.
amp::Options amp_options(const Arguments& arguments);

/// A switch of one sample: `*value` becomes true if it is given.
struct Flag {
  const char* name;
  const char* about;
  bool* value;
};

/// Parses the command line, or prints help or an error and ends the program.
Arguments parse(int argc, char** argv, const std::string& about, Arguments defaults,
                const std::vector<Flag>& flags = {});

}  // namespace samples
