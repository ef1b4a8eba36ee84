// SPDX-License-Identifier: Apache-2.0
#include "reports/store/writer.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <vector>

#include "reports/records/time_span.h"
#include "reports/store/chunk.h"
#include "reports/store/probe_rows.h"
#include "reports/store/report_error.h"
#include "reports/store/rollup.h"
#include "reports/store/schema.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

constexpr int kFoldTimeoutMs = 2'000;

constexpr const char* kInsertRun =
    "INSERT INTO run (level, program, started_at, reference, target_gpu, seed, repeat, what_if, assume_scale) "
    "VALUES (?,?,?,?,?,?,?,?,?) RETURNING id";
constexpr const char* kAttach =
    "UPDATE run SET device = ?, torch_version = ?, settings_json = ?, level = coalesce(nullif(?, ''), level) "
    "WHERE id = ?";
constexpr const char* kDetach =
    "UPDATE run SET peak_bytes = ?, wall_ns = ?, overhead_ns = ?, gpu_busy_ns = ?, overhead_gpu_ns = ? WHERE id = ?";
constexpr const char* kEndRun = "UPDATE run SET exit_code = ? WHERE id = ?";

constexpr const char* kInsertSignature = "INSERT OR REPLACE INTO signature (run, id, text) VALUES (?,?,?)";
constexpr const char* kInsertActivityName = "INSERT OR REPLACE INTO gpu_activity_name (run, id, text) VALUES (?,?,?)";
constexpr const char* kInsertRangeName = "INSERT OR REPLACE INTO nvtx_range_name (run, id, text) VALUES (?,?,?)";
constexpr const char* kInsertRange =
    "INSERT INTO nvtx_range (run, thread, depth, name, start_ns, end_ns, length) VALUES (?,?,?,?,?,?,?)";
constexpr const char* kInsertSite =
    "INSERT OR REPLACE INTO call_site (run, id, phase, module, op, ordinal, source) VALUES (?,?,?,?,?,?,?)";
constexpr const char* kInsertSegment =
    "INSERT OR REPLACE INTO segment (run, id, step, position, start_ns, end_ns, overhead_ns, recorded, skipped) "
    "VALUES (?,?,?,?,?,?,?,?,?)";
constexpr const char* kRolled = "UPDATE run SET rolled_up_to = ? WHERE id = ?";
constexpr const char* kInsertImpact =
    "INSERT INTO loss_impact (run, segment, loss_id, source, call_site, name, impact, gap) VALUES (?,?,?,?,?,?,?,?)";
constexpr const char* kInsertUpdate =
    "INSERT INTO weight_update (run, segment, call_site, parameter, dtype, elements, lost, below_half_ulp, sum_ulp) "
    "VALUES (?,?,?,?,?,?,?,?,?)";
constexpr const char* kInsertLoss = "INSERT INTO loss (run, segment, loss_id, value) VALUES (?,?,?,?)";
constexpr const char* kInsertScale =
    "INSERT INTO scale_update (run, segment, loss_id, scale_before, scale_after, overflow, skipped) "
    "VALUES (?,?,?,?,?,?,?)";
constexpr const char* kInsertEvent =
    "INSERT INTO overflow_event (run, segment, loss_id, scale_before, scale_after, skipped, first_site, "
    "largest_safe_scale, largest_safe_scale_is_bound) VALUES (?,?,?,?,?,?,nullif(?, 0),?,?) RETURNING id";
constexpr const char* kInsertParameter =
    "INSERT INTO overflow_parameter (event, position, name, nan, inf, finite_amax) VALUES (?,?,?,?,?,?)";
constexpr const char* kInsertChain = "INSERT INTO overflow_chain (event, position, call_site) VALUES (?,?,?)";
constexpr const char* kAddMissing =
    "INSERT INTO missing (run, what, cause, count, remedy) VALUES (?,?,?,?,?) "
    "ON CONFLICT (run, what, cause) DO UPDATE SET count = count + excluded.count, remedy = excluded.remedy";

void put_impact(Statement& row, std::int64_t run, const LossImpact& impact) {
  row.put(run).put(impact.segment).put(impact.loss_id).put(static_cast<int>(impact.source)).put(impact.call_site);
  row.put(impact.name).put(impact.impact).put(static_cast<int>(impact.gap));
}

void put_update(Statement& row, std::int64_t run, const WeightUpdate& update) {
  row.put(run).put(update.segment).put(update.call_site).put(update.parameter).put(static_cast<int>(update.dtype));
  row.put(update.count).put(update.lost).put(update.below_half_ulp).put(update.sum_ulp);
}

/// A total is written after so many calls for each that changed: seldom enough that it costs next to nothing.
constexpr std::size_t kCallsPerTotal = 100;

/// Where calls are in totals only, these are all that a program that is killed leaves.
constexpr std::chrono::seconds kTotalsInterval{1};

enum class Detail { Chunks, TotalsOnly };

// Adds a row and returns the id that RETURNING gives.
std::int64_t inserted_id(Statement& statement) {
  statement.next();
  const std::int64_t id = statement.integer();
  statement.execute();
  return id;
}

std::filesystem::path existing(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path;
  throw ReportError("there is no report " + path.string() + " to write into");
}

// A connection that is known to hold our tables, so that statements can be prepared on it.
struct Opened {
  explicit Opened(const std::filesystem::path& path) : database(existing(path), OpenMode::Write) {
    check_is_report(database);
    migrate(database);
    database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;");
  }

  Database database;
};

}  // namespace

struct ReportWriter::State {
  explicit State(const std::filesystem::path& path) : opened(path) {}

  /// SQLite would write on into a file without a name.
  void check_still_there() {
    if (!database.moved()) return;
    throw ReportError("the report " + database.path().string() +
                      " was removed or replaced while the program ran; what comes from here on is lost");
  }

  /// Calls `write` within one transaction. Where it fails nothing was written, and totals are read anew.
  template <typename Write>
  void in_transaction(std::int64_t run, Write write) {
    try {
      Transaction transaction(database);
      write();
      transaction.commit();
    } catch (...) {
      rollups.erase(run);
      throw;
    }
  }

  void append(std::int64_t run, const Batch& batch, Detail detail);
  void insert_event(std::int64_t run, const OverflowEvent& event);
  void add_missing(std::int64_t run, const Missing& missing);
  Rollup& rollup_of(std::int64_t run);
  void insert_chunks(std::int64_t run, const Batch& batch, Detail detail);
  bool is_time_for_totals(const Rollup& rollup, Detail detail) const;
  void roll_up(std::int64_t run, Rollup& rollup);
  void finish(std::int64_t run);

  Opened opened;
  Database& database = opened.database;
  Statement signature{database, kInsertSignature};
  Statement activity_name{database, kInsertActivityName};
  Statement range_name{database, kInsertRangeName};
  Statement range{database, kInsertRange};
  Statement site{database, kInsertSite};
  Statement segment{database, kInsertSegment};
  Statement chunk_row{database, kInsertChunk};
  Statement rolled{database, kRolled};
  Statement impact{database, kInsertImpact};
  Statement update{database, kInsertUpdate};
  Statement loss{database, kInsertLoss};
  Statement scale{database, kInsertScale};
  Statement event{database, kInsertEvent};
  Statement parameter{database, kInsertParameter};
  Statement chain{database, kInsertChain};
  Statement missing{database, kAddMissing};
  TotalsWriter totals{database};
  std::map<std::int64_t, Rollup> rollups;
  std::size_t calls_since_roll_up = 0;
  std::chrono::steady_clock::time_point last_roll_up{};
};

/// Takes up the totals where another writer left them. The file is locked.
Rollup& ReportWriter::State::rollup_of(std::int64_t run) {
  const std::int64_t newest = newest_chunk(database, run);
  const auto known = rollups.find(run);
  if (known != rollups.end() && known->second.last_chunk() == newest) return known->second;
  return rollups.insert_or_assign(run, Rollup(read_totals(database, run), newest)).first->second;
}

bool ReportWriter::State::is_time_for_totals(const Rollup& rollup, Detail detail) const {
  if (!rollup.is_whole()) return false;
  if (calls_since_roll_up >= kCallsPerTotal * rollup.changed()) return true;
  return detail == Detail::TotalsOnly && std::chrono::steady_clock::now() - last_roll_up >= kTotalsInterval;
}

void ReportWriter::State::insert_chunks(std::int64_t run, const Batch& batch, Detail detail) {
  Rollup& rollup = rollup_of(run);
  for (const Segment& segment : batch.segments) rollup.segment_seen(segment);
  std::map<std::int64_t, Chunk> chunks;  // by segment
  const auto chunk_of = [&](std::int64_t segment) -> Chunk& {
    const auto [place, is_new] = chunks.try_emplace(segment);
    if (is_new) rollup.begin_chunk(place->second.id = rollup.last_chunk() + 1, segment);
    return place->second;
  };
  const auto add = [&](const auto& record) {
    if (detail == Detail::Chunks) {
      chunk_of(record.segment).add(record);
    } else {
      rollup.begin_without_chunk(record.segment);
    }
    rollup.add(record);
  };
  for (const OpCall& call : batch.calls) add(call);
  for (const PlainCall& call : batch.plain_calls) add(call.whole());
  for (const CastRecord& cast : batch.casts) add(cast);
  for (const GpuActivity& activity : batch.activities) add(activity);
  for (const auto& [segment, chunk] : chunks) put_chunk(chunk_row, run, segment, chunk);
  calls_since_roll_up += batch.calls.size() + batch.plain_calls.size() + batch.activities.size();
  if (is_time_for_totals(rollup, detail)) roll_up(run, rollup);
}

void ReportWriter::State::finish(std::int64_t run) {
  if (!rollups.contains(run) && rolled_up_to(database, run) == newest_chunk(database, run)) return;
  Rollup& rollup = rollup_of(run);
  rollup.finish_all();
  roll_up(run, rollup);
}

/// Brings the tables of totals up to date with what is finished.
void ReportWriter::State::roll_up(std::int64_t run, Rollup& rollup) {
  for (const SiteInStep& place : rollup.take_changed()) totals.put(run, place, rollup.total(place));
  rolled.put(rollup.complete_up_to()).put(run).execute();
  calls_since_roll_up = 0;
  last_roll_up = std::chrono::steady_clock::now();
}

void ReportWriter::State::insert_event(std::int64_t run, const OverflowEvent& record) {
  event.put(run).put(record.segment).put(record.loss_id).put(record.scale_before).put(record.scale_after);
  event.put(record.skipped).put(record.first_site).put(record.largest_safe_scale);
  event.put(record.largest_safe_scale_is_bound);
  const std::int64_t id = inserted_id(event);
  std::int64_t position = 0;
  for (const EventParameter& hit : record.parameters) {
    parameter.put(id).put(position++).put(hit.name).put(hit.nan).put(hit.inf).put(hit.finite_amax).execute();
  }
  position = 0;
  for (const std::int64_t call_site : record.chain) chain.put(id).put(position++).put(call_site).execute();
}

void ReportWriter::State::add_missing(std::int64_t run, const Missing& record) {
  missing.put(run).put(record.what).put(record.cause).put(record.count).put(record.remedy).execute();
}

void ReportWriter::State::append(std::int64_t run, const Batch& batch, Detail detail) {
  State& to = *this;
  for (const auto& [id, text] : batch.signatures) to.signature.put(run).put(id).put(text).execute();
  for (const auto& [id, text] : batch.activity_names) to.activity_name.put(run).put(id).put(text).execute();
  for (const auto& [id, text] : batch.range_names) to.range_name.put(run).put(id).put(text).execute();
  for (const NvtxRange& range : batch.ranges) {
    to.range.put(run).put(range.thread).put(range.depth).put(range.name).put(range.start_ns).put(range.end_ns);
    const auto duration = static_cast<std::uint64_t>(TimeSpan{range.start_ns, range.end_ns}.duration_ns());
    to.range.put(std::bit_width(duration)).execute();
  }
  for (const CallSite& site : batch.call_sites) {
    to.site.put(run).put(site.id).put(static_cast<int>(site.phase)).put(site.module).put(site.op).put(site.ordinal);
    to.site.put(site.source).execute();
  }
  for (const Segment& segment : batch.segments) {
    to.segment.put(run).put(segment.id).put(segment.step).put(segment.position).put(segment.start_ns);
    to.segment.put(segment.end_ns).put(segment.overhead_ns).put(segment.recorded).put(segment.skipped).execute();
  }
  insert_chunks(run, batch, detail);
  for (const LossImpact& impact : batch.impacts) {
    put_impact(to.impact, run, impact);
    to.impact.execute();
  }
  for (const WeightUpdate& update : batch.updates) {
    put_update(to.update, run, update);
    to.update.execute();
  }
  for (const LossValue& loss : batch.losses) {
    to.loss.put(run).put(loss.segment).put(loss.loss_id).put(loss.value).execute();
  }
  for (const ScaleUpdate& update : batch.scale_updates) {
    to.scale.put(run).put(update.segment).put(update.loss_id).put(update.scale_before).put(update.scale_after);
    to.scale.put(update.overflow).put(update.skipped).execute();
  }
  for (const OverflowEvent& event : batch.events) insert_event(run, event);
  for (const Missing& missing : batch.missing) add_missing(run, missing);
}

ReportWriter::ReportWriter(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}

ReportWriter::~ReportWriter() = default;

std::int64_t ReportWriter::begin_run(const RunStart& start) {
  state_->check_still_there();
  Transaction transaction(state_->database);
  Statement row(state_->database, kInsertRun);
  row.put(start.level).put(start.program).put(start.started_at).put(start.reference).put(start.target_gpu);
  row.put(start.seed).put(start.repeat).put(start.what_if).put(start.assume_scale);
  const std::int64_t id = inserted_id(row);
  transaction.commit();
  return id;
}

void ReportWriter::attach(std::int64_t run, const RunAttach& attach) {
  state_->check_still_there();
  Statement row(state_->database, kAttach);
  row.put(attach.device).put(attach.torch_version).put(attach.settings_json).put(attach.level).put(run).execute();
}

void ReportWriter::append(std::int64_t run, const Batch& batch) {
  state_->check_still_there();
  state_->in_transaction(run, [&] { state_->append(run, batch, Detail::Chunks); });
}

void ReportWriter::append_totals(std::int64_t run, const Batch& batch) {
  state_->check_still_there();
  state_->in_transaction(run, [&] { state_->append(run, batch, Detail::TotalsOnly); });
}

void ReportWriter::add_missing(std::int64_t run, const Missing& missing) {
  state_->check_still_there();
  state_->add_missing(run, missing);
}

void ReportWriter::detach(std::int64_t run, const RunDetach& detach) {
  state_->check_still_there();
  state_->in_transaction(run, [&] {
    state_->finish(run);
    Statement row(state_->database, kDetach);
    row.put(detach.peak_bytes)
        .put(detach.wall_ns)
        .put(detach.overhead_ns)
        .put(detach.gpu_busy_ns)
        .put(detach.overhead_gpu_ns)
        .put(run)
        .execute();
  });
}

void ReportWriter::add_probe(std::int64_t run, const ProbeRecords& records) {
  state_->check_still_there();
  Transaction transaction(state_->database);
  insert_probe(state_->database, run, records);
  transaction.commit();
}

void ReportWriter::end_run(std::int64_t run, int exit_code) {
  state_->check_still_there();
  Statement row(state_->database, kEndRun);
  row.put(exit_code).put(run).execute();
  state_->in_transaction(run, [&] { state_->finish(run); });  // what a recorder that was killed left
}

bool ReportWriter::attached(std::int64_t run) {
  Statement row(state_->database, "SELECT device IS NOT NULL FROM run WHERE id = ?");
  row.put(run);
  return row.next() && row.flag();
}

bool ReportWriter::has_calls(std::int64_t run) {
  Statement row(state_->database, "SELECT EXISTS (SELECT 1 FROM call_site WHERE run = ?)");
  row.put(run);
  return row.next() && row.flag();
}

void ReportWriter::fold() {
  state_->check_still_there();
  Database& database = state_->database;
  database.wait_for_locks(kFoldTimeoutMs);
  // Both give way to a reader that is in the middle of something: the report stays whole in two files, and the last
  // connection to close folds it.
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.try_run("PRAGMA journal_mode = DELETE");
  database.wait_for_locks(kLockTimeoutMs);
}

}  // namespace ampprof
