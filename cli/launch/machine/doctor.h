// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

namespace ampprof::cli {

/// Fine; recording works with limits; recording cannot work.
enum class Health { Fine, Reduced, Broken };

/// One requirement of recording, or an option.
struct Check {
  std::string name;
  Health health = Health::Fine;
  std::string finding;
  std::string remedy;  ///< "" if there is nothing to do
};

/// Checks this machine and installation; `folder` is that of a future report.
std::vector<Check> check_everything(const Installation& installation, const std::filesystem::path& folder);

/// Returns the CUPTI library that the loader finds, "libcupti.so.13"; "" if it finds none.
std::string cupti_found();

}  // namespace ampprof::cli
