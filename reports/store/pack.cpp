// SPDX-License-Identifier: Apache-2.0
#include "reports/store/pack.h"

#include <string>

namespace ampprof {
namespace {

void put_lanes(Statement& row, const LanePacker& lanes, const std::string& bytes) {
  if (lanes.empty()) {
    row.put_null(3);
  } else {
    row.put(lanes.start_ns()).put(lanes.end_ns()).put_blob(bytes);
  }
}

}  // namespace

const char* const kInsertPack =
    "INSERT INTO call_pack (run, id, segment, count, start_ns, end_ns, lanes, calls, casts, activity_count, "
    "activity_ns, "
    "activity_start_ns, activity_end_ns, activity_lanes, activities) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

void put_pack(Statement& row, std::int64_t run, std::int64_t segment, const Pack& pack) {
  const std::string lanes = pack.lanes.bytes();
  const std::string casts = pack_casts(pack.casts);
  const std::string activity_lanes = pack.activity_lanes.bytes();
  row.put(run).put(pack.id).put(segment).put(pack.calls.calls());
  put_lanes(row, pack.lanes, lanes);
  row.put_blob(pack.calls.bytes()).put_blob(casts).put(pack.activities.activities()).put(pack.activity_ns);
  put_lanes(row, pack.activity_lanes, activity_lanes);
  row.put_blob(pack.activities.bytes()).execute();
}

}  // namespace ampprof
