// SPDX-License-Identifier: Apache-2.0
#include "cli/export/output_file.h"

#include <cerrno>
#include <system_error>

#include "reports/store/report_error.h"

namespace ampprof::cli {

void make_folder(const std::filesystem::path& folder, const std::string& what) {
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (std::filesystem::is_directory(folder)) return;
  throw store::WriteError(
      "cannot make the folder " + folder.string() + " for " + what +
      (std::filesystem::exists(folder) || !error ? ": a file has that name" : ": " + error.message()) +
      "; choose another with -o");
}

OutputFile::OutputFile(const std::filesystem::path& path, bool replace)
    : path_(path), file_(path, replace, "file"), stream_(file_.temporary(), std::ios::binary | std::ios::trunc) {
  if (!stream_) {
    throw store::WriteError("cannot write the file " + path.string() + ": " + std::generic_category().message(errno));
  }
}

void OutputFile::put_in_place() {
  stream_.close();
  if (!stream_) {
    throw store::WriteError("cannot write the file " + path_.string() +
                            ": the disk is full, or the file exceeds the limit on file sizes");
  }
  file_.put_in_place();
}

}  // namespace ampprof::cli
