// Recordings as GLBs: of what was shown last, and of seconds to come, a few frames at a time so that the page can show
// how far it is.

#include "core.h"

#include "bake/bake.h"
#include "core/error.h"
#include "math/quat.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FRAMES = 20000 };

static bool need_bake(const studio *s, field_reader *reader)
{
    return (s->play && s->play->bake) || studio_refuse(reader, "nothing is being baked");
}

static bool give_bake(studio *s, field_reader *reader, const pliant_bake *bake)
{
    void *data;
    size_t size;
    pliant_error error = {0};
    if (pliant_bake_write(bake, &data, &size, &error) != PLIANT_OK)
        return studio_fail_with(reader, &error);
    pli_json_begin_object(&s->answer, NULL);
    studio_give_file(s, s->play->scene->name, "-bake.glb", data, size);
    pli_json_end_object(&s->answer);
    return true;
}

typedef struct bake_ask {
    float seconds, fps;
} bake_ask;

static const field bake_fields[] = {
    {"seconds", FIELD_FLOAT, offsetof(bake_ask, seconds), 0, 3600, true, false, true},
    {"fps", FIELD_FLOAT, offsetof(bake_ask, fps), 1, 240, false, false, true},
};

static bool read_ask(field_reader *reader, json_value arguments, bake_ask *ask)
{
    if (!pli_field_read_object(reader, arguments, bake_fields, COUNT_OF(bake_fields), ask))
        return false;
    return (double)ask->seconds * (double)ask->fps < MOST_FRAMES ||
           pli_field_fail(reader, "expected at most %d frames", MOST_FRAMES);
}

// ---------------------------------------------------------------------------------------------
// Of what was shown

// Where a particle is between two frames, on the side of the rotation before: see pliant_bake.
static pliant_pose pose_between(const pliant_pose *a, const pliant_pose *b, float part,
                                const pliant_pose *before)
{
    vec3 way = vec3_sub(b->position, a->position);
    quat q = quat_blend(a->orientation, b->orientation, part);
    if (before && quat_dot(before->orientation, q) < 0.0f)
        q = quat_scale(q, -1.0f);
    return (pliant_pose){vec3_add_scaled(a->position, way, part), q};
}

// The recording from `begin` on at a rate of its own. Frames between two of the recording lie between them, as a
// player of the file would have them.
static bool resample(const pliant_bake *recording, float begin, float fps, pliant_bake *bake)
{
    float span = *bake_time(recording, recording->frame_count - 1) - begin;
    int count = 1 + (int)floor((double)span * (double)fps + 1e-2);
    size_t poses = (size_t)count * (size_t)recording->pose_count;
    *bake = *recording;
    bake->first_frame = 0;
    bake->frame_count = count;
    bake->times = malloc((size_t)count * sizeof *bake->times);
    bake->poses = malloc(poses * sizeof *bake->poses + 1);
    if (!bake->times || !bake->poses)
        return false;
    int from = 0;
    for (int k = 0; k < count; ++k) {
        float passed = (float)((double)k / (double)fps), time = begin + passed;
        while (from + 2 < recording->frame_count && *bake_time(recording, from + 1) <= time)
            ++from;
        int to = from + 1 < recording->frame_count ? from + 1 : from;
        float before = *bake_time(recording, from), gap = *bake_time(recording, to) - before;
        float part = gap > 0.0f ? (time - before) / gap : 0.0f;
        part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
        *bake_time(bake, k) = passed;
        for (int i = 0; i < bake->pose_count; ++i)
            *bake_pose(bake, k, i) =
                pose_between(bake_pose(recording, from, i), bake_pose(recording, to, i), part,
                             k > 0 ? bake_pose(bake, k - 1, i) : NULL);
    }
    return true;
}

bool studio_bake_last(studio *s, field_reader *reader, json_value arguments)
{
    bake_ask ask;
    if (!read_ask(reader, arguments, &ask))
        return false;
    const pliant_bake *recording = s->play ? s->play->recording : NULL;
    if (!recording || recording->frame_count == 0)
        return studio_refuse(reader, "nothing has been recorded");
    float first = *bake_time(recording, 0);
    float begin = *bake_time(recording, recording->frame_count - 1) - ask.seconds;
    pliant_bake part;
    pliant_error error = {0};
    bool ok = resample(recording, begin > first ? begin : first, ask.fps, &part);
    if (!ok)
        pli_error_memory(&error);
    ok = ok ? give_bake(s, reader, &part) : studio_fail_with(reader, &error);
    free(part.times);
    free(part.poses);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// Of the seconds to come

static bool answer_progress(studio *s)
{
    pli_json_begin_object(&s->answer, NULL);
    pli_json_write_int(&s->answer, "frames", pliant_bake_frame_count(s->play->bake));
    pli_json_write_int(&s->answer, "total", s->play->bake_total);
    pli_json_end_object(&s->answer);
    return true;
}

bool studio_bake_begin(studio *s, field_reader *reader, json_value arguments)
{
    bake_ask ask;
    if (!read_ask(reader, arguments, &ask))
        return false;
    if (!s->play)
        return studio_refuse(reader, "no scene is playing");
    double frames = floor((double)ask.seconds * (double)ask.fps + 0.5) + 1.0;
    pliant_error error = {0};
    pliant_bake *bake = pliant_bake_create(&s->play->stage, NULL, &error);
    if (!bake || pliant_bake_add_frame(bake, 0.0f, &error) != PLIANT_OK) {
        pliant_bake_destroy(bake);
        return studio_fail_with(reader, &error);
    }
    pliant_bake_destroy(s->play->bake);
    s->play->bake = bake;
    s->play->bake_total = (int)frames;
    s->play->bake_fps = ask.fps;
    return answer_progress(s);
}

// As many equal steps as make none longer than those of play.
static void step_frame(studio_play *play)
{
    int steps = (int)ceil(60.0 / (double)play->bake_fps - 1e-6);
    steps = steps < 1 ? 1 : steps;
    for (int i = 0; i < steps; ++i)
        studio_stage_step(play, 1.0f / (play->bake_fps * (float)steps));
}

bool studio_bake_go_on(studio *s, field_reader *reader, json_value arguments)
{
    int frames;
    static const field fields[] = {{"frames", FIELD_INT, 0, 1, MOST_FRAMES, false, false, true}};
    if (!pli_field_read_object(reader, arguments, fields, COUNT_OF(fields), &frames) ||
        !need_bake(s, reader))
        return false;
    studio_play *play = s->play;
    for (int i = 0; i < frames && pliant_bake_frame_count(play->bake) < play->bake_total; ++i) {
        step_frame(play);
        float time = (float)((double)pliant_bake_frame_count(play->bake) / (double)play->bake_fps);
        pliant_error error = {0};
        if (pliant_bake_add_frame(play->bake, time, &error) != PLIANT_OK) {
            // The scene has moved on: what would come next would not follow on what there is.
            pliant_bake_destroy(play->bake);
            play->bake = NULL;
            return studio_fail_with(reader, &error);
        }
    }
    return answer_progress(s);
}

bool studio_bake_end(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments) || !need_bake(s, reader) ||
        !give_bake(s, reader, s->play->bake))
        return false;
    pliant_bake_destroy(s->play->bake);
    s->play->bake = NULL;
    return true;
}

bool studio_bake_cancel(studio *s, field_reader *reader, json_value arguments)
{
    if (!studio_read_nothing(reader, arguments))
        return false;
    if (s->play) {
        pliant_bake_destroy(s->play->bake);
        s->play->bake = NULL;
    }
    pli_json_begin_object(&s->answer, NULL);
    pli_json_end_object(&s->answer);
    return true;
}
