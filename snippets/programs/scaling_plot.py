"""Plot the speedup from measured times, with the ideal line, for a proposal."""

import sys

import matplotlib

matplotlib.use("Agg")  # a compute node has no screen
import matplotlib.pyplot as plt
import numpy as np

if len(sys.argv) > 1:  # a file with lines such as "4 31.7": processes and seconds
    processes, seconds = np.loadtxt(sys.argv[1], ndmin=2).T
else:  # computed, not measured: 5% of the run is serial
    processes = np.array([1, 2, 4, 8, 16, 32])
    seconds = 600 * (0.05 + 0.95 / processes)

counts = np.unique(processes)
times = np.array([np.median(seconds[processes == count]) for count in counts])
figure, axes = plt.subplots(figsize=(5, 4))
axes.plot(counts, counts, "--", color="gray", label="ideal")
axes.plot(counts, counts[0] * times[0] / times, "o-", label="this program")
axes.set(xscale="log", yscale="log", xlabel="GPUs", ylabel="speedup")
axes.set_xticks(counts, [f"{count:g}" for count in counts])
axes.minorticks_off()
axes.legend()
figure.savefig("scaling.svg", bbox_inches="tight")
print(f"scaling.svg: {len(counts)} process counts, up to {counts[-1]:g}")
