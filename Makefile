# A thin front: each target sets up what it needs (tools/setup) and calls CMake or a script.

PREFIX ?= /usr/local
RELEASE = cmake --preset release >build/release.log && cmake --build --preset release
CLI     = build/release/pliant

TORTURE_FIRST ?= 1
TORTURE_COUNT ?= 10000

.DEFAULT_GOAL := help
.PHONY: help demo studio test torture bench bench-quick method format install pictures check-blender check-arm fuzz wasm clean

help:
	@echo "make demo            build, run every built-in scene to out/demo/NAME.glb"
	@echo "make studio          build/studio/pliant-studio.html: the Studio, all of it in one page;"
	@echo "                     opens it where there is a display, unless NO_OPEN=1"
	@echo "make test            build and run all tests"
	@echo "make torture         random worlds, as many as TORTURE_COUNT (default 10000), from seed TORTURE_FIRST (1) on"
	@echo "make bench           time every scene and workload beside other engines (docs/performance.md);"
	@echo "                     WORKLOADS=\"W1 octopus\" for some of them, bench-quick for three"
	@echo "make method          what each correction of the papers is worth (docs/method.md), and how elastic"
	@echo "                     things compare with theory (docs/truth.md, with its curves drawn anew)"
	@echo "make install         install libraries, headers and the program to PREFIX ($(PREFIX))"
	@echo "make pictures        draw every scene's moments to out/pictures/NAME.png, and docs/pictures anew"
	@echo "make check-blender   compare Blender's view of every scene with Pliant's own"
	@echo "make check-arm       compare ARM64's hashes, 32-bit x86's and musl's with x86-64's"
	@echo "make fuzz            look for crashes, FUZZ_SECONDS (default 60) for each target"
	@echo "make wasm            build/wasm/pliant.wasm"
	@echo "make format          clang-format all C sources"
	@echo "make clean           remove build/ and out/"

build:
	@mkdir -p build

demo: | build
	@tools/setup build
	@$(RELEASE) --target pliant-cli
	@tools/demo $(CLI) out/demo

studio:
	@tools/setup studio
	@tools/studio

test:
	@tools/setup test
	@tools/test

torture: | build
	@tools/setup test
	@$(RELEASE) --target torture
	@build/release/torture --first $(TORTURE_FIRST) --count $(TORTURE_COUNT)

bench:
	@tools/setup bench
	@tools/bench $(WORKLOADS)

bench-quick:
	@tools/setup bench
	@tools/bench --quick

method: | build
	@tools/setup build
	@$(RELEASE) --target pliant-method --target pliant-truth
	@build/release/pliant-method
	@build/release/pliant-truth docs/pictures

format:
	@tools/setup test
	@tools/format

install: | build
	@tools/setup build
	@$(RELEASE)
	cmake --install build/release --prefix "$(PREFIX)"

pictures: | build
	@tools/setup pictures
	@$(RELEASE) --target pliant-cli
	@tools/pictures/all $(CLI) out/pictures

check-blender: | build
	@tools/setup blender
	@$(RELEASE) --target pliant-cli skin_dump
	@tests/blender/check $(CLI) build/release/skin_dump

check-arm:
	@tools/setup arm
	@tests/determinism/elsewhere out/elsewhere

fuzz:
	@tools/setup test
	@tools/fuzz

wasm: | build
	@tools/setup test
	@cmake --preset wasm >build/wasm.log && cmake --build --preset wasm

clean:
	rm -rf build out
