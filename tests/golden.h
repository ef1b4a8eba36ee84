// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::test_support {

/// Compares with the golden file <name> beside the test (AMPPROF_GOLDEN_FOLDER). To accept the new text, set
/// AMPPROF_UPDATE_GOLDEN=1, then read the diff.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = AMPPROF_GOLDEN_FOLDER "/" + name;
  if (std::getenv("AMPPROF_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(text, bytes_of(path)) << "differs from " << path;
}

}  // namespace ampprof::test_support
