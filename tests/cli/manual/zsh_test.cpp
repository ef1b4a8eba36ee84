// SPDX-License-Identifier: Apache-2.0
// Presses the tab key in a real zsh, in a pseudo-terminal, and tests the offered completions.
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace ampprof::cli {
namespace zsh_test {

namespace fs = std::filesystem;

// A script that types $1 and a tab, and prints the offered words, sorted, in one line.
constexpr const char* kAsk = R"zsh(zmodload zsh/zpty || exit 8
zpty z zsh -f -i
zpty -w z 'source ./offer.zsh'
zpty -r z text '*<ready>*' || exit 9
zpty -w -n z "$1"$'\t'
zpty -r z text '*<end>*' || exit 9
print -r -- ${${text##*<begin>}%%<end>*} | tr -d '\r' | LC_ALL=C sort -u | tr '\n' ' '
zpty -d z
)zsh";

// Replaces compadd, to which zsh passes the words of each completion, by a function that also prints the words.
constexpr const char* kOffer = R"zsh(PROMPT= RPROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -D -u
bindkey '^I' complete-word
tell-begin() { print -r -- '<begin>' }
tell-end() { print -r -- '<end>' }
compprefuncs=(tell-begin)
comppostfuncs=(tell-end)
compadd() {
  if [[ " ${@[1,(i)(-|--)]}" == *' -'[OAD]' '* ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- $offered
  builtin compadd "$@"
}
print '<rea''dy>'
)zsh";

struct Typed {
  const char* name;
  const char* line;     ///< the typed line, before the tab
  const char* offered;  ///< every offered word, sorted, in one line
};

void PrintTo(const Typed& typed, std::ostream* out) { *out << typed.line; }

class ZshCompletion : public BuiltProgram, public testing::WithParamInterface<Typed> {
 protected:
  ZshCompletion() {
    for (const char* name : {"one.ampprof", "two.ampprof", "notes.txt"}) std::ofstream(work(name)) << "x";
    fs::create_directory(work("sub"));
  }

  std::string offered(const std::string& line) const {
    std::ofstream(work("_ampprof")) << ampprof("completion zsh").out;
    std::ofstream(work("offer.zsh")) << kOffer;
    std::ofstream(work("ask.zsh")) << kAsk;
    const Outcome outcome = shell("timeout 60 zsh -f ask.zsh '" + line + "'");
    EXPECT_EQ(outcome.err, "");
    const auto first = outcome.out.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return outcome.out.substr(first, outcome.out.find_last_not_of(' ') + 1 - first);
  }
};

TEST_P(ZshCompletion, Offers) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "no zsh (Debian: apt-get install zsh)";
  EXPECT_EQ(offered(GetParam().line), GetParam().offered);
}

INSTANTIATE_TEST_SUITE_P(Manual, ZshCompletion,
                         testing::Values(Typed{"verbs", "ampprof s", "samples search serve show sql"},
                                         Typed{"reports", "ampprof show ", "one.ampprof sub two.ampprof"},
                                         Typed{"views", "ampprof show one.ampprof o", "ops optimizer"},
                                         Typed{"flags", "ampprof show one.ampprof --form", "--format"},
                                         Typed{"groups", "ampprof show one.ampprof ops --group-by ", "class module op"},
                                         Typed{"formats_behind_equals", "ampprof show one.ampprof --format=j", "json"},
                                         Typed{"phases", "ampprof show one.ampprof ops --phase b", "backward"},
                                         Typed{"further_levels", "ampprof run --levels O0,O", "O1 O2 O3"},
                                         Typed{"targets", "ampprof export one.ampprof --to ",
                                               "csv folded html json openmetrics perfetto tensorboard"},
                                         Typed{"runs_to_export", "ampprof export one.ampprof --run ", "O0 O1 O2 O3"},
                                         Typed{"output_file", "ampprof export one.ampprof -o n", "notes.txt"},
                                         Typed{"many_reports", "ampprof merge one.ampprof t", "two.ampprof"},
                                         Typed{"hidden_verb", "ampprof ma", ""}),
                         [](const auto& info) { return info.param.name; });

}  // namespace zsh_test
}  // namespace ampprof::cli
