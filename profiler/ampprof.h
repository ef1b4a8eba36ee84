// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions by which a program tells ampprof something. Header only, nothing to link: without ampprof they do nothing.

extern "C" void ampprof_step_ended() __attribute__((weak));
extern "C" void ampprof_loss_scale(double scale) __attribute__((weak));

namespace ampprof {

/// Says that a step ends here. Once a program says so, ampprof no longer guesses where steps end.
inline void step() {
  if (ampprof_step_ended != nullptr) ampprof_step_ended();
}

/// Says that the program multiplies its losses by `scale` itself from here on: loss impacts are divided by it.
inline void loss_scale(double scale) {
  if (ampprof_loss_scale != nullptr) ampprof_loss_scale(scale);
}

}  // namespace ampprof
