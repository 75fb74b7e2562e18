// How far a tool has come, told to whoever listens, who may stop it.
//
// A tool is the range from 0 to 1. A stage of it narrows that to its own part, and what the stage calls narrows it further:
// every function tells of itself from 0 to 1, whoever called it. Once it is stopped all that ask are told to stop,
// and the work unwinds as it does when memory runs out; the end of the tool tells one from the other (tools.h).

#ifndef PLIANT_AUTHOR_IO_PROGRESS_H
#define PLIANT_AUTHOR_IO_PROGRESS_H

#include <pliant/draft.h>

enum { PROGRESS_STRIDE = 256 };

// Of the whole.
typedef struct progress_range {
    float begin, end;
} progress_range;

typedef struct draft_progress {
    pliant_progress listener;
    progress_range range; // of the stage at hand
    float told;           // the part that was told last
    bool is_stopped;
} draft_progress;

// Below, NULL stands for progress that nobody listens to.

// From 0, and to 1, when nothing can be stopped any more.
void pli_progress_begin(draft_progress *progress);
void pli_progress_end(draft_progress *progress);

progress_range pli_progress_range(const draft_progress *progress);
// The next stage lies between two parts of a range, which is one that this function's caller gave it.
void pli_progress_narrow(draft_progress *progress, progress_range within, float from, float to);
// One of rounds whose number nobody knows: it has most of what those before it have left of the range.
void pli_progress_round(draft_progress *progress, progress_range within, int round);

// That a part of the stage at hand is done. False: stop.
bool pli_progress_tell(draft_progress *progress, float part);

// The same for item `index` of many that take microseconds each.
static inline bool progress_goes_on(draft_progress *progress, int32_t index, int32_t count)
{
    return index % PROGRESS_STRIDE != 0 || pli_progress_tell(progress, (float)index / (float)count);
}

// The same where nobody can say how many there are, or they are too few to count: the part stays as it is.
static inline bool progress_beats(draft_progress *progress, int32_t index)
{
    return index % PROGRESS_STRIDE != 0 || pli_progress_tell(progress, 0.0f);
}

// Fills in why the work came to nothing: it was stopped, else memory ran out.
pliant_result pli_progress_fail(const draft_progress *progress, pliant_error *error);

#endif
