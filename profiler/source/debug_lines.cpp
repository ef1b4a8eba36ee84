// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/debug_lines.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>

namespace ampprof::profiler {
namespace {

// find_debuginfo is not libdw's standard callback, which asks debuginfod servers if DEBUGINFOD_URLS names some.
const Dwfl_Callbacks kCallbacks{.find_elf = dwfl_linux_proc_find_elf,
                                .find_debuginfo = dwfl_build_id_find_debuginfo,
                                .section_address = nullptr,
                                .debuginfo_path = nullptr};

std::string text(const char* name) { return name == nullptr ? "" : name; }

/// Makes a path absolute. DWARF may name files relative to the directory in which the compiler ran (DW_AT_comp_dir).
std::string absolute(const std::string& file, Dwarf_Die* unit) {
  if (file.empty()) return "";
  Dwarf_Attribute attribute;
  const std::filesystem::path folder = text(dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)));
  return (folder / file).lexically_normal();
}

std::uint64_t number(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value{};
  dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
  return value;
}

/// Returns the position of the call that was inlined, from its DWARF entry.
DebugLines::Position call_of(Dwarf_Die* inlined, Dwarf_Die* unit) {
  Dwarf_Files* files = nullptr;
  std::size_t count{};
  dwarf_getsrcfiles(unit, &files, &count);
  const char* file = dwarf_filesrc(files, number(inlined, DW_AT_call_file), nullptr, nullptr);  // null if out of range
  return {absolute(text(file), unit), static_cast<int>(number(inlined, DW_AT_call_line))};
}

/// An array that libdw allocated.
class Scopes {
 public:
  template <typename Get>
  explicit Scopes(Get&& get) : count_(get(&first_)) {}
  ~Scopes() { std::free(first_); }
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  std::span<Dwarf_Die> all() const { return {first_, static_cast<std::size_t>(std::max(count_, 0))}; }

 private:
  Dwarf_Die* first_ = nullptr;
  int count_;
};

/// Returns the positions of the calls that were inlined at an address, innermost first.
std::vector<DebugLines::Position> calls_around(Dwarf_Die* unit, Dwarf_Addr address) {
  const Scopes at_address([&](Dwarf_Die** first) { return dwarf_getscopes(unit, address, first); });
  // The outer scopes in `at_address` surround the definition of the inlined function. The scopes in `around` surround
  // the call of that function.
  const Scopes around([&](Dwarf_Die** first) { return dwarf_getscopes_die(at_address.all().data(), first); });
  std::vector<DebugLines::Position> calls;
  for (Dwarf_Die& scope : around.all()) {
    if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) calls.push_back(call_of(&scope, unit));
  }
  return calls;
}

}  // namespace

void DebugLines::End::operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }

DebugLines::DebugLines() : dwfl_(dwfl_begin(&kCallbacks)) {
  if (dwfl_ == nullptr || dwfl_linux_proc_report(dwfl_.get(), getpid()) != 0 ||
      dwfl_report_end(dwfl_.get(), nullptr, nullptr) != 0) {
    dwfl_.reset();
  }
}

std::vector<DebugLines::Position> DebugLines::positions_of(std::uintptr_t address) const {
  Dwfl_Module* module = dwfl_ == nullptr ? nullptr : dwfl_addrmodule(dwfl_.get(), address);
  Dwfl_Line* line = module == nullptr ? nullptr : dwfl_module_getsrc(module, address);
  Dwarf_Addr bias{};
  Dwarf_Die* unit = line == nullptr ? nullptr : dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return {};
  Position innermost;
  innermost.file = absolute(text(dwfl_lineinfo(line, nullptr, &innermost.line, nullptr, nullptr, nullptr)), unit);
  std::vector<Position> positions = calls_around(unit, address - bias);
  positions.insert(positions.begin(), innermost);
  return positions;
}

std::string DebugLines::function_at(std::uintptr_t address) const {
  Dwfl_Module* module = dwfl_ == nullptr ? nullptr : dwfl_addrmodule(dwfl_.get(), address);
  const char* symbol = module == nullptr ? nullptr : dwfl_module_addrname(module, address);
  if (symbol == nullptr) return "";
  const std::unique_ptr<char, decltype(&std::free)> demangled(abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr),
                                                              std::free);
  return demangled == nullptr ? symbol : demangled.get();
}

}  // namespace ampprof::profiler
