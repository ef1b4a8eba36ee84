// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/store/op_tables.h"
#include "reports/store/recipe_table.h"
#include "reports/store/run_tables.h"
#include "reports/store/training_tables.h"

/// The tables of a report, each declared once. The schema steps create the tables; a test compares steps and
/// declarations.
