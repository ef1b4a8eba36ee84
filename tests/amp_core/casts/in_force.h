// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "amp_core/casts/casts.h"

namespace amp {

/// Enables a policy's casts on this thread until it is destroyed.
struct InForce {
  explicit InForce(const std::string& policy = "") { enable_casts_on_this_thread(parse_policy(policy, "test")); }
  ~InForce() { disable_casts_on_this_thread(); }
  InForce(const InForce&) = delete;
  InForce& operator=(const InForce&) = delete;
};

}  // namespace amp
