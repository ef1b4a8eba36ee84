#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kernels' costs with a table: registers, and instructions of the loop that takes eight elements per lane.

Run: kernel_costs.py NVCC ROOT TABLE [--update]. Exits with 77 and a reason if there is no nvcc of the table's version.
Compiles for one architecture; for all of them if AMPPROF_LONG_TESTS is set, and for --update.

The compiler reports registers and spills. Instructions are read from the machine code, 16 bytes each. From sm_75 to
sm_100 the opcodes and fields of branches and loads are the same except for a branch's distance, so no disassembler is
needed. nvdisasm 13.5 finds the same numbers.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
SOURCES = ["precision/error/kernels_cuda.cu", "precision/sketch/kernels_cuda.cu"]
ARCHITECTURES = [75, 80, 90, 100]
FIRST = [90]
KERNELS = {
    "half against float": "7measureI6__halffNS1_5Alone",
    "bfloat16 against float": "7measureI13__nv_bfloat16fNS1_5Alone",
    "float against float": "7measureIffNS1_5Alone",
    "half alone": "7measureI6__halfNS1_11NoReferenceENS1_5Alone",
    "float alone": "7measureIfNS1_11NoReferenceENS1_5Alone",
    "half against float, sketched": "7measureI6__halffNS_6sketch",
    "sketch of half": "10add_valuesINS1_10SketchLaneI6__half",
}
ELEMENTS = 8
BRANCH, EXIT, LOADS = 0x947, 0x94D, (0x381, 0x981)  # the lowest 12 bits of an instruction
ALWAYS = 7  # the predicate, in the next 4 bits
WIDE_LOAD = 5  # 8 bytes; the 3 bits from bit 72 on


def compiled(nvcc, root, architecture, folder):
    """Yields the machine code of each source's kernels, and the compiler's output about them."""
    for source in SOURCES:
        cubin = Path(folder) / f"{architecture}.cubin"
        command = [nvcc, "-std=c++20", "--expt-relaxed-constexpr", "-O3", "-cubin", f"-arch=sm_{architecture}",
                   "-Xptxas", "-v", f"-I{root}", f"{root}/{source}", "-o", cubin]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        yield sections(cubin.read_bytes()), said


def sections(elf):
    """Returns the sections of a 64-bit ELF file by name."""
    at, size, count, names = (struct.unpack_from(form, elf, place)[0] for form, place in
                              (("<Q", 0x28), ("<H", 0x3A), ("<H", 0x3C), ("<H", 0x3E)))
    headers = [struct.unpack_from("<IIQQQQ", elf, at + i * size) for i in range(count)]
    strings = headers[names][4]
    return {elf[strings + h[0]:elf.index(b"\0", strings + h[0])].decode(): elf[h[4]:h[4] + h[5]] for h in headers}


def jump(instruction, architecture):
    """Returns the distance of a branch in bytes, counted from the instruction after it."""
    high = instruction >> 34 & (1 << 48) - 1
    high -= (high >> 47) << 48
    return (high << 8 | instruction >> 16 & 0xFF) * 4 if architecture >= 90 else high * 4


def main_loop(code, architecture):
    """Returns the number of instructions of the innermost loop with wide loads, or of the largest loop if none has wide
    loads.
    Leaves out instructions that only run after the loop."""
    all_of_it = [int.from_bytes(code[i:i + 16], "little") for i in range(0, len(code), 16)]
    end = next(i for i, x in enumerate(all_of_it) if x & 0xFFF == EXIT and x >> 12 & 15 == ALWAYS)
    loops = []
    for i, instruction in enumerate(all_of_it[:end]):
        if instruction & 0xFFF == BRANCH and (distance := jump(instruction, architecture)) < -16:
            loops.append((i + 1 + distance // 16, i))
    wide = [loop for loop in loops if any(x & 0xFFF in LOADS and x >> 73 & 7 >= WIDE_LOAD
                                          for x in all_of_it[loop[0]:loop[1] + 1])]
    candidates = sorted(last - first + 1 for first, last in wide or loops)
    return candidates[0] if wide else candidates[-1]


def costs_of(nvcc, root, architectures):
    """Yields (kernel, architecture, registers, spilled bytes, instructions per element)."""
    with tempfile.TemporaryDirectory() as folder:
        for architecture in architectures:
            for code, said in compiled(nvcc, root, architecture, folder):
                figures = {name: (int(registers), int(spilled)) for name, spilled, registers in re.findall(
                    r"Function properties for (\S+)\n.* (\d+) bytes spill stores.*\n.*Used (\d+) registers", said)}
                for kernel, mangled in KERNELS.items():
                    for name, (registers, spilled) in figures.items():
                        if mangled in name:
                            instructions = main_loop(code[".text." + name], architecture) / ELEMENTS
                            yield kernel, architecture, registers, spilled, instructions


def version_of(nvcc):
    """Returns the compiler's version as NVIDIA writes it: 13.0."""
    said = subprocess.run([nvcc, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"release ([\d.]+)", said).group(1)


def read(table):
    """Returns the table's compiler version, and the limits of each kernel and architecture."""
    lines = [line for line in table.read_text().splitlines() if line and not line.startswith("#")]
    rows = (re.split(r" {2,}", line) for line in lines[1:])
    return lines[0].split()[-1], {(row[0], int(row[1])): [float(x) for x in row[2:]] for row in rows}


def main():
    nvcc, root, table = shutil.which(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    if not nvcc:
        print("there is no nvcc, so the cost of kernels is not known")
        return SKIPPED
    version, limits = read(table)
    is_update = sys.argv[4:] == ["--update"]
    if version_of(nvcc) != version and not is_update:
        print(f"nvcc {version_of(nvcc)} makes other code than {version}, by which the table was made")
        return SKIPPED
    architectures = ARCHITECTURES if is_update or "AMPPROF_LONG_TESTS" in os.environ else FIRST
    rows = list(costs_of(nvcc, root, architectures))
    text = [f"{kernel:<30}{architecture:<6}{registers:<5}{spilled:<5}{instructions:.2f}"
            for kernel, architecture, registers, spilled, instructions in sorted(rows, key=lambda row: (list(KERNELS).index(row[0]), row[1]))]
    if is_update:
        head = [line for line in table.read_text().splitlines() if line.startswith("#")]
        table.write_text("\n".join(head + [f"by nvcc {version_of(nvcc)}"] + text) + "\n")
        return 0
    worse = [row for row in rows if any(now > limit + 0.01 for now, limit in zip(row[2:], limits.get(row[:2], [0, 0, 0])))]
    missing = {key for key in limits if key[1] in architectures} - {row[:2] for row in rows}
    for row in worse:
        print("costs more than in the table:", *row, "limits:", *limits.get(row[:2], ["none"]))
    for row in missing:
        print("in the table, but not compiled:", *row)
    return 1 if worse or missing or not rows else 0


sys.exit(main())
