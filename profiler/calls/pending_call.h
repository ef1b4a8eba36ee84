// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "precision/tensors/call_sketch.h"
#include "precision/tensors/weight_change.h"
#include "profiler/calls/call_statistics.h"
#include "reports/records/op_call.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// Tells of the values that a call took what the search for the origin of NaN and inf asks.
struct TakenValues {
  bool all_finite = true;
  bool minus_infinity = false;
  std::vector<const void*> memory = {};  ///< where those lie that are not finite (ReceivedMemory::Memory)
};

/// The tensors that a call took and gave. Weak: what the program drops is gone. A weak reference also
/// keeps the address from being given to another tensor.
struct TensorsOfCall {
  std::vector<WeakTensor> inputs;
  std::vector<WeakTensor> outputs;
  bool takes_minus_infinity = false;  ///< as a number among its arguments
  std::int64_t gradient = 0;          ///< NonfiniteTrace::place_of_call(), of a call of backward
  bool is_view = false;               ///< its result computes nothing: what is in it was there before
};

/// Tells what an optimizer's call did to a weight, with figures that come later.
struct PendingUpdate {
  WeightUpdate row;
  tensors::LateChange change;
};

/// Tells what an update left in a parameter, with a checksum that comes later.
struct PendingChecksum {
  ParameterChecksum row;
  tensors::LateSketch bits;
};

/// Parameters of which checksums were asked for.
struct CheckedParameters {
  std::vector<PendingChecksum> pending;  ///< still on a device
  std::set<std::string> left_out;        ///< those that `missing` counts already
};

/// A call whose figures were on a device when it ended. It is recorded at the end of its step.
struct PendingCall {
  OpCall record;
  Phase phase;
  CallStatistics local;
  CallStatistics inherited;
  std::vector<CallStatistics> further;
  TensorsOfCall tensors;
  std::vector<PendingUpdate> updates;
  tensors::CallSketch sketch;  ///< empty where none is to come
};

}  // namespace ampprof::profiler
