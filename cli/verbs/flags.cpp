// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/errors.h"
#include "precision/rules/device.h"

namespace ampprof::cli {
namespace {

class FixedUsage : public CLI::Formatter {
 public:
  explicit FixedUsage(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + '\n'; }

  // Without what "--no-" would set.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (const auto brace = name.find('{'); brace != std::string::npos) name.erase(brace);
    return name;
  }

  // Without the variable of each flag: the footer tells the rule.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : ' ' + option->get_type_name();
  }

 private:
  std::string usage_;
};

}  // namespace

std::string variable_of(const std::string& flag) {
  std::string name = "AMPPROF_" + flag.substr(2);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
  return name;
}

CLI::Option* add_flag(CLI::App& app, const std::string& flag, bool& value, const std::string& about) {
  return app.add_flag(flag, value, about)->envname(variable_of(flag));
}

CLI::Option* add_choice(CLI::App& app, const std::string& flag, std::optional<bool>& value, const std::string& about) {
  // A bound optional would be false where the flag is not given.
  const auto set = [&value](std::int64_t said) { value = said > 0; };
  return app.add_flag_function(flag + ",!--no-" + flag.substr(2), set, about)->envname(variable_of(flag));
}

CLI::Option* add_format(CLI::App& app, std::string& format) {
  return add_option(app, "--format", format, "table, json, csv or md")->type_name("FORMAT");
}

void add_row_selection(CLI::App& app, Selection& selection) {
  add_option(app, "--phase", selection.phase, "forward, backward, optimizer or inference")->type_name("PHASE");
  add_option(app, "--op", selection.op, "ops whose name holds this regular expression")->type_name("REGEX");
  add_option(app, "--module", selection.module, "modules whose path holds this regular expression")->type_name("REGEX");
  add_option(app, "--sort", selection.sort, "largest first by this key")->type_name("KEY");
  add_option(app, "--limit", selection.limit, "print N rows")->type_name("N");
}

void check_gpu(const std::string& name) {
  if (name.empty() || device_caps(name)) return;
  throw UsageError(fmt::format("--target-gpu: '{}' is no GPU that ampprof knows. Write sm_90, A100, T4, ...", name));
}

void set_usage(CLI::App& app, const std::string& usage) { app.formatter(std::make_shared<FixedUsage>(usage)); }

bool parse(CLI::App& app, const Arguments& arguments) {
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}. See: {} --help", error.what(), app.get_name()));
  }
}

}  // namespace ampprof::cli
