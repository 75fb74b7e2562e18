# Older versions of CMake do not know this system; there is nothing to say but that it exists.
set(CMAKE_DL_LIBS "")
