// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/parallel/convert_sync_batch_norm.h"
#include "amp_core/parallel/distributed_data_parallel.h"
#include "amp_core/parallel/process_group.h"
#include "amp_core/parallel/reducer.h"
#include "amp_core/parallel/sync_batch_norm.h"
