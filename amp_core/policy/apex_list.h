// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace amp {

/// Apex's O1 lists as a cast list (cast_list.h). Its Python names are mapped to the dispatcher's operators.
extern const std::string_view kApexList;

}  // namespace amp
