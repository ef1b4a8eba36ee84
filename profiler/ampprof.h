// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Functions by which a program tells ampprof where steps end and which loss scale it applies. Header only, nothing to
/// link. They do nothing if the program does not run under ampprof.

extern "C" void ampprof_step_ended() __attribute__((weak));
extern "C" void ampprof_loss_scale(double scale) __attribute__((weak));

namespace ampprof {

/// Marks the end of a training step. After the first call, ampprof does not guess where steps end.
inline void step() {
  if (ampprof_step_ended != nullptr) ampprof_step_ended();
}

/// Announces that from now on the program multiplies its losses by `scale`. ampprof divides loss impacts by `scale`.
inline void loss_scale(double scale) {
  if (ampprof_loss_scale != nullptr) ampprof_loss_scale(scale);
}

}  // namespace ampprof
