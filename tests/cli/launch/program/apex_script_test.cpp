// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/program/apex_script.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace apex_script_test {

namespace fs = std::filesystem;

class ApexScript : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }

  /// Makes a stand-in for Python that prints `place` as the place of the module `apex`.
  std::vector<std::string> interpreter(const std::string& place) const {
    const fs::path path = write("python", "#!/bin/sh\necho " + place + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return {path.string()};
  }

  testing_reports::TemporaryFolder folder_;
};

TEST_F(ApexScript, IsRecognizedByItsImports) {
  for (const char* text :
       {"from apex import amp\n", "import torch\n  import apex\n", "from apex.parallel import LARC\n",
        "import apex.amp as amp\n", "import apex, torch\n", "import torch, apex\n", "try: from apex import amp\n",
        "from apex import amp\r\n", "import apex\r\n"}) {
    EXPECT_TRUE(imports_apex(write("a.py", text))) << text;
  }
  for (const char* text : {"from apexcharts import x\n", "# from apex import amp\n", "import my.apex\n",
                           "from my import apex\n", "x = apex\n", ""}) {
    EXPECT_FALSE(imports_apex(write("b.py", text))) << text;
  }
}

TEST_F(ApexScript, IsFoundBehindALauncherAndInFilesBesideIt) {
  const auto ours = interpreter(write("ours/apex/__init__.py", "").string());
  write("ours/apex/_library.py", "");
  const auto script = write("project/train.py", "import engine.core\n");
  EXPECT_FALSE(runs_on_apex({"python", script.string()}, ours));
  write("project/engine/core.py", "from apex import amp\n");
  EXPECT_TRUE(runs_on_apex({"python", script.string()}, ours));
  EXPECT_TRUE(runs_on_apex({"torchrun", "--nproc-per-node=2", script.string(), "--opt-level", "O2"}, ours));
  EXPECT_FALSE(runs_on_apex({"python", "-c", "from apex import amp"}, ours));
}

TEST_F(ApexScript, OfNvidiasApexDoesNotUseAmpCore) {
  const auto script = write("project/train.py", "from apex import amp\n");
  EXPECT_FALSE(runs_on_apex({"python", script.string()}, interpreter(write("theirs/apex/__init__.py", "").string())));
  EXPECT_FALSE(runs_on_apex({"python", script.string()}, interpreter("")));
}

}  // namespace apex_script_test
}  // namespace ampprof::cli
