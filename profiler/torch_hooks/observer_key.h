// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DispatchKey.h>

namespace ampprof::profiler {

/// Dispatch key of the observer. It is above autocast and autograd, so the observer sees each op as the user called it.
inline constexpr c10::DispatchKey kObserverKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

}  // namespace ampprof::profiler
