// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::store {

/// Creates, together with kValuesOfStep1, a report of version 1 in an empty file: runs, calls, and their data.
/// docs/reference/schema.md explains the columns. schema_steps() replaces {error}, {ranges} and {inherited_error} by
/// the columns of statistics.
inline constexpr const char* kCallsOfStep1 = R"(
CREATE TABLE run (
  id            INTEGER PRIMARY KEY,
  level         TEXT    NOT NULL,            -- O0..O3; '' where the program decides
  program       TEXT    NOT NULL,            -- command line
  started_at    TEXT    NOT NULL,            -- ISO 8601, UTC
  reference     TEXT    NOT NULL,            -- fp32, fp64, off
  target_gpu    TEXT    NOT NULL,            -- sm_90
  seed          INTEGER,
  repeat        INTEGER NOT NULL,            -- 0 for the first
  what_if       TEXT    NOT NULL,            -- type that each op was judged in: fp16; '' for the run's own
  assume_scale  REAL,                        -- loss scale that the backward was judged at
  device        TEXT,                        -- NULL from here on: no recorder attached
  torch_version TEXT,
  settings_json TEXT,
  peak_bytes    INTEGER,                     -- NULL from here on: the recorder did not end cleanly
  wall_ns       INTEGER,
  overhead_ns   INTEGER,
  gpu_busy_ns   INTEGER,                     -- in which a GPU's streams did something; NULL: none was seen
  overhead_gpu_ns INTEGER,                   -- in which GPUs worked for ampprof alone
  rolled_up_to  INTEGER,                     -- call_chunk up to this id are in the totals; NULL: none is
  exit_code     INTEGER,                     -- 128 + signal where a signal ended it; NULL: still running, or unknown
  ampprof_version TEXT,                      -- that recorded it
  ampprof_commit  TEXT,                      -- NULL: the build knew none
  cuda_version  TEXT,                        -- that LibTorch was built with; NULL: none
  rank          INTEGER,                     -- NULL up to host: no launcher said
  world_size    INTEGER,
  local_rank    INTEGER,                     -- among the processes of one machine
  host          TEXT,
  check_ranks   INTEGER,                     -- parameters are checked in every Nth recorded step; NULL: in none
  flags         TEXT,                        -- of ampprof run, as a shell reads them; NULL: none
  folder        TEXT,                        -- that the program was started in; NULL: it recorded itself
  ended_ns      INTEGER                      -- since 1970, of its process; NULL: nobody saw it end
);
CREATE TABLE signature (
  run  INTEGER NOT NULL REFERENCES run(id),
  id   INTEGER NOT NULL,
  text TEXT    NOT NULL,                     -- f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE gpu_activity_name (
  run  INTEGER NOT NULL REFERENCES run(id),
  id   INTEGER NOT NULL,
  text TEXT    NOT NULL,                     -- a kernel's mangled name, memcpy host to device, memset
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE nvtx_range_name (
  run  INTEGER NOT NULL REFERENCES run(id),
  id   INTEGER NOT NULL,
  text TEXT    NOT NULL,                     -- as the program marked it; its domain and a colon before it
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE call_site (
  run     INTEGER NOT NULL REFERENCES run(id),
  id      INTEGER NOT NULL,
  phase   INTEGER NOT NULL,                  -- 0 forward, 1 backward, 2 optimizer, 3 inference, 4 recompute
  module  TEXT    NOT NULL,
  op      TEXT    NOT NULL,
  ordinal INTEGER NOT NULL,                  -- among calls of this op in this module and phase within one segment
  source  TEXT    NOT NULL,                  -- file:line
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE segment (
  run      INTEGER NOT NULL REFERENCES run(id),
  id       INTEGER NOT NULL,
  step     INTEGER NOT NULL,                 -- from 1; 0: of none
  position INTEGER NOT NULL,                 -- within its step, from 0
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER NOT NULL,
  overhead_ns INTEGER NOT NULL,              -- of that, spent by ampprof
  recorded INTEGER NOT NULL,
  skipped  INTEGER NOT NULL,                 -- an optimizer update was skipped
  updated  INTEGER NOT NULL,                 -- one was done
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE optimizer (
  run        INTEGER NOT NULL REFERENCES run(id),
  id         INTEGER NOT NULL,               -- from 1
  parameter  TEXT    NOT NULL,               -- one that it updates; '' without a name
  parameters INTEGER NOT NULL,               -- how many it was seen to update
  updates    INTEGER NOT NULL,               -- done
  skipped    INTEGER NOT NULL,
  PRIMARY KEY (run, id)
) WITHOUT ROWID;
CREATE TABLE call_chunk (
  run      INTEGER NOT NULL REFERENCES run(id),
  id       INTEGER NOT NULL,                 -- from 1, in the order of writing
  segment  INTEGER NOT NULL,
  count    INTEGER NOT NULL,                 -- of op calls
  start_ns INTEGER,                          -- of the first call; NULL up to tracks: there is none
  end_ns   INTEGER,                          -- of the last call to end
  tracks   BLOB,                             -- reports/records/tracks.h; before calls, so that their pages stay unread
  calls    BLOB,                             -- reports/records/call_codec.h
  casts    BLOB,
  activity_count    INTEGER NOT NULL,        -- kernels, memcpys and memsets
  activity_ns       INTEGER NOT NULL,        -- how long they took, added up
  activity_start_ns INTEGER,                 -- of the first; NULL up to activity_tracks: there is none
  activity_end_ns   INTEGER,                 -- of the last to end
  activity_tracks   BLOB,
  activities        BLOB,                    -- reports/records/activity_codec.h
  codec             INTEGER NOT NULL,        -- of calls, casts and activities: reports/records/chunk_codec.h
  PRIMARY KEY (run, id)
);
-- What a timeline and a plot over steps read, without the pages that lie between.
CREATE INDEX call_chunk_heads ON call_chunk (run, id, segment, count, start_ns, end_ns, tracks, activity_count,
  activity_ns, activity_start_ns, activity_end_ns, activity_tracks);
CREATE TABLE gpu_activity_total (
  run         INTEGER NOT NULL REFERENCES run(id),
  call_site   INTEGER NOT NULL,              -- 0: outside of any op call, or unknown
  position    INTEGER NOT NULL,
  name        INTEGER NOT NULL,
  kind        INTEGER NOT NULL,              -- 0 kernel, 1 memcpy, 2 memset
  count       INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  PRIMARY KEY (run, call_site, position, name, kind)
) WITHOUT ROWID;
CREATE TABLE nvtx_range (
  run      INTEGER NOT NULL REFERENCES run(id),
  thread   INTEGER NOT NULL,
  depth    INTEGER NOT NULL,                 -- ranges of this thread that it lies within
  name     INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER NOT NULL,                 -- start_ns for a mark
  length   INTEGER NOT NULL                  -- bits of end_ns - start_ns: 0 for a mark, 10 for 512 to 1023 ns
);
-- Ranges of one length that touch a span start in it, or at most that length before it.
CREATE INDEX nvtx_range_spans ON nvtx_range (run, length, start_ns, end_ns, thread, depth, name);
CREATE INDEX nvtx_range_depths ON nvtx_range (run, thread, depth);
CREATE TABLE op_total (
  run              INTEGER NOT NULL REFERENCES run(id),
  call_site        INTEGER NOT NULL,
  position         INTEGER NOT NULL,         -- of the segment in its step
  calls            INTEGER NOT NULL,
  duration_ns      INTEGER NOT NULL,
  cast_bytes       INTEGER NOT NULL,
  nonfinite_calls  INTEGER NOT NULL,         -- with a NaN or inf that is a failure
  expected_calls   INTEGER NOT NULL,         -- with one that is none
  scale            REAL,                     -- the last in force
  {error}                                    -- NULL: no local error
  {ranges}                                   -- NULL: no ranges
  exponents        BLOB,                     -- reports/records/exponents.h
  {inherited_error}                          -- NULL: no shadow
  inherited_exponents BLOB,
  PRIMARY KEY (run, call_site, position)
) WITHOUT ROWID;
CREATE TABLE op_variant (
  run       INTEGER NOT NULL REFERENCES run(id),
  call_site INTEGER NOT NULL,
  position  INTEGER NOT NULL,
  signature INTEGER NOT NULL,
  dtype_in  INTEGER NOT NULL,                -- reports/records/dtype.h
  dtype_out INTEGER NOT NULL,
  calls     INTEGER NOT NULL,
  PRIMARY KEY (run, call_site, position, signature, dtype_in, dtype_out)
) WITHOUT ROWID;
CREATE TABLE cast_total (
  run           INTEGER NOT NULL REFERENCES run(id),
  call_site     INTEGER NOT NULL,
  position      INTEGER NOT NULL,
  dtype_from    INTEGER NOT NULL,
  dtype_to      INTEGER NOT NULL,
  casts         INTEGER NOT NULL,
  cache_hits    INTEGER NOT NULL,            -- of those, nothing was written
  bytes         INTEGER NOT NULL,
  duration_ns   INTEGER NOT NULL,
  rounded_twice INTEGER NOT NULL,
  PRIMARY KEY (run, call_site, position, dtype_from, dtype_to)
) WITHOUT ROWID;
CREATE TABLE loss_impact (
  run       INTEGER NOT NULL REFERENCES run(id),
  segment   INTEGER NOT NULL,
  loss_id   INTEGER NOT NULL,
  source    INTEGER NOT NULL,                -- 0 op call, 1 parameter, 2 input, 3 before gradients, 4 decision
  call_site INTEGER NOT NULL,                -- 0 for a parameter
  name      TEXT    NOT NULL,                -- of the parameter
  impact    REAL,                            -- NULL: see gap
  gap       INTEGER NOT NULL,                -- 0 none, 1 gradient not finite, 2 scale unknown, 3 error not finite, 4 no master
  -- Expected squares of the impact: sums of (gradient times rounding)^2 over what was rounded of each kind.
  activation_square REAL,                    -- NULL: none was measured, as in the next two
  weight_square     REAL,
  output_square     REAL,
  gradient  INTEGER NOT NULL                 -- that was met: 0 the run's, 1 the shadow's, 2 their mean
);
CREATE INDEX loss_impact_by_run ON loss_impact (run);
CREATE TABLE drift (                         -- of tensors that outlive steps, against exact arithmetic
  run        INTEGER NOT NULL REFERENCES run(id),
  call_site  INTEGER NOT NULL,               -- of the writes that lost most
  role       INTEGER NOT NULL,               -- 1 unknown, 2 parameter, 3 its gradient, 4 written with either
  parameter  TEXT    NOT NULL,               -- '' without a name
  dtype      INTEGER NOT NULL,
  elements   INTEGER NOT NULL,
  sampled    INTEGER NOT NULL,               -- elements that were followed
  tensors    INTEGER NOT NULL,               -- that the row stands for; figures are of the worst
  segments   INTEGER NOT NULL,               -- in which it was written
  restarts   INTEGER NOT NULL,               -- it was written where nobody saw it, and followed anew
  verdict    INTEGER NOT NULL,               -- reports/records/drift.h
  drift      REAL    NOT NULL,               -- |D| / |W|: D = run - exact, W = exact - start
  relative   REAL    NOT NULL,               -- |D| / |exact|
  bias       REAL    NOT NULL,               -- <D, W> / <W, W>
  own        REAL    NOT NULL,               -- |sum of own errors| / |sum of updates|
  lost       REAL    NOT NULL,               -- share of elements whose updates are lost
  walk       REAL    NOT NULL,               -- |sum of own errors| / root of the sum of their squares
  growth     REAL,                           -- exponent of |D| over segments; NULL: too few
  ulps       REAL    NOT NULL,               -- |D| in half spacings of the type
  way        REAL    NOT NULL,               -- |W|
  way_of_run REAL    NOT NULL,
  effective  REAL,                           -- drift of a compensated tensor with what another keeps of it
  broken     INTEGER NOT NULL                -- elements that are not finite in the run alone
);
CREATE INDEX drift_by_run ON drift (run);
CREATE TABLE stale_cast (
  run           INTEGER NOT NULL REFERENCES run(id),
  segment       INTEGER NOT NULL,
  call_site     INTEGER NOT NULL,
  parameter     TEXT    NOT NULL,
  dtype         INTEGER NOT NULL,            -- of the copy
  cast_segment  INTEGER NOT NULL,            -- that the copy was made in
  elements      INTEGER NOT NULL,            -- of the copy
  differing     INTEGER NOT NULL,            -- of these, that a cast would have given otherwise
  sum_sq_change REAL    NOT NULL,            -- of (copy - cast), where both are finite
  sum_sq_cast   REAL    NOT NULL             -- of cast
);
CREATE INDEX stale_cast_by_run ON stale_cast (run);
CREATE TABLE weight_update (
  run            INTEGER NOT NULL REFERENCES run(id),
  segment        INTEGER NOT NULL,
  call_site      INTEGER NOT NULL,
  parameter      TEXT    NOT NULL,
  dtype          INTEGER NOT NULL,
  elements       INTEGER NOT NULL,           -- whose update is not zero
  lost           INTEGER,                    -- of those, the weight stayed; NULL without a reference
  below_half_ulp INTEGER NOT NULL,
  sum_ulp        REAL    NOT NULL            -- of |update| / ulp(weight)
);
CREATE INDEX weight_update_by_run ON weight_update (run);
)";

}  // namespace ampprof::store
