// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/modules/fused_norms.h"
