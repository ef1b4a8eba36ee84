// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/refusal.h"

#include <algorithm>
#include <array>

namespace ampprof::profiler {
namespace {

struct Reason {
  std::uint32_t result;
  const char* cause;
  const char* remedy;
};

constexpr std::array kReasons{
    Reason{14, "the NVIDIA driver is of another release than CUPTI",
           "install the driver that the CUDA release requires"},
    Reason{15, "CUPTI could not start: there is no NVIDIA driver or no GPU",
           "run on a machine with a GPU and its driver"},
    Reason{33, "a virtual GPU does not allow recording",
           "use the whole GPU, or ask the administrator of the virtual machine"},
    Reason{35, "the driver lets only administrators record GPUs",
           "give the container --cap-add SYS_ADMIN, or load the nvidia module with "
           "NVreg_RestrictProfilingToAdminUsers=0"},
    Reason{40, "a virtual GPU does not allow recording",
           "ask the administrator of the virtual machine for profiling rights"},
    Reason{41, "the GPU runs in confidential computing mode", "turn this mode off"},
};
constexpr std::uint32_t kOtherSubscriber = 39;

}  // namespace

Missing built_without_cupti() {
  return {.what = kAllGpuActivity,
          .count = 1,
          .cause = "this ampprof was built without the headers of CUPTI 13",
          .remedy = "install the headers (the CUDA toolkit has them), and build ampprof again"};
}

Missing library_not_loaded(const std::string& loader_words) {
  return {.what = kAllGpuActivity,
          .count = 1,
          .cause = "CUPTI could not be loaded: " + loader_words,
          .remedy = "install the CUDA runtime's libcupti.so.13, or name it in AMPPROF_CUPTI"};
}

Missing refused(std::uint32_t result, const std::string& words, const std::string& holder) {
  Missing missing{.what = kAllGpuActivity, .count = 1, .cause = "CUPTI refuses: " + words, .remedy = ""};
  if (result == kOtherSubscriber) {
    missing.cause =
        (holder.empty() ? "another tool" : '"' + holder + '"') + " uses CUPTI, which serves one tool at a time";
    missing.remedy = "do not use Nsight, cuda-gdb, compute-sanitizer or torch.profiler while recording";
    return missing;
  }
  const auto* reason = std::ranges::find(kReasons, result, &Reason::result);
  if (reason == kReasons.end()) return missing;
  missing.cause = std::string(reason->cause) + ": " + words;
  missing.remedy = reason->remedy;
  return missing;
}

Missing kind_refused(const std::string& kind, std::uint32_t result, const std::string& words) {
  Missing missing = refused(result, words, "");
  missing.what = kind;
  return missing;
}

std::string version_text(std::uint32_t version) {
  if (version < 10000) return "of CUDA 12 or older (" + std::to_string(version) + ")";
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

Missing other_version(std::uint32_t built_for, std::uint32_t found) {
  const bool can_be_read = built_for / 10000 == found / 10000;
  return {.what = can_be_read ? "fields added in a newer CUPTI" : kAllGpuActivity,
          .count = 1,
          .cause = "CUPTI is " + version_text(found) + ", but ampprof was built for " + version_text(built_for),
          .remedy = "build ampprof for this CUPTI, or name another libcupti.so.13 in AMPPROF_CUPTI"};
}

Missing already_open() {
  return {.what = kAllGpuActivity, .count = 1, .cause = "this process already records GPU activity", .remedy = ""};
}

Missing nothing_delivered() {
  return {.what = kAllGpuActivity,
          .count = 1,
          .cause = "CUPTI allowed the recording, but delivered no records",
          .remedy =
              "try AMPPROF_CUPTI_CALLS=all, which records all CUDA calls, or name another libcupti.so.13 in "
              "AMPPROF_CUPTI"};
}

Missing taken_by_other_profiler() {
  return {.what = "GPU activity since the program's own profiler began",
          .count = 1,
          .cause = "CUPTI serves one profiler at a time, and PyTorch's profiler took over",
          .remedy = "record the program without its profiler"};
}

Missing own_failure(const std::string& words) {
  return {.what = kAllGpuActivity, .count = 1, .cause = "the recording failed: " + words, .remedy = ""};
}

Missing ids_too_large(std::int64_t count) {
  return {.what = "op calls that launched GPU activity",
          .count = count,
          .cause = "ids of segments or call sites no longer fit in 32 bits",
          .remedy = "record fewer steps with --every or --steps"};
}

Missing pushes_failed(std::int64_t count) {
  return {.what = "op calls that launched GPU activity",
          .count = count,
          .cause = "CUPTI did not accept the ids of these calls",
          .remedy = ""};
}

Missing flushes_failed(std::int64_t count) {
  return {.what = "GPU activity left in CUPTI's buffers",
          .count = count,
          .cause = "CUPTI did not deliver the buffers",
          .remedy = "synchronize before the program ends, so that its GPU activity is complete"};
}

Missing dump_failed(const std::string& path) {
  return {.what = "records in the file of AMPPROF_CUPTI_DUMP",
          .count = 1,
          .cause = path + " cannot be written",
          .remedy = "name a file in an existing directory, on a disk with free space"};
}

}  // namespace ampprof::profiler
