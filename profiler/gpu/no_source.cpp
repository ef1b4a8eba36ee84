// SPDX-License-Identifier: Apache-2.0
// Replaces the source in a build without the headers of CUPTI.
#include "profiler/gpu/refusal.h"
#include "profiler/gpu/source.h"

namespace ampprof::profiler {

SourceOptions SourceOptions::from_environment() { return {}; }

struct Source::Cupti {};

Source::Opened Source::open(SourceOptions) noexcept { return {nullptr, {built_without_cupti()}}; }
Source::~Source() = default;
void Source::push(const LaunchedBy&) noexcept {}
void Source::pop() noexcept {}
void Source::collect() {}
void Source::flush() {}
std::vector<Missing> Source::close() { return {}; }
void Source::release() {}

}  // namespace ampprof::profiler
