// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace samples {

/// Returns the content of a gzip-compressed file of `data/`, which is installed beside the program. Throws
/// std::runtime_error with a sentence.
std::string read_data_file(const std::string& name);

}  // namespace samples
