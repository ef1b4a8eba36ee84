// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "reports/records/batch.h"
#include "reports/records/chunk_codec.h"
#include "reports/store/column_kinds.h"

/// The tables of runs, call sites, segments, NVTX ranges and chunks.
namespace ampprof::store {

inline constexpr auto kRunStart = table<RunStart>(
    "run", keys(),
    std::tuple{
        column("level", &RunStart::level, "Opt level: O0 to O3; '' if the program sets its own precision."),
        column("program", &RunStart::program, "Command line of the program."),
        column("started_at", &RunStart::started_at, "Time of the start, ISO 8601 in UTC."),
        column("reference", &RunStart::reference, "Type of the reference of local errors: fp32, fp64 or off."),
        column("target_gpu", &RunStart::target_gpu, "GPU that Tensor Core rules are judged for, such as sm_90."),
        column("seed", &RunStart::seed, "Seed of the run. NULL if none was set."),
        column("repeat", &RunStart::repeat, "Number of the repeat: 0 for the first."),
        column("what_if", &RunStart::what_if, "Type or recipe whose effect was predicted (--what-if); '' if none was."),
        column("assume_scale", &RunStart::assume_scale, "Loss scale that `--what-if` assumed in the backward pass."),
        column_as<ZeroIsNull<std::string>>("ampprof_version", &RunStart::ampprof_version,
                                           "Version of ampprof that recorded the run."),
        column_as<ZeroIsNull<std::string>>("ampprof_commit", &RunStart::ampprof_commit,
                                           "Commit of the ampprof that recorded the run. NULL if unknown."),
        column("check_ranks", &RunStart::check_ranks,
               "N if parameters are checked in every Nth recorded step. NULL if they are not checked."),
        column_as<ZeroIsNull<std::string>>("flags", &RunStart::flags,
                                           "Flags of `ampprof run`, quoted for a shell. NULL if there are none."),
        column_as<ZeroIsNull<std::string>>("folder", &RunStart::folder,
                                           "Folder that the program was started in. NULL if it recorded itself.")});

/// Stores a text that is NULL until the recorder attaches.
struct LaterText : Stored<std::string> {
  static constexpr bool kIsNullable = true;
};

inline constexpr auto kRunAttach = table<RunAttach>(
    "run", keys(),
    std::tuple{
        column_as<LaterText>(
            "device", &RunAttach::device,
            "Device that the program computed on. NULL, like the next two columns, if no recorder attached."),
        column_as<LaterText>("torch_version", &RunAttach::torch_version, "Version of LibTorch."),
        column_as<LaterText>("settings_json", &RunAttach::settings_json,
                             "Settings of LibTorch as JSON, with the names of `recipes` that matmuls ran in."),
        column_as<ZeroIsNull<std::string>>(
            "cuda_version", &RunAttach::cuda_version,
            "Version of CUDA that LibTorch was built with. NULL if LibTorch was built without CUDA."),
        column("rank", &RunAttach::rank, "Rank of the process. NULL, like the next three columns, without a launcher."),
        column("world_size", &RunAttach::world_size, "Number of ranks."),
        column("local_rank", &RunAttach::local_rank, "Rank among the processes of one machine."),
        column_as<ZeroIsNull<std::string>>("host", &RunAttach::host, "Name of the machine.")});

/// Stores a number that is NULL until the recorder ends cleanly.
struct LaterNumber : Stored<std::int64_t> {
  static constexpr bool kIsNullable = true;
};

inline constexpr auto kRunDetach = table<RunDetach>(
    "run", keys(),
    std::tuple{
        column_as<LaterNumber>("peak_bytes", &RunDetach::peak_bytes,
                               "Peak GPU memory; if no GPU was used, peak process memory minus the memory at the "
                               "start. NULL if the recorder did not end cleanly."),
        column_as<LaterNumber>("wall_ns", &RunDetach::wall_ns, "Time from the start of the recorder to its end."),
        column_as<LaterNumber>("overhead_ns", &RunDetach::overhead_ns, "Part of `wall_ns` that is ampprof's overhead."),
        column("gpu_busy_ns", &RunDetach::gpu_busy_ns,
               "Time in which at least one GPU stream was busy. NULL without a GPU."),
        column_as<LaterNumber>("overhead_gpu_ns", &RunDetach::overhead_gpu_ns,
                               "Time in which GPUs worked for ampprof alone. The report holds nothing else about "
                               "ampprof's own kernels, memcpys and memsets.")});

/// Declares the columns of a table of interned texts, which other tables refer to by id. `about` describes the text.
constexpr auto interned_text(std::string_view about) {
  return std::tuple{column("id", &InternedText::id, "Number of the text within its run."),
                    column("text", &InternedText::text, about)};
}
inline constexpr auto kSignature = table<InternedText>(
    "signature", keys("run"),
    interned_text("Arguments, such as f32[64,1,28,28] f32[32,1,3,3] - groups=1. `-` is an undefined tensor; {...} are "
                  "strides and @2 an alignment, as `reports/records/signature.h` says."));
inline constexpr auto kGpuActivityName =
    table<InternedText>("gpu_activity_name", keys("run"),
                        interned_text("Mangled name of a kernel; else memset, or a memcpy with its direction."));
inline constexpr auto kNvtxRangeName = table<InternedText>(
    "nvtx_range_name", keys("run"), interned_text("Text of the range, preceded by its domain and a colon."));

inline constexpr auto kCallSite = table<CallSite>(
    "call_site", keys("run"),
    std::tuple{
        column("id", &CallSite::id, "Number of the call site within its run."),
        column("phase", &CallSite::phase, "Phase: 0 forward, 1 backward, 2 optimizer, 3 inference, 4 recompute."),
        column("module", &CallSite::module, "Path of the module that calls the op."),
        column("op", &CallSite::op, "Name of the op."),
        column("ordinal", &CallSite::ordinal, "Number among the call sites of the same phase, module, op and line."),
        column("source", &CallSite::source, "Line of the program that makes the call, as FILE:LINE.")});

inline constexpr auto kSegment = table<Segment>(
    "segment", keys("run"),
    std::tuple{
        column("id", &Segment::id, "Number of the segment within its run."),
        column("step", &Segment::step, "Step, from 1; 0 outside of steps, such as during set-up and validation."),
        column("position", &Segment::position, "Position in the step, from 0."),
        column("start_ns", &Segment::start_ns, "Start of the segment."),
        column("end_ns", &Segment::end_ns, "End of the segment."),
        column("overhead_ns", &Segment::overhead_ns, "Part of the segment's time that is ampprof's overhead."),
        column("recorded", &Segment::recorded, "1: the segment was recorded."),
        column("skipped", &Segment::skipped, "1: a loss scaler or the program skipped an update."),
        column("updated", &Segment::updated, "1: an update was done.")});

/// Returns the number of bits of a range's length in nanoseconds. Queries for a span search each number of bits.
std::int64_t length_bits(const NvtxRange& range);

inline constexpr auto kNvtxRange = table<NvtxRange>(
    "nvtx_range", keys("run"),
    std::tuple{column("thread", &NvtxRange::thread, "Number of the thread."),
               column("depth", &NvtxRange::depth,
                      "Depth of nesting: number of ranges of the same thread that contain this range."),
               column("name", &NvtxRange::name, "Name: `id` of `nvtx_range_name`."),
               column("start_ns", &NvtxRange::start_ns, "Start of the range."),
               column("end_ns", &NvtxRange::end_ns, "End of the range; `start_ns` for a mark."),
               computed("length", length_bits,
                        "Number of bits of `end_ns - start_ns`: 0 for a mark, 10 for 512 to 1023 ns.")});

/// Writes bytes that the caller owns; NULL if there are none. Has no take(), since readers decode the bytes themselves.
struct WrittenBytes {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, std::string_view bytes) { row.put_blob(bytes); }
};

/// The time span of a chunk's records, and the bytes of their tracks.
struct ChunkTime {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::string_view tracks;
};

/// A row of call_chunk, for writing.
struct ChunkRow {
  std::int64_t id = 0;
  std::int64_t segment = 0;
  std::int64_t count = 0;
  std::optional<ChunkTime> time;
  std::string_view calls;
  std::string_view casts;
  std::int64_t activity_count = 0;
  std::int64_t activity_ns = 0;
  std::optional<ChunkTime> activity_time;
  std::string_view activities;
  std::int64_t codec = kChunkCodec;  ///< encoding of calls, casts and activities
};

inline constexpr auto kChunkTime = std::tuple{
    column("start_ns", &ChunkTime::start_ns,
           "Start of the chunk's first record. NULL, like the next two columns, if it has none."),
    column("end_ns", &ChunkTime::end_ns, "End of the record that ends last."),
    column_as<WrittenBytes>("tracks", &ChunkTime::tracks,
                            "Time that records take in each of 32 equal parts of the chunk: op calls by thread and "
                            "precision class, GPU activities by stream. Encoded as `reports/records/tracks.h` says.")};

inline constexpr auto kCallChunk = table<ChunkRow>(
    "call_chunk", keys("run"),
    std::tuple{
        column("id", &ChunkRow::id, "Number of the chunk within its run, from 1, in the order of writing."),
        column("segment", &ChunkRow::segment, "Segment that the records belong to."),
        column("count", &ChunkRow::count, "Number of op calls."), optional_part("", &ChunkRow::time, kChunkTime),
        column_as<WrittenBytes>(
            "calls", &ChunkRow::calls,
            "Op calls with their times and values, encoded as `reports/records/call_codec.h` says."),
        column_as<WrittenBytes>("casts", &ChunkRow::casts, "Casts that AMP inserted, encoded like `calls`."),
        column("activity_count", &ChunkRow::activity_count, "Number of kernels, memcpys and memsets."),
        column("activity_ns", &ChunkRow::activity_ns, "Total time of the kernels, memcpys and memsets."),
        optional_part("activity_", &ChunkRow::activity_time, kChunkTime),
        column_as<WrittenBytes>("activities", &ChunkRow::activities,
                                "GPU activities, encoded as `reports/records/activity_codec.h` says."),
        column("codec", &ChunkRow::codec,
               "Version of the encoding of `calls`, `casts` and `activities`, see `reports/records/chunk_codec.h`.")});

}  // namespace ampprof::store
