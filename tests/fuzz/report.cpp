// SPDX-License-Identifier: Apache-2.0
// libFuzzer: readers of a damaged report return data or throw a ReportError. Random bytes are hardly ever a database,
// so an input is a list of edits to a report. The first byte chooses the report, the second the reader; small_reports.h
// defines the rest.
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "reports/store/report_error.h"
#include "tests/fuzz/report_readers.h"
#include "tests/fuzz/small_reports.h"
#include "tests/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace ampprof;

/// Puts files into memory if possible, because each input becomes a file.
struct Place {
  Place() {
    if (fs::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
  }
};

struct Fixture : Place {
  test_support::TemporaryFolder folder;
  std::vector<fuzz::SmallReport> reports = fuzz::small_reports(folder.path());
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Fixture fixture;
  if (size < 2) return 0;
  const auto& report = fixture.reports[data[0] % fixture.reports.size()];
  const auto readers = fuzz::report_readers();
  const fs::path path = fixture.folder / "r";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << fuzz::damaged(report, {data + 2, size - 2});
  for (const char* log : {"-wal", "-shm"}) fs::remove(path.string() + log);
  try {
    readers[data[1] % readers.size()].read(path);
  } catch (const store::ReportError&) {
  }
  return 0;
}
