# Builds for WebAssembly with plain clang, lld and wasi-libc as distributions package them. tools/setup installs Clang 19
# where the one called clang is older: what Clang 14 makes of the solver is up to 8 % slower.

list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(CMAKE_C_COMPILER NAMES clang-19 clang REQUIRED)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
find_program(CMAKE_AR NAMES llvm-ar-19 llvm-ar REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-19 llvm-ranlib REQUIRED)
set(CMAKE_C_FLAGS_INIT -msimd128)
# A test program cannot be linked before the runtime library is known to be there.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
