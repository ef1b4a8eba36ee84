// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/repeats.h"

namespace ampprof::probe {

/// Returns a function that times calls: on the CPU with its clock, on other devices between two events of the stream.
/// Before the first event the device is kept busy while the CPU launches the calls, so that the result is the device's
/// time and not the CPU's launch rate.
TimeCalls stopwatch_for(std::function<void()> call, c10::Device device);

}  // namespace ampprof::probe
