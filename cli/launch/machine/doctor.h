// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/launch/program/installation.h"

namespace ampprof::cli {

/// Fine; recording works, but without something; recording cannot work.
enum class Health { Fine, Reduced, Broken };

/// One thing that recording needs or profits from.
struct Check {
  std::string name;
  Health health = Health::Fine;
  std::string finding;
  std::string remedy;  ///< "" where there is nothing to do
};

/// Looks at this machine and installation; `folder` is where a report would be written.
std::vector<Check> check_everything(const Installation& installation, const std::filesystem::path& folder);

/// The CUPTI library that the loader finds, "libcupti.so.13"; "" if it finds none.
std::string cupti_found();

}  // namespace ampprof::cli
