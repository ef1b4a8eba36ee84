// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace amp {

/// Apex's O1 lists as a cast list (cast_list.h). The Python names in Apex are mapped to the dispatcher's operators.
extern const std::string_view kApexList;

}  // namespace amp
