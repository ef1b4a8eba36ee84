// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Dict.h>

#include <string>

#include "amp_core/levels/properties.h"

namespace apex {

using Words = c10::Dict<std::string, std::string>;

/// Returns the options of amp.initialize(). `words`: what str() returns for each value that the script passed, such as
/// "torch.float16", "True", "dynamic", "128.0". Throws amp::Error for a word that is invalid for its option.
amp::Options options_from(const Words& words);

}  // namespace apex
