// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <functional>

#include "precision/probe/repeats.h"

namespace ampprof::probe {

/// Times calls on the CPU by its clock, elsewhere between two events of the device's stream. There the device is kept
/// busy first for as long as the CPU takes to launch the calls, so that what is measured is the device and not how fast
/// the CPU launches.
TimeCalls stopwatch_for(std::function<void()> call, c10::Device device);

}  // namespace ampprof::probe
