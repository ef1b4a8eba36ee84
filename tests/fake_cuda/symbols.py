#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the fake CUDA library must export: all symbols that LibTorch imports from CUDA's libraries, with
versions.

symbols.py NM LIBTORCH_LIB OUT writes OUT/refusals.inc, OUT/versions.map, and the runtime's name to OUT/soname
"""
import collections
import pathlib
import re
import subprocess
import sys

VERSIONED = re.compile(r"@(lib(?:cu|nccl|nv)[^@]*|NVSHMEM\w*)$")
PLAIN = re.compile(r"(?:cu|nccl|nvshmem|nvrtc)[A-Za-z0-9_]+$")
# Each library's error "not supported". Functions that are not implemented return it.
REFUSALS = {"cudnn": 3000, "cublas": 15}
ALL_OTHERS = 801


def imported(nm, library):
    lines = subprocess.run([nm, "-D", "--undefined-only", str(library)], check=True, capture_output=True, text=True)
    return (line.split()[-1] for line in lines.stdout.splitlines() if line.split())


def main(nm, folder, out):
    versions = collections.defaultdict(set)
    plain = set()
    for library in sorted(pathlib.Path(folder).glob("*.so")):
        for symbol in imported(nm, library):
            version = VERSIONED.search(symbol)
            if version and not version[1].startswith("libcupti"):
                versions[version[1]].add(symbol[: version.start()].rstrip("@"))
            elif "@" not in symbol and PLAIN.match(symbol):
                plain.add(symbol)
    names = sorted(plain.union(*versions.values()))
    out = pathlib.Path(out)
    out.joinpath("refusals.inc").write_text("".join(
        f"REFUSES({name}, {next((code for start, code in REFUSALS.items() if name.startswith(start)), ALL_OTHERS)})\n"
        for name in names))
    parts = [f"{version} {{ global: {' '.join(name + ';' for name in sorted(of))} }};" for version, of in sorted(versions.items())]
    parts.append("STAND_IN { global: fake_cuda_*; cu*; nccl*; nvshmem*; nvrtc*; local: *; };")
    out.joinpath("versions.map").write_text("\n".join(parts) + "\n")
    out.joinpath("soname").write_text(next(version for version in versions if version.startswith("libcudart.so.")) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
