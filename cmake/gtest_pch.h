// SPDX-License-Identifier: Apache-2.0
// Precompiled header of tests without LibTorch and Qt: headers that most of them include. GoogleTest alone takes a
// third of a test's compile time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>
