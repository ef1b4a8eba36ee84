// SPDX-License-Identifier: Apache-2.0
// Precompiled header of the command line: headers that most of its sources include. JSON alone takes 2 of 5.5 s of a
// source's compile time.
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
