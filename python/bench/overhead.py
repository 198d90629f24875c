"""What a small call costs from Python: 16 elements, NumPy arrays in and out, the best of several runs."""
import timeit

import numpy as np

import garner

CALLS, RUNS = 20_000, 7


def microseconds(call):
    return min(timeit.repeat(call, number=CALLS, repeat=RUNS)) / CALLS * 1e6


def main():
    table, index = np.arange(16, dtype=np.float32).reshape(4, 4), np.zeros((4, 4), np.int64)
    gather = garner.torch.gather
    ours = microseconds(lambda: gather(table, 1, index))
    theirs = microseconds(lambda: np.take_along_axis(table, index, 1))
    print(f"overhead: garner.torch.gather of 16 elements {ours:.2f} us a call (goal 2), numpy.take_along_axis {theirs:.2f} us")


main()
