// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/driver.h"

#include <dlfcn.h>

namespace ampprof::profiler {

bool has_driver() { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr; }

}  // namespace ampprof::profiler
