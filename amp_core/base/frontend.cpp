// SPDX-License-Identifier: Apache-2.0
#include "amp_core/base/frontend.h"

#include <iostream>

namespace amp {
namespace {

Frontend g_frontend{.print = [](const std::string& line) { std::cout << line << std::endl; },
                    .reword = [](std::string sentence) { return sentence; }};

}  // namespace

void use_frontend(const Frontend& frontend) { g_frontend = frontend; }

const Frontend& frontend() { return g_frontend; }

}  // namespace amp
