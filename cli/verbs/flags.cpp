// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/flags.h"

#include <fmt/format.h>

#include "amp_core/levels/level.h"
#include "analysis/ops/nearest.h"
#include "cli/launch/run/prepare.h"
#include "cli/verbs/describe.h"
#include "reports/recording/options.h"
#include "reports/records/phase.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"
#include "views/ops/views.h"

namespace ampprof::cli {
namespace {

constexpr std::string_view kChoice = "choice: ";
constexpr std::string_view kList = "list: ";

class FixedUsage : public CLI::Formatter {
 public:
  explicit FixedUsage(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + '\n'; }

  // Removes "{false}", which CLI11 appends to the name of a --no- flag.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    if (const auto brace = name.find('{'); brace != std::string::npos) name.erase(brace);
    return name;
  }

  // Prints one empty line above each group. CLI11 prints two above all groups except the first, which has --help.
  std::string make_group(std::string group, bool is_positional, std::vector<const CLI::Option*> opts) const override {
    const bool is_first = is_positional || opts.front()->check_lname("help");
    return CLI::Formatter::make_group(group, is_positional, opts).substr(is_first ? 0 : 1);
  }

  // Prints one empty line above the footer: CLI11 adds one, and a footer may begin with another.
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = CLI::Formatter::make_footer(app);
    return footer.substr(footer.starts_with('\n') ? 1 : 0);
  }

  // Omits the environment variable of each flag: the footer says how variables are named.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : ' ' + option->get_type_name();
  }

 private:
  std::string usage_;
};

void read_choices(const CLI::Option& option, OptionDescription& description) {
  try {
    for (int i = 0;; ++i) {
      const std::string& name = const_cast<CLI::Option&>(option).get_validator(i)->get_name();
      description.is_list = description.is_list || name.starts_with(kList);
      if (!name.starts_with(kChoice) && !name.starts_with(kList)) continue;
      description.choices = CLI::detail::split(name.substr(name.find(' ') + 1), ' ');
    }
  } catch (const CLI::OptionNotFound&) {  // no more positionals
  }
}

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription description;
  for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
  const bool is_positional = description.names.empty();
  if (is_positional) {
    description.value = option.get_name(true);
  } else if (option.get_type_size() > 0) {
    description.value = option.get_type_name();
  }
  description.about = option.get_description();
  description.is_repeated = is_positional && option.get_items_expected_max() > 1;
  read_choices(option, description);
  return description;
}

VerbDescription description_of(const CLI::App& app) {
  constexpr std::string_view kUsage = "Usage: ";
  VerbDescription description;
  description.name = app.get_name().substr(app.get_name().find(' ') + 1);
  description.about = app.get_description();
  description.footer = app.get_footer();
  description.runs_program = app.get_prefix_command();
  const std::string usage = dynamic_cast<const CLI::Formatter&>(*app.get_formatter()).make_usage(&app, app.get_name());
  for (const std::string& line : CLI::detail::split(usage, '\n')) {
    if (line.starts_with(kUsage)) description.usage = line.substr(kUsage.size());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option == app.get_help_ptr()) continue;  // hidden options, and --help
    auto& options = option->get_positional() ? description.positionals : description.options;
    options.push_back(description_of(*option));
  }
  return description;
}

/// Returns the error for an argument that no option or positional of the verb takes.
text::UsageError unexpected(const CLI::App& app, const std::string& argument) {
  if (!argument.starts_with('-')) {
    return text::UsageError(fmt::format("Unexpected argument '{}'. See: {} --help", argument, app.get_name()));
  }
  const std::string flag = argument.substr(0, argument.find('='));
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return text::UsageError(
      fmt::format("Unknown option '{}'.{} See: {} --help", flag, analysis::did_you_mean(flag, flags), app.get_name()));
}

}  // namespace

std::string variable_of(std::string_view flag) { return recording::variable_of(flag, "AMPPROF_"); }

CLI::Option* add_flag(CLI::App& app, const std::string& flag, bool& value, const std::string& about) {
  return app.add_flag(flag, value, about)->envname(variable_of(flag));
}

CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& choices, bool is_list) {
  // Stores the choices in the name of a validator that accepts everything: CLI11 has no other field for them.
  const auto pass = [](std::string&) { return std::string(); };
  return option->check(
      CLI::Validator(pass, "", fmt::format("{}{}", is_list ? kList : kChoice, fmt::join(choices, " "))));
}

std::vector<std::string> opt_levels() { return amp::level_names(); }

CLI::Option* add_format(CLI::App& app, std::string& format) {
  return one_of(
      add_option(app, "--format", format, "print as table, json, csv or md (default: table)")->type_name("FORMAT"),
      {"table", "json", "csv", "md"});
}

CLI::Option* add_run(CLI::App& app, std::optional<std::string>& run) {
  return one_of(add_option(app, "--run", run, "take one run only: its id or its level (default: all)"), opt_levels())
      ->type_name("ID|LEVEL");
}

void add_row_selection(CLI::App& app, views::Selection& selection) {
  const std::vector<std::string> phases = phase_names();
  const std::string about =
      fmt::format("take one phase only: {} (or the short form of tables: bwd, opt, eval)", text::listed(phases, "or"));
  one_of(add_option(app, "--phase", selection.phase, about), phases)->type_name("PHASE");
  add_option(app, "--op", selection.op, "take ops whose name matches this regular expression")->type_name("REGEX");
  add_option(app, "--module", selection.module, "take modules whose path matches this regular expression")
      ->type_name("REGEX");
  add_option(app, "--sort", selection.sort, "sort by this key or title of a column: numbers descend, text ascends")
      ->type_name("KEY");
  add_option(app, "--limit", selection.limit, "print N rows")
      ->check([](const std::string& text) { return text.starts_with('-') ? "write a number of rows, 0 or more" : ""; })
      ->type_name("N");
}

void check_gpu(const std::string& name) {
  if (!name.empty()) check_target_gpu(name);
}

void set_usage(CLI::App& app, const std::string& usage) { app.formatter(std::make_shared<FixedUsage>(usage)); }

bool parse(CLI::App& app, const Arguments& arguments) {
  if (arguments == Arguments{kDescribe}) throw Described(description_of(app));
  const bool only_parses = !arguments.empty() && arguments.front() == kParseOnly;
  try {
    Arguments reversed(arguments.rbegin(), arguments.rend() - (only_parses ? 1 : 0));  // CLI11 wants reverse order
    app.parse(reversed);
    if (only_parses) throw Parsed();
    return true;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ExtrasError&) {
    throw unexpected(app, app.remaining().front());
  } catch (const CLI::ParseError& error) {
    throw text::UsageError(fmt::format("{}. See: {} --help", error.what(), app.get_name()));
  }
}

Arguments program_behind(const CLI::App& app) {
  Arguments command = app.remaining();
  const bool marked = !command.empty() && command.front() == "--";
  if (marked) command.erase(command.begin());
  if (command.empty())
    throw text::UsageError(
        fmt::format("No program to run. Write it after the options. See: {} --help", app.get_name()));
  if (!marked && command.front().starts_with('-')) throw unexpected(app, command.front());
  return command;
}

CLI::Validator positive() {
  const auto check = [](const std::string& text) {
    double value = 0;
    const bool is_fine = CLI::detail::lexical_cast(text, value) && value > 0;
    return is_fine ? std::string() : "write a number above 0, not " + text;
  };
  return CLI::Validator(check, "");
}

}  // namespace ampprof::cli
