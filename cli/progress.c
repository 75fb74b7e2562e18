// The progress bar: one line that overwrites itself, at most twenty times a second.

#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_begin(int total, bool wanted)
{
    return (progress){.visible = wanted && total > 0 && isatty(STDERR_FILENO),
                      .total = total,
                      .next_draw = progress_clock() + 0.5};
}

void progress_show(progress *bar, int done)
{
    if (!bar->visible)
        return;
    double now = progress_clock();
    if (now < bar->next_draw)
        return;
    bar->next_draw = now + 0.05;
    enum { WIDTH = 40 };
    int filled = (int)((long long)WIDTH * done / bar->total);
    char cells[WIDTH + 1];
    for (int i = 0; i < WIDTH; ++i)
        cells[i] = i < filled ? '#' : '.';
    cells[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %d/%d", cells, done, bar->total);
    fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->visible)
        fputs("\r\033[K", stderr);
    bar->visible = false;
}
