// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/repeats.h"

namespace ampprof::probe {

/// Times calls on the CPU by its clock, on other devices between two events of the stream. A device is kept busy
/// beforehand for as long as the CPU takes to launch the calls. So the result is the device's time, not the CPU's
/// launch rate.
TimeCalls stopwatch_for(std::function<void()> call, c10::Device device);

}  // namespace ampprof::probe
