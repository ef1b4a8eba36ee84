// SPDX-License-Identifier: Apache-2.0
// A mapped library calls other libraries through address slots, which the dynamic linker has filled by symbol name (ELF
// relocations). This file fills the slots of interposed functions with the stub's functions.
#include "profiler/preload/late_interposition.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>

#include "profiler/preload/interposed.h"

extern ampprof::preload::InterposedSymbol first_interposed[] __asm__("__start_ampprof_interposed");
extern ampprof::preload::InterposedSymbol last_interposed[] __asm__("__stop_ampprof_interposed");

namespace ampprof::preload {
namespace {

using Functions = std::unordered_map<std::string_view, std::uintptr_t>;  ///< addresses by symbol

/// Looks the functions up in the stub alone: a global search would find LibTorch's functions.
Functions interposed_functions(void* library) {
  Functions functions;
  for (const InterposedSymbol& each : interposed_symbols()) {
    functions[each.symbol] = reinterpret_cast<std::uintptr_t>(dlsym(library, each.symbol));
  }
  return functions;
}

/// The relocations in a library's dynamic section.
struct Relocations {
  const char* strings = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  std::span<const ElfW(Rela)> data;
  std::span<const ElfW(Rela)> calls;
};

Relocations relocations_of(ElfW(Addr) base, const ElfW(Dyn) * entry) {
  Relocations found;
  const ElfW(Rela)* data = nullptr;
  const ElfW(Rela)* calls = nullptr;
  std::size_t data_bytes = 0;
  std::size_t calls_bytes = 0;
  // The dynamic linker has relocated most entries to addresses, but not all.
  const auto address = [&] { return entry->d_un.d_ptr < base ? base + entry->d_un.d_ptr : entry->d_un.d_ptr; };
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) found.strings = reinterpret_cast<const char*>(address());
    if (entry->d_tag == DT_SYMTAB) found.symbols = reinterpret_cast<const ElfW(Sym)*>(address());
    if (entry->d_tag == DT_RELA) data = reinterpret_cast<const ElfW(Rela)*>(address());
    if (entry->d_tag == DT_RELASZ) data_bytes = entry->d_un.d_val;
    if (entry->d_tag == DT_JMPREL) calls = reinterpret_cast<const ElfW(Rela)*>(address());
    if (entry->d_tag == DT_PLTRELSZ) calls_bytes = entry->d_un.d_val;
  }
  if (data != nullptr) found.data = {data, data_bytes / sizeof(ElfW(Rela))};
  if (calls != nullptr) found.calls = {calls, calls_bytes / sizeof(ElfW(Rela))};
  return found;
}

/// A mapped library whose slots are to be filled again.
class Library {
 public:
  explicit Library(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    for (const auto& header : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
      if (header.p_type == PT_DYNAMIC) dynamic_ = reinterpret_cast<const ElfW(Dyn)*>(base_ + header.p_vaddr);
      if (header.p_type == PT_GNU_RELRO) read_only_ = {base_ + header.p_vaddr, header.p_memsz};
    }
  }

  void redirect_to(const Functions& functions) const {
    if (dynamic_ == nullptr) return;
    const Relocations all = relocations_of(base_, dynamic_);
    if (all.strings == nullptr || all.symbols == nullptr) return;
    for (const auto list : {all.data, all.calls}) {
      for (const ElfW(Rela) & each : list) {
        if (!holds_address(each)) continue;
        const auto found = functions.find(all.strings + all.symbols[ELF64_R_SYM(each.r_info)].st_name);
        if (found != functions.end() && found->second != 0) fill(base_ + each.r_offset, found->second);
      }
    }
  }

 private:
  struct Range {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
  };

  static bool holds_address(const ElfW(Rela) & relocation) {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || (type == R_X86_64_64 && relocation.r_addend == 0);
  }

  void fill(std::uintptr_t place, std::uintptr_t function) const {
    auto& slot = *reinterpret_cast<std::uintptr_t*>(place);
    if (slot == function) return;
    const bool is_protected = place - read_only_.start < read_only_.bytes;
    const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* page = reinterpret_cast<void*>(place & ~(page_bytes - 1));
    if (is_protected && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return;
    std::atomic_ref(slot).store(function, std::memory_order_relaxed);  // other threads may be reading the slot
    if (is_protected) mprotect(page, page_bytes, PROT_READ);
  }

  ElfW(Addr) base_;
  const ElfW(Dyn) * dynamic_ = nullptr;
  Range read_only_;  ///< read-only after relocation
};

struct Work {
  const Functions& functions;
  ElfW(Addr) own_base;
};

int redirect(dl_phdr_info* info, std::size_t, void* raw) {
  const Work& work = *static_cast<const Work*>(raw);
  if (info->dlpi_addr != work.own_base) Library(*info).redirect_to(work.functions);
  return 0;
}

}  // namespace

std::span<const InterposedSymbol> interposed_symbols() { return {first_interposed, last_interposed}; }

void interpose_in_loaded_libraries() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Dl_info own;
  if (dladdr(reinterpret_cast<void*>(&interpose_in_loaded_libraries), &own) == 0) return;
  void* library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  const Functions functions = interposed_functions(library);
  Work work{functions, reinterpret_cast<ElfW(Addr)>(own.dli_fbase)};
  dl_iterate_phdr(redirect, &work);
}

}  // namespace ampprof::preload
