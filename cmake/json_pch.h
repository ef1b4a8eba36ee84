// SPDX-License-Identifier: Apache-2.0
// Precompiled: what most sources of the command line include. JSON alone costs each 2 of 5.5 s.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>
