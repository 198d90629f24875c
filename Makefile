# The front door. Each target installs what it needs first (scripts/setup); `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help demo build python test test-tsan test-peers test-perf fuzz bench bench-kernels bench-tables lint format clean

help:  ## list these targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: build  ## build, then run the tour: every seed example next to the plan it becomes
	@build/release/bin/garner tour

build:  ## build the library and the garner command into build/release
	@scripts/setup build
	@scripts/build release -DGARNER_TESTS=OFF -DGARNER_BENCH=OFF

python: build  ## make .venv with the Python package garner installed
	@scripts/setup python
	@scripts/python

test:  ## all checks: g++ release, clang ASan+UBSan, the Python package, layers, install, coverage
	@scripts/setup test
	@scripts/test

test-tsan:  ## the tests under ThreadSanitizer
	@scripts/setup test
	@scripts/ctest tsan

test-peers:  ## the Python package against PyTorch, JAX, TensorFlow and ONNX Runtime, in environments of their own
	@scripts/setup test
	@scripts/test_peers

fuzz:  ## the readers under libFuzzer, FUZZ_SECONDS=60 each (call, plan, StableHLO, npy, npz, safetensors, ONNX)
	@scripts/setup test
	@scripts/fuzz $(FUZZ_TARGETS)

bench:  ## ceilings, every workload, every peer, one table (BENCH_ARGS="--quick", "--only row256,elem"; docs/performance)
	@scripts/setup bench
	@scripts/bench $(BENCH_ARGS)

bench-kernels:  ## the kernels alone, with google-benchmark (BENCH_ARGS="--benchmark_filter=...")
	@scripts/setup bench
	@scripts/build release -DGARNER_TESTS=OFF -DGARNER_BENCH=ON
	@build/release/bin/garner_bench $(BENCH_ARGS)

bench-tables:  ## tables on disk against fio, np.memmap and mmap, over ranks against PetscSF (BENCH_ARGS="--folder DIR --size GIB"; docs/performance/tables.md)
	@scripts/setup bench
	@scripts/bench_tables $(BENCH_ARGS)
	@scripts/bench_ranks

test-perf:  ## a few ratios of ours to a plain loop, with wide margins
	@scripts/setup bench
	@scripts/test_perf

lint:  ## clang-format and clang-tidy, warnings are errors
	@scripts/setup lint
	@scripts/lint

format:  ## let clang-format rewrite the sources
	@scripts/setup lint
	@git ls-files '*.cc' '*.h' | xargs clang-format-19 -i

clean:  ## remove build/
	@rm -rf build
