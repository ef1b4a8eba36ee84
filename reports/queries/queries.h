// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/queries/calls.h"
#include "reports/queries/casts.h"
#include "reports/queries/events.h"
#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/nvtx_ranges.h"
#include "reports/queries/ops.h"
#include "reports/queries/probes.h"
#include "reports/queries/ranks.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/spans.h"
#include "reports/queries/updates.h"

/// All that views ask of a report.
