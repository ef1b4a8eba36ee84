// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

namespace ampprof::cli {

/// Result of a check. `Reduced`: recording works with limits. `Broken`: recording cannot work.
enum class Health { Fine, Reduced, Broken };

/// A check of one required or optional part.
struct Check {
  std::string name;
  Health health = Health::Fine;
  std::string finding;
  std::string remedy;  ///< "" if there is nothing to do
};

/// Checks this machine and the installation. `folder` is where a report would be written.
std::vector<Check> check_everything(const Installation& installation, const std::filesystem::path& folder);

/// Returns the CUPTI library that the loader finds, "libcupti.so.13"; "" if it finds none.
std::string cupti_found();

}  // namespace ampprof::cli
