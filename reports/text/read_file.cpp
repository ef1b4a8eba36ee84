// SPDX-License-Identifier: Apache-2.0
#include "reports/text/read_file.h"

#include <fstream>
#include <sstream>

namespace ampprof::text {

std::string read_all(std::istream& in) {
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return read_all(file);
}

}  // namespace ampprof::text
