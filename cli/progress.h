// A progress bar on the terminal, and nothing anywhere else.

#ifndef PLIANT_CLI_PROGRESS_H
#define PLIANT_CLI_PROGRESS_H

#include <stdbool.h>

// Seconds on a clock that never goes back.
double progress_clock(void);

typedef struct progress {
    bool visible;
    int total;
    double next_draw; // s
} progress;

// Visible when standard error is a terminal and `wanted`, from half a second on: what is shorter needs none.
progress progress_begin(int total, bool wanted);
void progress_show(progress *bar, int done);
// Wipes the bar away.
void progress_end(progress *bar);

#endif
