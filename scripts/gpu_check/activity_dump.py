# SPDX-License-Identifier: Apache-2.0
"""Reads files that AMPPROF_CUPTI_DUMP makes, in the format of profiler/gpu/activity_file.h."""
import collections
import struct

KERNEL = 10  # CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
NO_NAME = 0xFFFFFFFF


def count_records(data):
    """Returns {CUPTI activity kind: number of records}. Raises ValueError for files of another format."""
    if data[:8] != b"AMPCUPTI" or len(data) < 16:
        raise ValueError("it does not begin like a file of CUPTI activities")
    counts = collections.Counter()
    at = 16
    while at < len(data):
        if data[at:at + 4] != b"BUFF" or at + 48 > len(data):
            raise ValueError(f"no buffer begins at byte {at}")
        (records,) = struct.unpack_from("<I", data, at + 44)
        at += 48
        for _ in range(records):
            if at + 12 > len(data):
                raise ValueError("it ends within a record")
            kind, size, name = struct.unpack_from("<III", data, at)
            at += 12 + size + (0 if name == NO_NAME else name)
            counts[kind] += 1
    if at != len(data):
        raise ValueError("it ends within a record")
    return counts
