"""Print a table of speedup and efficiency from measured times."""

import sys
from collections import defaultdict
from statistics import median

import numpy as np

if len(sys.argv) > 1:  # a file with lines such as "4 31.7": processes and seconds
    pairs = np.loadtxt(sys.argv[1], ndmin=2)
else:  # computed, not measured: 5% of the run is serial
    pairs = [(p, 600 * (0.05 + 0.95 / p)) for p in (1, 2, 4, 8, 16, 32)]

runs = defaultdict(list)
for processes, seconds in pairs:
    runs[int(processes)].append(seconds)
counts = sorted(runs)
times = [median(runs[count]) for count in counts]  # of the repeated runs

print("| Processes | Time (s) | Speedup | Efficiency | Cost (process-hours) |")
print("| --: | --: | --: | --: | --: |")
for count, seconds in zip(counts, times):
    speedup = counts[0] * times[0] / seconds  # the smallest run counts as 100%
    cells = f"{seconds:.1f} | {speedup:.2f} | {speedup / count:.0%}"
    print(f"| {count} | {cells} | {count * seconds / 3600:.2f} |")

# Amdahl's law: time = serial + parallel / processes. Fit both parts to all times.
terms = np.column_stack([np.ones(len(counts)), 1 / np.array(counts)])
(serial, parallel), *_ = np.linalg.lstsq(terms, times, rcond=None)
print(f"\nSerial fraction, fitted: {serial / (serial + parallel):.1%}")
