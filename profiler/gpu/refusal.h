// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/records/run.h"

/// Rows of `missing` for failures of CUPTI. Results are CUptiResult's numbers.
namespace ampprof::profiler {

Missing built_without_cupti();
Missing library_not_loaded(const std::string& loader_words);

/// Says that recording is impossible. `holder`: the other tool's name, if CUPTI gave it. `words`: CUPTI's message.
Missing refused(std::uint32_t result, const std::string& words, const std::string& holder);

/// Says that records of this kind are missing while recording goes on.
Missing kind_refused(const std::string& kind, std::uint32_t result, const std::string& words);

/// Says that CUPTI's version differs from the one that this build reads. Versions are as cuptiGetVersion() returns
/// them.
Missing other_version(std::uint32_t built_for, std::uint32_t found);
/// Returns "13.0.1" for 130001. Before 13.0 CUPTI's numbers had no such meaning.
std::string version_text(std::uint32_t version);

Missing already_open();
/// Says that CUPTI recorded nothing although the program used a GPU.
Missing nothing_delivered();
/// Says that no records came after the program started its own profiler.
Missing taken_by_other_profiler();
Missing own_failure(const std::string& words);
Missing ids_too_large(std::int64_t count);
Missing pushes_failed(std::int64_t count);
Missing flushes_failed(std::int64_t count);
Missing dump_failed(const std::string& path);

}  // namespace ampprof::profiler
