// SPDX-License-Identifier: Apache-2.0
// Tests completions and the manual page as shells and man(1) use them.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/manual/description.h"
#include "tests/cli/program.h"

namespace ampprof::cli {
namespace manual_test {

namespace fs = std::filesystem;

bool has(const char* program) {
  return std::system((std::string("command -v ") + program + " >/dev/null").c_str()) == 0;
}

struct Typed {
  const char* name;
  std::string line;     ///< the typed line, with the cursor at its end
  std::string offered;  ///< every offered word, sorted, in one line
};

void PrintTo(const Typed& typed, std::ostream* out) { *out << typed.line; }

class BashCompletion : public BuiltProgram, public testing::WithParamInterface<Typed> {
 protected:
  BashCompletion() {
    for (const char* name : {"one.ampprof", "two.ampprof", "notes.txt"}) std::ofstream(work(name)) << "x";
    fs::create_directory(work("sub"));
  }

  // Returns the words that bash offers. Splits the line as readline does: at spaces, = and :, with = and : as own
  // words.
  std::string offered(const std::string& line) const {
    std::ofstream(work("try.sh")) << R"(source <(")" AMPPROF_PROGRAM R"(" completion bash)
complete -p ampprof | grep -q -- '-F _ampprof ampprof' || exit 9
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=()
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
read -ra parts <<<"$1"
[[ $1 == *' ' ]] && parts+=('')
for part in "${parts[@]}"; do
  while [[ $part == *[=:]* ]]; do
    head=${part%%[=:]*}
    [[ -n $head ]] && COMP_WORDS+=("$head")
    COMP_WORDS+=("${part:${#head}:1}")
    part=${part:${#head}+1}
    [[ -z $part ]] && COMP_WORDS+=('')
  done
  [[ -n $part || $1 == *' ' ]] && COMP_WORDS+=("$part")
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_WORDS[0]=")" AMPPROF_PROGRAM R"("
_ampprof
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' '
)";
    const Outcome outcome = shell("bash try.sh '" + line + "'; rm try.sh");
    EXPECT_EQ(outcome.err, "");
    return outcome.out.substr(0, outcome.out.find_last_not_of(' ') + 1);
  }
};

TEST_P(BashCompletion, Offers) {
  if (!has("bash")) GTEST_SKIP() << "no bash";
  EXPECT_EQ(offered(GetParam().line), GetParam().offered);
}

INSTANTIATE_TEST_SUITE_P(
    Manual, BashCompletion,
    testing::Values(Typed{"verbs", "ampprof s", "samples search serve show sql"}, Typed{"help", "ampprof --v", "--version"},
                    Typed{"reports", "ampprof show ", "one.ampprof sub/ two.ampprof"},
                    Typed{"views", "ampprof show one.ampprof o", "ops optimizer"},
                    Typed{"view_behind_flags", "ampprof show --format json one.ampprof mis", "missing"},
                    Typed{"flags", "ampprof show one.ampprof --form", "--format"},
                    Typed{"formats", "ampprof show one.ampprof --format ", "csv json md table"},
                    Typed{"formats_behind_equals", "ampprof show one.ampprof --format=j", "json"},
                    Typed{"phases", "ampprof show one.ampprof ops --phase b", "backward"},
                    Typed{"levels", "ampprof run --levels O", "O0 O1 O2 O3"},
                    Typed{"further_levels", "ampprof run --levels O0,O", "O0,O0 O0,O1 O0,O2 O0,O3"},
                    Typed{"targets", "ampprof export one.ampprof --to ",
                          "csv folded html json openmetrics perfetto tensorboard"},
                    Typed{"output_file", "ampprof export one.ampprof -o n", "notes.txt"},
                    Typed{"many_reports", "ampprof merge one.ampprof t", "two.ampprof"},
                    Typed{"shells", "ampprof completion ", "bash zsh"},
                    Typed{"reference", "ampprof run --reference fp", "fp32 fp64"},
                    Typed{"nothing_to_offer", "ampprof show one.ampprof --limit ", ""},
                    Typed{"hidden_verb", "ampprof ma", ""}),
    [](const auto& info) { return info.param.name; });

TEST_F(BashCompletion, OffersSamplesThatAreInstalled) {
  if (!has("bash")) GTEST_SKIP() << "no bash";
  const std::string samples = ampprof("samples --format csv").out;
  const bool has_samples = samples.find("\nmlp,") != std::string::npos;
  EXPECT_EQ(offered("ampprof run sample:ml"), has_samples ? "mlp" : "");
}

TEST_F(BashCompletion, KnowsEveryLongFlagOfEveryHelp) {
  const std::string script = ampprof("completion bash").out;
  for (const char* verb :
       {"run", "show", "advise", "search", "sql", "export", "merge", "samples", "doctor", "completion"}) {
    const std::string help = ampprof(std::string(verb) + " --help").out;
    for (auto at = help.find("--"); at != std::string::npos; at = help.find("--", at + 2)) {
      const std::string flag = help.substr(at, help.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", at) - at);
      if (flag.size() == 2) continue;
      EXPECT_NE(script.find(flag), std::string::npos) << flag << " of " << verb;
    }
  }
}

TEST_F(BashCompletion, OfZshIsSound) {
  const std::string script = ampprof("completion zsh").out;
  EXPECT_EQ(script.find("#compdef ampprof\n"), 0u);
  EXPECT_NE(
      script.find(
          "'*--to=[write html, perfetto, csv, json, folded, openmetrics or tensorboard]:FORMAT:(html perfetto csv "
          "json folded openmetrics tensorboard)'"),
      std::string::npos);
  if (!has("zsh")) GTEST_SKIP() << "no zsh to read it";
  std::ofstream(work("_ampprof")) << script;
  EXPECT_EQ(shell("zsh -n _ampprof").err, "");
}

TEST_F(BashCompletion, RefusesAnUnknownShell) {
  const Outcome outcome = ampprof("completion fish");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("Completions exist for bash and zsh"), std::string::npos) << outcome.err;
}

class ManPage : public BuiltProgram {};

TEST_F(ManPage, HasNoFaultThatManFinds) {
  std::ofstream(work("ampprof.1")) << ampprof("man").out;
  if (has("mandoc")) {
    // The page has no date, because a date would change every build.
    EXPECT_EQ(shell("mandoc -T lint -W warning ampprof.1 | grep -v 'missing date'; true").out, "");
  }
  if (!has("man")) GTEST_SKIP() << "no man";
  const Outcome outcome = shell("MANWIDTH=80 man --warnings -E UTF-8 -l ampprof.1");
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"--format FORMAT", "ampprof export REPORT --to FORMAT -o FILE", "EXIT STATUS", "--levels LEVELS"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is not in\n" << outcome.out;
  }
}

TEST_F(ManPage, HasEveryFlagOfEveryHelp) {
  std::string page = ampprof("man").out;
  for (auto at = page.find("\\-"); at != std::string::npos; at = page.find("\\-", at)) page.erase(at, 1);
  for (const char* verb :
       {"run", "show", "advise", "search", "sql", "export", "merge", "samples", "doctor", "completion"}) {
    const std::string help = ampprof(std::string(verb) + " --help").out;
    EXPECT_NE(page.find(std::string("ampprof ") + verb), std::string::npos) << verb;
    for (auto at = help.find("\n  --"); at != std::string::npos; at = help.find("\n  --", at + 2)) {
      const std::string flag =
          help.substr(at + 3, help.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", at + 3) - at - 3);
      EXPECT_NE(page.find(flag), std::string::npos) << flag << " of " << verb;
    }
  }
}

TEST(ManPageText, NeedsNoRequestOfItsOwn) {
  const std::string page = man_page({{.name = "x",
                                      .usage = "ampprof x",
                                      .about = ".so /etc/passwd",
                                      .options = {{.names = {"--a-b"}, .value = "", .about = "'x\\n", .choices = {}}},
                                      .positionals = {},
                                      .footer = "\n.SH\n"}},
                                    "1");
  EXPECT_NE(page.find("\n\\&.so /etc/passwd\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\\&'x\\en\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-a\\-b\\fR"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\\&.SH\n"), std::string::npos) << page;
}

}  // namespace manual_test
}  // namespace ampprof::cli
