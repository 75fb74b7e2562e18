// Recordings as GLBs: of what was shown last, and of seconds to come, a few frames at a time so that the page can show
// how far it is.

#include "core.h"

#include "io/bake.h"

#include <math.h>

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
    pliant_json_begin_object(&s->answer, NULL);
    studio_give_file(s, s->play->scene->name, "-bake.glb", data, size);
    pliant_json_end_object(&s->answer);
    return true;
}

bool studio_bake_last(studio *s, field_reader *reader, json_value arguments)
{
    float seconds;
    static const field fields[] = {{"seconds", FIELD_FLOAT, 0, FIELD_POSITIVE, true}};
    if (!pliant_field_read_object(reader, arguments, fields, COUNT_OF(fields), &seconds))
        return false;
    if (!s->play || !s->play->recording || s->play->recording->frame_count == 0)
        return studio_refuse(reader, "nothing has been recorded");
    // The recording goes on: what is too old is left out of a copy of its head only.
    pliant_bake part = *s->play->recording;
    float last = *bake_time(&part, part.frame_count - 1);
    pliant_bake_forget(&part, last - seconds - 1e-3f);
    return give_bake(s, reader, &part);
}

// ---------------------------------------------------------------------------------------------
// Of the seconds to come

enum { MOST_FRAMES = 20000 };

static bool answer_progress(studio *s)
{
    pliant_json_begin_object(&s->answer, NULL);
    pliant_json_write_int(&s->answer, "frames", pliant_bake_frame_count(s->play->bake));
    pliant_json_write_int(&s->answer, "total", s->play->bake_total);
    pliant_json_end_object(&s->answer);
    return true;
}

typedef struct bake_ask {
    float seconds, fps;
} bake_ask;

static const field bake_fields[] = {
    {"seconds", FIELD_FLOAT, offsetof(bake_ask, seconds), 0, 3600, true, false, true},
    {"fps", FIELD_FLOAT, offsetof(bake_ask, fps), 1, 240, false, false, true},
};

bool studio_bake_begin(studio *s, field_reader *reader, json_value arguments)
{
    bake_ask ask;
    if (!pliant_field_read_object(reader, arguments, bake_fields, COUNT_OF(bake_fields), &ask))
        return false;
    if (!s->play)
        return studio_refuse(reader, "no scene is playing");
    double frames = floor((double)ask.seconds * (double)ask.fps + 0.5) + 1.0;
    if (frames > MOST_FRAMES)
        return pliant_field_fail(reader, "expected at most %d frames", MOST_FRAMES);
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
    if (!pliant_field_read_object(reader, arguments, fields, COUNT_OF(fields), &frames) ||
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
    pliant_json_begin_object(&s->answer, NULL);
    pliant_json_end_object(&s->answer);
    return true;
}
