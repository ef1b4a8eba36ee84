// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/records/bytes.h"
#include "reports/records/gradient_impact.h"

namespace ampprof::store {

/// The SQL of one step of schema_steps.cpp, which is too long for that file: all-reduces, search, gradients, recipes.
inline constexpr const char* kStepTo12 = R"(
CREATE TABLE collective_sketch (
  run       INTEGER NOT NULL REFERENCES run(id),
  substep   INTEGER NOT NULL,
  call_site INTEGER NOT NULL,
  is_result INTEGER NOT NULL,                -- 0: what the rank put in
  elements  INTEGER NOT NULL,
  nonfinite INTEGER NOT NULL,                -- of these, left out of the sums
  sum_sq    REAL    NOT NULL,
  sums      BLOB    NOT NULL,                -- reports/records/sketch.h
  PRIMARY KEY (run, substep, call_site, is_result)
) WITHOUT ROWID;
CREATE TABLE trial (                         -- a run of ampprof search that has ended
  run    INTEGER NOT NULL REFERENCES run(id),
  policy TEXT    NOT NULL,                   -- the text of its policy file
  metric TEXT    NOT NULL,
  value  REAL,                               -- NULL: it failed, or was stopped since it was past hope
  PRIMARY KEY (run)
) WITHOUT ROWID;
CREATE TABLE gradient_impact (               -- of a call site of backward (source 0), or of all forward errors (1)
  run INTEGER NOT NULL REFERENCES run(id), substep INTEGER NOT NULL, source INTEGER NOT NULL,
  call_site       INTEGER NOT NULL,          -- 0 where the source is no op call
  matmul          INTEGER NOT NULL,          -- that a recipe rounds in the call: 2 dgrad, 3 wgrad; 0: none
  impact          REAL,                      -- added to the decrease of the loss by the update, to first order
  square          REAL,                      -- expected, its roundings being independent
  gap             INTEGER NOT NULL,          -- GradientImpactGap: why there is no impact
  no_cotangents   INTEGER NOT NULL,          -- outputs that are a part of a node's work, not counted in it
  is_ranking_only INTEGER NOT NULL,
  PRIMARY KEY (run, substep, source, call_site, matmul)
) WITHOUT ROWID;
CREATE TABLE step_decrease (                 -- of the loss of one substep's batches by its update, in high precision
  run INTEGER NOT NULL REFERENCES run(id), substep INTEGER NOT NULL,
  loss_before REAL NOT NULL, loss_after REAL NOT NULL,
  PRIMARY KEY (run, substep)
) WITHOUT ROWID;
CREATE TABLE gradient_error (                -- of a parameter's gradient, against forward and backward in high precision
  run INTEGER NOT NULL REFERENCES run(id), substep INTEGER NOT NULL, parameter TEXT NOT NULL,
  elements INTEGER NOT NULL, flushed INTEGER NOT NULL,  -- of these, 0 in the run alone
  sum_sq_error REAL NOT NULL, sum_sq_reference REAL NOT NULL, sum_sq_run REAL NOT NULL, product REAL NOT NULL,
  sum_sq_change REAL,                        -- of the reference, since the substep before that has a row; NULL: none
  PRIMARY KEY (run, substep, parameter)
) WITHOUT ROWID;
CREATE TABLE recipe_matmul (                 -- a matmul of a forward call site, as a recipe would compute it
  run INTEGER NOT NULL REFERENCES run(id), substep INTEGER NOT NULL, recipe TEXT NOT NULL,
  call_site    INTEGER NOT NULL,             -- of the forward call
  matmul       INTEGER NOT NULL,             -- 1 fprop, 2 dgrad, 3 wgrad
  computed_by  INTEGER NOT NULL,             -- call site: of dgrad and wgrad a backward one
  is_quantized INTEGER NOT NULL, has_hardware INTEGER NOT NULL,
  reason       TEXT    NOT NULL,             -- a sentence where either is 0
  weight_rows INTEGER NOT NULL, weight_columns INTEGER NOT NULL, leading INTEGER NOT NULL, groups INTEGER NOT NULL,
  calls        INTEGER NOT NULL,
  -- What the operands lose: first the input (of dgrad the output's gradient), then the weight (of wgrad that gradient).
  first_count INTEGER NOT NULL, first_nonfinite INTEGER NOT NULL, first_flushed INTEGER NOT NULL,
  first_saturated INTEGER NOT NULL, first_amax REAL NOT NULL, first_sum_sq REAL NOT NULL, first_sum_sq_error REAL NOT NULL,
  second_count INTEGER NOT NULL, second_nonfinite INTEGER NOT NULL, second_flushed INTEGER NOT NULL,
  second_saturated INTEGER NOT NULL, second_amax REAL NOT NULL, second_sum_sq REAL NOT NULL, second_sum_sq_error REAL NOT NULL,
  sum_sq_error REAL NOT NULL,                -- of the product less that of the exact operands
  sum_sq_exact REAL NOT NULL,
  PRIMARY KEY (run, substep, recipe, call_site, matmul, computed_by)
) WITHOUT ROWID;
-- Of the change of the loss, expected: the sum of (gradient times rounding)^2 over what was rounded of each kind.
ALTER TABLE loss_impact ADD COLUMN activation_square REAL;  -- NULL: none was measured, as in the next two
ALTER TABLE loss_impact ADD COLUMN weight_square REAL;
ALTER TABLE loss_impact ADD COLUMN output_square REAL;
ALTER TABLE loss ADD COLUMN shadow_value REAL;               -- in high precision, or in the recipe of --what-if; NULL: no shadow, or not another
ALTER TABLE loss_impact ADD COLUMN gradient INTEGER NOT NULL DEFAULT 0;  -- that was met: 0 the run's, 1 the shadow's, 2 their mean
)";

}  // namespace ampprof::store
