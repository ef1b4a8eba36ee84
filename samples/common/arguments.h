// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "amp_core/levels/properties.h"

namespace samples {

/// Arguments that every sample understands. A sample sets its defaults before it parses.
struct Arguments {
  std::string opt_level = "O1";
  std::string type = "";  ///< that O1 to O3 compute in, "bf16" say; "" for the level's own
  std::int64_t epochs = 1;
  std::int64_t batch_size = 64;
  std::int64_t steps = 0;  ///< stop after so many steps, over as many epochs as that takes; 0: after `epochs`
  std::uint64_t seed = 1;
  int threads = 0;                ///< 0: LibTorch's choice
  std::int64_t poison_step = 0;   ///< the step, from 1, whose input is scaled by 2^17; 0: none
  std::int64_t truth_step = 0;    ///< the step whose loss is printed in FP64 and FP32 too; 0: none
  std::string save = "";          ///< file for weights, buffers and RNG state; "" for none
  std::string save_weights = "";  ///< file for the weights alone; "" for none
  std::string hold_weights = "";  ///< file of such weights, which stay as they are; "" to train
  bool dither_weights = false;    ///< each step moves those by less than a spacing of BF16, and rounds them otherwise
  std::string device = "auto";    ///< cpu, cuda, or whichever is there
  bool deterministic = false;     ///< only kernels that give the same bits each time
  bool no_amp = false;            ///< train as if amp_core did not exist
  bool count_steps = false;       ///< print the number of steps and end

  std::int64_t steps_for(std::int64_t examples) const;
};

/// Returns what the arguments ask of amp::initialize().
amp::Options amp_options(const Arguments& arguments);

/// A switch of one sample alone: `*value` becomes true where it is given.
struct Flag {
  const char* name;
  const char* about;
  bool* value;
};

/// Parses the command line, or prints help or an error and ends the program.
Arguments parse(int argc, char** argv, const std::string& about, Arguments defaults,
                const std::vector<Flag>& flags = {});

}  // namespace samples
