// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::store {

/// Creates the tables of a report of version 1 that kCallsOfStep1 does not create: losses, events, probes, ranks,
/// recipes.
inline constexpr const char* kValuesOfStep1 = R"(
CREATE TABLE sketch (
  run       INTEGER NOT NULL REFERENCES run(id),
  segment   INTEGER NOT NULL,
  call_site INTEGER NOT NULL,
  inputs    INTEGER NOT NULL,                -- checksum of the bits of all that the call received
  elements  INTEGER NOT NULL,                -- of all outputs
  nonfinite INTEGER NOT NULL,                -- of these, left out of the sums
  checksum  INTEGER NOT NULL,                -- of the bits of the outputs
  sum_sq    REAL    NOT NULL,
  sums      BLOB    NOT NULL                 -- reports/records/sketch.h
);
CREATE INDEX sketch_by_run ON sketch (run);
CREATE TABLE loss (
  run     INTEGER NOT NULL REFERENCES run(id),
  segment INTEGER NOT NULL,
  loss_id INTEGER NOT NULL,
  value   REAL    NOT NULL,
  shadow_value REAL,                         -- in high precision, or in the recipe of --what-if; NULL: no shadow, or not another
  is_shadow_decided INTEGER NOT NULL         -- decisions that differ from the run's are on the way to it
);
CREATE INDEX loss_by_run ON loss (run);
CREATE TABLE decision (                      -- of a call: integers computed of floating-point values
  run       INTEGER NOT NULL REFERENCES run(id),
  segment   INTEGER NOT NULL,
  call_site INTEGER NOT NULL,
  decisions INTEGER NOT NULL,
  differing INTEGER NOT NULL                 -- of these, in the step beside the run
);
CREATE INDEX decision_by_run ON decision (run);
CREATE TABLE scale_update (
  run          INTEGER NOT NULL REFERENCES run(id),
  segment      INTEGER NOT NULL,
  loss_id      INTEGER NOT NULL,
  scale_before REAL    NOT NULL,
  scale_after  REAL    NOT NULL,
  overflow     INTEGER NOT NULL,
  skipped      INTEGER NOT NULL
);
CREATE INDEX scale_update_by_run ON scale_update (run);
CREATE TABLE nonfinite_event (
  id                          INTEGER PRIMARY KEY,
  run                         INTEGER NOT NULL REFERENCES run(id),
  segment                     INTEGER NOT NULL,
  first_site                  INTEGER,          -- call site; NULL where unknown
  calls                       INTEGER NOT NULL,
  steps                       INTEGER NOT NULL, -- that it stands for
  micro_batch                 INTEGER,          -- backward pass of the segment, from 1; NULL: it began in none
  cause                       INTEGER NOT NULL, -- reports/records/event.h
  value                       REAL,             -- the largest that the result should have been
  fp32_holds                  INTEGER,          -- on the inputs of the call; NULL: nobody computed that
  shadow_holds                INTEGER,          -- on those of the step in exact arithmetic
  outcome                     INTEGER NOT NULL, -- reports/records/event.h
  reached                     TEXT    NOT NULL, -- parameter or statistic
  outcome_site                INTEGER,
  by_scaler                   INTEGER NOT NULL, -- 1: a loss scaler saw it; else the next four mean nothing
  loss_id                     INTEGER NOT NULL,
  scale_before                REAL    NOT NULL,
  scale_after                 REAL    NOT NULL,
  skipped                     INTEGER NOT NULL,
  largest_safe_scale          REAL,
  largest_safe_scale_is_bound INTEGER NOT NULL
);
CREATE INDEX nonfinite_event_by_run ON nonfinite_event (run);
CREATE TABLE nonfinite_parameter (
  event       INTEGER NOT NULL REFERENCES nonfinite_event(id),
  position    INTEGER NOT NULL,
  name        TEXT    NOT NULL,
  nan         INTEGER NOT NULL,
  inf         INTEGER NOT NULL,
  finite_amax REAL,
  PRIMARY KEY (event, position)
) WITHOUT ROWID;
CREATE TABLE nonfinite_chain (
  event     INTEGER NOT NULL REFERENCES nonfinite_event(id),
  position  INTEGER NOT NULL,
  call_site INTEGER NOT NULL,
  PRIMARY KEY (event, position)
) WITHOUT ROWID;
CREATE TABLE probe_time (
  run           INTEGER NOT NULL REFERENCES run(id),
  op            TEXT    NOT NULL,
  signature     TEXT    NOT NULL,
  dtype         INTEGER NOT NULL,            -- that the run computed it in
  timed_dtype   INTEGER NOT NULL,
  tf32          INTEGER NOT NULL,            -- FP32 was allowed to be TF32
  padded        INTEGER NOT NULL,
  sizes         TEXT    NOT NULL,            -- that were timed
  cudnn_benchmark INTEGER,                   -- NULL: no convolution
  median_ns     REAL    NOT NULL,            -- of one call
  spread_ns     REAL    NOT NULL,            -- between the quartiles of the repeats
  repeats       INTEGER NOT NULL,
  calls         INTEGER NOT NULL,            -- of each repeat
  sm_mhz_before INTEGER,
  sm_mhz_after  INTEGER,
  device        TEXT    NOT NULL             -- cpu, or the GPU's name
);
CREATE INDEX probe_time_by_run ON probe_time (run);
CREATE TABLE probe_algorithm (
  run             INTEGER NOT NULL REFERENCES run(id),
  op              TEXT    NOT NULL,
  signature       TEXT    NOT NULL,
  dtype           INTEGER NOT NULL,
  numerics        INTEGER,                   -- CUBLASLT_NUMERICAL_IMPL_FLAGS; NULL up to alignment_d: no answer
  algorithm       INTEGER,                   -- cublasLt's number
  tile            TEXT,
  stages          INTEGER,
  split_k         INTEGER,
  waves           REAL,
  workspace_bytes INTEGER,
  alignment_a     INTEGER,                   -- bytes
  alignment_b     INTEGER,
  alignment_c     INTEGER,
  alignment_d     INTEGER,
  failure         TEXT    NOT NULL,          -- why there is no answer
  library_version INTEGER NOT NULL,
  device          TEXT    NOT NULL,
  PRIMARY KEY (run, op, signature, dtype)
) WITHOUT ROWID;
CREATE TABLE missing (
  run    INTEGER NOT NULL REFERENCES run(id),
  what   TEXT    NOT NULL,
  cause  TEXT    NOT NULL,
  count  INTEGER NOT NULL,
  remedy TEXT    NOT NULL,
  PRIMARY KEY (run, what, cause)
) WITHOUT ROWID;
CREATE TABLE parameter_checksum (
  run       INTEGER NOT NULL REFERENCES run(id),
  segment   INTEGER NOT NULL,
  parameter TEXT    NOT NULL,
  checksum  INTEGER NOT NULL,                -- of its bits, after the update
  PRIMARY KEY (run, segment, parameter)
) WITHOUT ROWID;
CREATE TABLE collective (
  run        INTEGER NOT NULL REFERENCES run(id),
  segment    INTEGER NOT NULL,
  call_site  INTEGER NOT NULL,
  group_name TEXT    NOT NULL,               -- '' where it has none
  group_size INTEGER NOT NULL,               -- ranks; 0 where unknown
  reduction  TEXT    NOT NULL,               -- sum, avg, max ...; '' of one that reduces nothing
  dtype      INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,               -- that it takes or gives, whichever is more
  start_ns   INTEGER NOT NULL,
  end_ns     INTEGER,                        -- it was done; NULL where nobody told, and on a GPU
  PRIMARY KEY (run, segment, call_site)
) WITHOUT ROWID;
CREATE TABLE collective_sketch (
  run       INTEGER NOT NULL REFERENCES run(id),
  segment   INTEGER NOT NULL,
  call_site INTEGER NOT NULL,
  is_result INTEGER NOT NULL,                -- 0: what the rank put in
  elements  INTEGER NOT NULL,
  nonfinite INTEGER NOT NULL,                -- of these, left out of the sums
  sum_sq    REAL    NOT NULL,
  sums      BLOB    NOT NULL,                -- reports/records/sketch.h
  PRIMARY KEY (run, segment, call_site, is_result)
) WITHOUT ROWID;
CREATE TABLE trial (                         -- a run of ampprof search that has ended
  run    INTEGER NOT NULL REFERENCES run(id),
  policy TEXT    NOT NULL,                   -- the text of its policy file
  metric TEXT    NOT NULL,
  value  REAL,                               -- NULL: it failed, or was stopped since it was past hope
  PRIMARY KEY (run)
) WITHOUT ROWID;
CREATE TABLE confirmation (                  -- a remedy that ampprof advise --confirm tried
  run      INTEGER NOT NULL REFERENCES run(id), -- that the finding is of
  kind     TEXT    NOT NULL,                 -- of the finding
  remedy   TEXT    NOT NULL,                 -- a policy line, or a word of ampprof run --remedy
  helped   INTEGER NOT NULL,                 -- 1: the finding was gone
  outcome  TEXT    NOT NULL,                 -- a sentence that compares the runs
  explains TEXT    NOT NULL,                 -- kinds of other findings that were gone, too: a,b
  PRIMARY KEY (run, kind, remedy)
) WITHOUT ROWID;
CREATE TABLE gradient_impact (               -- of a call site of backward (source 0), or of all forward errors (1)
  run INTEGER NOT NULL REFERENCES run(id), segment INTEGER NOT NULL, source INTEGER NOT NULL,
  call_site       INTEGER NOT NULL,          -- 0 where the source is no op call
  matmul          INTEGER NOT NULL,          -- that a recipe rounds in the call: 2 dgrad, 3 wgrad; 0: none
  impact          REAL,                      -- added to the decrease of the loss by the update, to first order
  square          REAL,                      -- expected, its roundings being independent
  gap             INTEGER NOT NULL,          -- GradientImpactGap: why there is no impact
  no_cotangents   INTEGER NOT NULL,          -- outputs that are a part of a node's work, not counted in it
  is_ranking_only INTEGER NOT NULL,
  PRIMARY KEY (run, segment, source, call_site, matmul)
) WITHOUT ROWID;
CREATE TABLE step_decrease (                 -- of the loss of one segment's batches by its update, in high precision
  run INTEGER NOT NULL REFERENCES run(id), segment INTEGER NOT NULL,
  loss_before REAL NOT NULL, loss_after REAL NOT NULL,
  PRIMARY KEY (run, segment)
) WITHOUT ROWID;
CREATE TABLE gradient_error (                -- of a parameter's gradient, against forward and backward in high precision
  run INTEGER NOT NULL REFERENCES run(id), segment INTEGER NOT NULL, parameter TEXT NOT NULL,
  elements INTEGER NOT NULL, flushed INTEGER NOT NULL,  -- of these, 0 in the run alone
  sum_sq_error REAL NOT NULL, sum_sq_reference REAL NOT NULL, sum_sq_run REAL NOT NULL, product REAL NOT NULL,
  sum_sq_change REAL,                        -- of the reference, since the segment before that has a row; NULL: none
  PRIMARY KEY (run, segment, parameter)
) WITHOUT ROWID;
CREATE TABLE recipe_matmul (                 -- a matmul of a forward call site, as a recipe would compute it
  run INTEGER NOT NULL REFERENCES run(id), segment INTEGER NOT NULL, recipe TEXT NOT NULL,
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
  PRIMARY KEY (run, segment, recipe, call_site, matmul, computed_by)
) WITHOUT ROWID;
)";

}  // namespace ampprof::store
