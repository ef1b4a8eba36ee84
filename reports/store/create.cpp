// SPDX-License-Identifier: Apache-2.0
#include "reports/store/create.h"

#include <system_error>

#include "reports/store/new_file.h"
#include "reports/store/schema.h"
#include "reports/store/sqlite.h"

namespace ampprof::store {

namespace fs = std::filesystem;

void remove_logs_of_a_former_file(const fs::path& path) {
  std::error_code ignored;
  for (const char* suffix : {"-wal", "-shm", "-journal"}) fs::remove(path.string() + suffix, ignored);
}

void create_report(const fs::path& path, bool replace) {
  NewFile fresh(path, replace, "report");
  {
    Database database(fresh.temporary(), OpenMode::Create);
    create_tables(database);
  }
  fresh.put_in_place();
  remove_logs_of_a_former_file(path);
}

}  // namespace ampprof::store
