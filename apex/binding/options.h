// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Dict.h>

#include <string>

#include "amp_core/levels/properties.h"

namespace apex {

using Words = c10::Dict<std::string, std::string>;

/// Returns options of amp.initialize() from what a script wrote, as the words that str() makes of it: "torch.float16",
/// "True", "dynamic", "128.0". Throws amp::Error for a word that the option cannot have.
amp::Options options_from(const Words& words);

}  // namespace apex
