// SPDX-License-Identifier: Apache-2.0
#include "samples/common/arguments.h"

#include <CLI/CLI.hpp>

#include "amp_core/levels/forced_type.h"

namespace samples {

std::int64_t Arguments::steps_for(std::int64_t examples) const {
  return steps > 0 ? steps : epochs * (examples / batch_size);
}

amp::Options amp_options(const Arguments& arguments) {
  const amp::Options options{.opt_level = arguments.opt_level};
  const auto type = amp::reduced_type_named(arguments.type);
  return type ? amp::with_reduced_type(options, options.opt_level, *type) : options;
}

Arguments parse(int argc, char** argv, const std::string& about, Arguments defaults, const std::vector<Flag>& flags) {
  Arguments arguments = std::move(defaults);
  CLI::App app(about);
  app.add_option("--opt-level", arguments.opt_level, "use this opt level; O0 is FP32")->capture_default_str();
  app.add_option("--type", arguments.type, "use this reduced type at O1 to O3")
      ->check(CLI::IsMember(amp::reduced_type_names()));
  app.add_option("--epochs", arguments.epochs)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--batch-size", arguments.batch_size)->check(CLI::Range(1, 4000))->capture_default_str();
  app.add_option("--steps", arguments.steps, "stop after this many steps")->check(CLI::NonNegativeNumber);
  app.add_option("--seed", arguments.seed)->capture_default_str();
  app.add_option("--threads", arguments.threads, "use this many threads in CPU kernels")->check(CLI::NonNegativeNumber);
  app.add_option("--poison-step", arguments.poison_step, "multiply the input of this step (counted from 1) by 2^17");
  app.add_option("--truth-step", arguments.truth_step,
                 "print the loss of this step (counted from 1) in FP64 and FP32, too");
  app.add_option("--save", arguments.save, "write weights, buffers and RNG state to this file at the end");
  app.add_option("--save-weights", arguments.save_weights, "write the weights alone to this file at the end");
  app.add_option("--hold-weights", arguments.hold_weights, "load the weights from this file, and do not update them");
  app.add_flag("--dither-weights", arguments.dither_weights, "change the weights at random in each step, by up to 2^-8")
      ->needs("--hold-weights");
  app.add_option("--device", arguments.device, "cpu, cuda or auto")->check(CLI::IsMember({"cpu", "cuda", "auto"}));
  app.add_flag("--deterministic", arguments.deterministic, "use only deterministic kernels");
  app.add_flag("--no-amp", arguments.no_amp, "train without amp_core");
  app.add_flag("--count-steps", arguments.count_steps, "print the number of steps and end");
  for (const Flag& flag : flags) app.add_flag(flag.name, *flag.value, flag.about);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return arguments;
}

}  // namespace samples
