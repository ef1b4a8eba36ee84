// SPDX-License-Identifier: Apache-2.0
#include "reports/store/writer.h"

#include <chrono>
#include <map>

#include "reports/store/chunk.h"
#include "reports/store/confirmation_table.h"
#include "reports/store/oldest_details.h"
#include "reports/store/optimizer_table.h"
#include "reports/store/probe_tables.h"
#include "reports/store/rollup.h"
#include "reports/store/sqlite.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"
#include "reports/store/write_access.h"

namespace ampprof::store {

namespace {

constexpr int kFoldTimeoutMs = 2'000;

constexpr std::string_view kGivingId = " RETURNING id";
constexpr std::string_view kAddingUp =
    " ON CONFLICT (run, what, cause) DO UPDATE SET count = count + excluded.count, remedy = excluded.remedy";

/// Number of new records per changed total after which totals are written: so many that writing costs almost nothing.
constexpr std::size_t kRecordsPerTotal = 100;

/// Longest time between writes of totals if no chunks are written. A program that is killed then leaves only totals.
constexpr std::chrono::seconds kTotalsInterval{1};

enum class Detail { Chunks, TotalsOnly };

// Inserts a row and returns the id that RETURNING gives.
std::int64_t inserted_id(Statement& statement) {
  statement.next();
  const std::int64_t id = statement.integer();
  statement.execute();
  return id;
}

}  // namespace

struct ReportWriter::State {
  explicit State(const std::filesystem::path& path) : access(path) {}

  /// Calls `write` within one transaction. A failure writes nothing, and drops the run's Rollup, so that its totals are
  /// read again.
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
  void insert_event(std::int64_t run, const NonfiniteEvent& event);
  Rollup& rollup_of(std::int64_t run);
  void insert_chunks(std::int64_t run, const Batch& batch, Detail detail);
  bool is_time_for_totals(const Rollup& rollup, Detail detail) const;
  void roll_up(std::int64_t run, Rollup& rollup);
  void finish(std::int64_t run);
  bool drop_oldest(std::int64_t run);

  WriteAccess access;
  Database& database = access.database();
  Insert<kSignature> signature{database, kInsertOrReplace};
  Insert<kGpuActivityName> activity_name{database, kInsertOrReplace};
  Insert<kNvtxRangeName> range_name{database, kInsertOrReplace};
  Insert<kNvtxRange> range{database};
  Insert<kCallSite> site{database, kInsertOrReplace};
  Insert<kSegment> segment{database, kInsertOrReplace};
  Insert<kCallChunk> chunk{database};
  Statement rolled{database, "UPDATE run SET rolled_up_to = ? WHERE id = ?"};
  Insert<kLossImpact> impact{database};
  Insert<kGradientImpact> gradient_impact{database, kInsertOrReplace};
  Insert<kRecipeMatmul> recipe_matmul{database, kInsertOrReplace};
  Insert<kStepDecrease> decrease{database, kInsertOrReplace};
  Insert<kGradientError> gradient_error{database, kInsertOrReplace};
  Insert<kStaleCast> stale_cast{database};
  Insert<kWeightUpdate> update{database};
  Insert<kDrift> drift{database};
  Insert<kParameterChecksum> checksum{database, kInsertOrReplace};
  Insert<kCollective> collective{database, kInsertOrReplace};
  Insert<kCollectiveSketch> collective_sketch{database, kInsertOrReplace};
  Insert<kSketch> sketch{database};
  Insert<kDecision> decision{database};
  Insert<kLoss> loss{database};
  Insert<kScaleUpdate> scale{database};
  Insert<kOptimizerTotal> optimizer{database, kInsertOrReplace};
  Insert<kNonfiniteEvent> event{database, "INSERT", kGivingId};
  Insert<kNonfiniteParameter> parameter{database};
  Statement chain{database, "INSERT INTO nonfinite_chain (event, position, call_site) VALUES (?,?,?)"};
  Insert<kMissing> missing{database, "INSERT", kAddingUp};
  TotalsWriter totals{database};
  std::map<std::int64_t, Rollup> rollups;
  std::size_t records_since_roll_up = 0;
  std::chrono::steady_clock::time_point last_roll_up{};
};

/// Returns the run's Rollup. Reads stored totals if another writer has added chunks. The file must be locked.
Rollup& ReportWriter::State::rollup_of(std::int64_t run) {
  const std::int64_t newest = newest_chunk(database, run);
  const auto known = rollups.find(run);
  if (known != rollups.end() && known->second.last_chunk() == newest) return known->second;
  return rollups.insert_or_assign(run, Rollup(read_totals(database, run), newest)).first->second;
}

bool ReportWriter::State::is_time_for_totals(const Rollup& rollup, Detail detail) const {
  if (!rollup.is_whole()) return false;
  if (records_since_roll_up >= kRecordsPerTotal * rollup.changed()) return true;
  return detail == Detail::TotalsOnly && std::chrono::steady_clock::now() - last_roll_up >= kTotalsInterval;
}

void ReportWriter::State::insert_chunks(std::int64_t run, const Batch& batch, Detail detail) {
  Rollup& rollup = rollup_of(run);
  for (const Segment& segment : batch.segments) rollup.segment_seen(segment);
  std::map<std::int64_t, Chunk> chunks;  // chunks by segment
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
    ++records_since_roll_up;
  };
  for (const OpCall& call : batch.calls) add(call);
  for (const PlainCall& call : batch.plain_calls) add(call.whole());
  for (const CastRecord& cast : batch.casts) add(cast);
  for (const GpuActivity& activity : batch.activities) add(activity);
  for (const auto& [segment, of_segment] : chunks) insert_chunk(chunk, run, segment, of_segment);
  if (is_time_for_totals(rollup, detail)) roll_up(run, rollup);
}

void ReportWriter::State::finish(std::int64_t run) {
  if (!rollups.contains(run) && rolled_up_to(database, run) == newest_chunk(database, run)) return;
  Rollup& rollup = rollup_of(run);
  rollup.finish_all();
  roll_up(run, rollup);
}

/// Writes the changed totals of finished segments.
void ReportWriter::State::roll_up(std::int64_t run, Rollup& rollup) {
  for (const SiteInStep& place : rollup.take_changed()) totals.put(run, place, rollup.total(place));
  rolled.put(rollup.complete_up_to()).put(run).execute();
  records_since_roll_up = 0;
  last_roll_up = std::chrono::steady_clock::now();
}

/// Drops details of the run's oldest steps. Returns false if there was nothing to drop.
bool ReportWriter::State::drop_oldest(std::int64_t run) {
  Rollup& rollup = rollup_of(run);
  if (rollup.is_whole()) roll_up(run, rollup);
  const auto dropped = drop_oldest_details(database, run, rolled_up_to(database, run));
  if (!dropped) return false;
  for (const Missing& row : *dropped) missing(row, run);
  return true;
}

void ReportWriter::State::insert_event(std::int64_t run, const NonfiniteEvent& record) {
  const std::int64_t id = inserted_id(event.put(record, run));
  std::int64_t position = 0;
  for (const EventParameter& hit : record.parameters) parameter(hit, id, position++);
  position = 0;
  for (const std::int64_t call_site : record.chain) chain.put(id).put(position++).put(call_site).execute();
}

void ReportWriter::State::append(std::int64_t run, const Batch& batch, Detail detail) {
  const auto insert_all = [&](const auto& records, auto& insert) {
    for (const auto& record : records) insert(record, run);
  };
  insert_all(batch.signatures, signature);
  insert_all(batch.activity_names, activity_name);
  insert_all(batch.range_names, range_name);
  insert_all(batch.ranges, range);
  insert_all(batch.call_sites, site);
  insert_all(batch.segments, segment);
  insert_chunks(run, batch, detail);
  insert_all(batch.impacts, impact);
  insert_all(batch.stale_casts, stale_cast);
  insert_all(batch.updates, update);
  insert_all(batch.drifts, drift);
  insert_all(batch.checksums, checksum);
  insert_all(batch.collectives, collective);
  insert_all(batch.collective_sketches, collective_sketch);
  insert_all(batch.gradient_impacts, gradient_impact);
  insert_all(batch.recipe_matmuls, recipe_matmul);
  insert_all(batch.decreases, decrease);
  insert_all(batch.gradient_errors, gradient_error);
  insert_all(batch.sketches, sketch);
  insert_all(batch.decisions, decision);
  insert_all(batch.losses, loss);
  insert_all(batch.scale_updates, scale);
  insert_all(batch.optimizers, optimizer);
  for (const NonfiniteEvent& record : batch.events) insert_event(run, record);
  insert_all(batch.missing, missing);
}

ReportWriter::ReportWriter(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}

ReportWriter::~ReportWriter() = default;

std::int64_t ReportWriter::begin_run(const RunStart& start) {
  state_->access.prepare();
  Transaction transaction(state_->database);
  Insert<kRunStart> insert(state_->database, "INSERT", kGivingId);
  const std::int64_t id = inserted_id(insert.put(start));
  transaction.commit();
  return id;
}

void ReportWriter::attach(std::int64_t run, const RunAttach& attach) {
  state_->access.prepare();
  state_->access.keep();
  Transaction transaction(state_->database);
  update(state_->database, kRunAttach, attach, run);
  if (!attach.level.empty()) {
    Statement(state_->database, "UPDATE run SET level = ? WHERE id = ?").put(attach.level).put(run).execute();
  }
  transaction.commit();
}

void ReportWriter::append(std::int64_t run, const Batch& batch) {
  state_->access.prepare();
  state_->in_transaction(run, [&] { state_->append(run, batch, Detail::Chunks); });
}

void ReportWriter::append_totals(std::int64_t run, const Batch& batch) {
  state_->access.prepare();
  state_->in_transaction(run, [&] { state_->append(run, batch, Detail::TotalsOnly); });
}

std::int64_t ReportWriter::make_room(std::span<const std::int64_t> runs, std::int64_t most) {
  state_->access.prepare();
  std::int64_t used = used_bytes(state_->database);
  const std::int64_t enough = used < most ? most : most / 8 * 7;
  for (bool is_any = true; is_any && used >= enough;) {
    is_any = false;
    for (const std::int64_t run : runs) {
      state_->in_transaction(run, [&] { is_any = state_->drop_oldest(run) || is_any; });
    }
    used = used_bytes(state_->database);
  }
  if (used < most) return used;
  for (const std::int64_t run : runs) used -= bytes_of_chunks(state_->database, run);  // chunks can be dropped later
  return used;
}

void ReportWriter::add_missing(std::int64_t run, const Missing& missing) {
  state_->access.prepare();
  state_->missing(missing, run);
}

void ReportWriter::detach(std::int64_t run, const RunDetach& detach) {
  state_->access.prepare();
  state_->in_transaction(run, [&] {
    state_->finish(run);
    update(state_->database, kRunDetach, detach, run);
  });
  state_->access.give_back();
}

void ReportWriter::add_probe(std::int64_t run, const ProbeRecords& records) {
  state_->access.prepare();
  Transaction transaction(state_->database);
  Insert<kProbeTime> time(state_->database);
  for (const ProbeTime& record : records.times) time(record, run);
  Insert<kProbeAlgorithm> algorithm(state_->database, kInsertOrReplace);
  for (const ProbeAlgorithm& record : records.algorithms) algorithm(record, run);
  transaction.commit();
}

void ReportWriter::end_run(std::int64_t run, std::optional<int> exit_code, std::optional<std::int64_t> ended_ns) {
  state_->access.prepare();
  Statement(state_->database, "UPDATE run SET exit_code = ?, ended_ns = ? WHERE id = ?")
      .put(exit_code)
      .put(ended_ns)
      .put(run)
      .execute();
  state_->in_transaction(run, [&] { state_->finish(run); });  // also finishes totals that a killed recorder left open
}

void ReportWriter::drop_run(std::int64_t run) {
  state_->access.prepare();
  Transaction transaction(state_->database);
  for (const char* rows : {"DELETE FROM missing WHERE run = ?", "DELETE FROM run WHERE id = ?"}) {
    Statement(state_->database, rows).put(run).execute();
  }
  transaction.commit();
}

void ReportWriter::add_confirmation(std::int64_t run, const Confirmation& confirmation) {
  state_->access.prepare();
  Transaction transaction(state_->database);
  Insert<kConfirmation>(state_->database, kInsertOrReplace)(confirmation, run);
  transaction.commit();
}

void ReportWriter::add_trial(std::int64_t run, const Trial& trial) {
  state_->access.prepare();
  Transaction transaction(state_->database);
  Insert<kTrial>(state_->database, kInsertOrReplace)(trial, run);
  transaction.commit();
}

bool ReportWriter::attached(std::int64_t run) {
  Statement row(state_->database, "SELECT device IS NOT NULL FROM run WHERE id = ?", run);
  return row.next() && row.flag();
}

bool ReportWriter::has_calls(std::int64_t run) {
  Statement row(state_->database, "SELECT EXISTS (SELECT 1 FROM call_site WHERE run = ?)", run);
  return row.next() && row.flag();
}

void ReportWriter::fold() {
  state_->access.prepare();
  Database& database = state_->database;
  database.wait_for_locks(kFoldTimeoutMs);
  // Both pragmas fail while another connection reads. The report then stays complete in two files, and the last
  // connection to close folds it.
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.try_run("PRAGMA journal_mode = DELETE");
  database.wait_for_locks(kLockTimeoutMs);
}

}  // namespace ampprof::store
