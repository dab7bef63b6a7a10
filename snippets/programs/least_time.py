"""The shortest time that a GPU can take: its memory and its units set the limit."""


def least_time(bytes_moved, operations, bandwidth, rate):
    """Seconds to move the bytes or to compute, whichever takes longer."""
    return max(bytes_moved / bandwidth, operations / rate)


# Bytes/s of the memory, and float32 operations/s of the units.
H100 = {"bandwidth": 3.35e12, "rate": 66.9e12}
n, passes = 3_000_000_000, 10
# A pass reads two numbers of 4 bytes and writes one.
floor = least_time(passes * 3 * 4 * n, passes * n, **H100)
print(f"ten products of 3e9 pairs on an H100: at least {floor:.3f} s")
times = floor / 0.001643
print(f"a published 0.001643 s would be {times:.0f} times faster than memory allows")
