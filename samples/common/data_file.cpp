// SPDX-License-Identifier: Apache-2.0
#include "samples/common/data_file.h"

#include <zlib.h>

#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace samples {

std::string read_data_file(const std::string& name) {
  // Programs are in lib/torch-<version>/ of an installation, or in bin/.
  auto root = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  if (root.filename() == "lib") root = root.parent_path();
  const auto path = root / "share" / "ampprof" / name;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw std::runtime_error("Cannot open " + path.string() + ". Rebuild the samples to restore it.");
  std::string text;
  std::array<char, 1 << 16> buffer{};
  int got = 0;
  while ((got = gzread(file.get(), buffer.data(), buffer.size())) > 0) text.append(buffer.data(), got);
  if (got < 0) throw std::runtime_error(path.string() + " is damaged: it cannot be unpacked.");
  return text;
}

}  // namespace samples
