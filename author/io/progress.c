// Ranges within ranges, and the one who listens.

#include "progress.h"

#include "core/error.h"
#include "math/scalar.h"

// Only the end is all of it: sums of parts may round up to 1 before.
#define NEARLY_ALL 0.9999f
// Of what is left: most often the first of such rounds is the last one.
#define ROUND_PART 0.65f

void pli_progress_begin(draft_progress *p)
{
    p->range = (progress_range){0.0f, 1.0f};
    p->told = 0.0f;
    p->is_stopped = false;
    pli_progress_tell(p, 0.0f);
}

void pli_progress_end(draft_progress *p)
{
    if (p->listener.report)
        p->listener.report(1.0f, p->listener.user_data);
}

progress_range pli_progress_range(const draft_progress *p)
{
    return p ? p->range : (progress_range){0.0f, 1.0f};
}

static float part_of(progress_range range, float part)
{
    return range.begin + (range.end - range.begin) * part;
}

void pli_progress_narrow(draft_progress *p, progress_range within, float from, float to)
{
    if (p)
        p->range = (progress_range){part_of(within, from), part_of(within, to)};
}

void pli_progress_round(draft_progress *p, progress_range within, int round)
{
    float left = 1.0f;
    for (int i = 0; i < round; ++i)
        left *= 1.0f - ROUND_PART;
    pli_progress_narrow(p, within, 1.0f - left, 1.0f - left + ROUND_PART * left);
}

bool pli_progress_tell(draft_progress *p, float part)
{
    if (!p || !p->listener.report)
        return true;
    if (p->is_stopped)
        return false;
    float whole = part_of(p->range, part);
    whole = whole < NEARLY_ALL ? whole : NEARLY_ALL;
    p->told = whole > p->told ? whole : p->told;
    p->is_stopped = !p->listener.report(p->told, p->listener.user_data);
    return !p->is_stopped;
}

pliant_result pli_progress_fail(const draft_progress *p, pliant_error *error)
{
    if (p && p->is_stopped)
        return pli_error_set(error, PLIANT_ERROR_CANCELLED, "", "it was cancelled");
    return pli_error_memory(error);
}
