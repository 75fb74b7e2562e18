// What elastic beams, rods, strips and plates do beside what theory says: the tables of docs/truth.md, and its curves.
//
//     pliant-truth FOLDER    writes FOLDER/truth-resolution.svg and FOLDER/truth-substeps.svg

#include "elastic_trials.h"

#include <stdio.h>

enum { RESOLUTIONS = 5, LENGTHS = 6, ITERATIONS = 4 };

typedef struct study {
    const char *name, *theory, *colour;
    trial base;
    int cells[RESOLUTIONS];
} study;

static const double PAINTED = 0.02;

static study study_of(int index)
{
    // clang-format off
    static const struct { const char *name, *theory, *colour; int cells[RESOLUTIONS];
                          double young_modulus, gravity, substeps; } all[TRIAL_KINDS] = {
        [TRIAL_BEAM] = {"beam", "Timoshenko", "#1f6f8b", {2, 3, 4, 5, 6}, 1e5, 0.1, 500},
        [TRIAL_ROD] = {"rod", "Euler-Bernoulli", "#c8553d", {6, 10, 15, 20, 25}, 1e6, 0.01, 1500},
        [TRIAL_STRIP] = {"strip", "Euler-Bernoulli", "#6a994e", {10, 15, 20, 25, 30}, 2e5, 0.002, 800},
        [TRIAL_PLATE] = {"plate", "Kirchhoff", "#8d6cab", {12, 16, 20, 24, 28}, 2e5, 0.04, 800},
    };
    // clang-format on
    study s = {all[index].name, all[index].theory, all[index].colour, {0}, {0}};
    s.base = (trial){.kind = (trial_kind)index,
                     .young_modulus = all[index].young_modulus,
                     .gravity = all[index].gravity,
                     .substep_length = 1 / all[index].substeps,
                     .iterations = 2,
                     .dt = 1.0 / 60,
                     .turn = quat_identity()};
    for (int i = 0; i < RESOLUTIONS; ++i)
        s.cells[i] = all[index].cells[i];
    return s;
}

// ---------------------------------------------------------------------------------------------
// Curves

typedef struct chart {
    FILE *file;
    double left, right, top, bottom; // px
    double low, high;                // of what is drawn upwards, in its logarithm
    int curves;
} chart;

static double height_of(const chart *c, double value)
{
    double part = (log(value) - log(c->low)) / (log(c->high) - log(c->low));
    return c->bottom + (c->top - c->bottom) * part;
}

static chart begin_chart(const char *folder, const char *name, const char *title, double low,
                         double high)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    chart c = {fopen(path, "w"), 70, 560, 60, 320, low, high, 0};
    if (!c.file) {
        fprintf(stderr, "pliant-truth: %s cannot be written\n", path);
        exit(1);
    }
    fprintf(c.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 380\" "
            "font-family=\"sans-serif\" "
            "font-size=\"13\">\n<rect width=\"760\" height=\"380\" fill=\"#ffffff\"/>\n"
            "<text x=\"70\" y=\"30\" font-size=\"16\" fill=\"#222222\">%s</text>\n",
            title);
    static const double lines[] = {0.1, 0.2, 0.5, 0.85, 1.0, 1.15, 2.0, 5.0};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        if (lines[i] < low || lines[i] > high)
            continue;
        double y = height_of(&c, lines[i]);
        fprintf(c.file,
                "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>"
                "<text x=\"60\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555555\">%g</text>\n",
                c.left, c.right, y, y, lines[i] == 1.0 ? "#222222" : "#dddddd", y + 4, lines[i]);
    }
    return c;
}

static void draw_mark(const chart *c, double x, const char *text)
{
    fprintf(c->file,
            "<text x=\"%.1f\" y=\"342\" text-anchor=\"middle\" fill=\"#555555\">%s</text>\n", x,
            text);
}

// Points that are not `sound` are hollow.
static void draw_curve(chart *c, const double *xs, const double *values, const bool *sound,
                       int count, const char *colour, const char *name)
{
    fprintf(c->file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < count; ++i)
        fprintf(c->file, "%.1f,%.1f ", xs[i], height_of(c, values[i]));
    fprintf(c->file, "\"/>\n");
    for (int i = 0; i < count; ++i)
        fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" stroke=\"%s\"/>\n",
                xs[i], height_of(c, values[i]), sound[i] ? colour : "#ffffff", colour);
    double y = c->top + 20 + 22 * c->curves++;
    fprintf(c->file,
            "<circle cx=\"585\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>"
            "<text x=\"596\" y=\"%.1f\" fill=\"#222222\">%s</text>\n",
            y - 4, colour, y, name);
}

static void end_chart(const chart *c, const char *caption)
{
    fprintf(c->file,
            "<text x=\"315\" y=\"366\" text-anchor=\"middle\" fill=\"#222222\">%s</text>\n</svg>\n",
            caption);
    fclose(c->file);
}

// ---------------------------------------------------------------------------------------------

static double place_of(const chart *c, int index, int count)
{
    return c->left + 20 + (c->right - c->left - 40) * index / (count - 1);
}

static void compare_resolutions(const char *folder)
{
    chart c = begin_chart(folder, "truth-resolution",
                          "Sag against theory: one material, finer and finer", 0.7, 6.0);
    double xs[RESOLUTIONS];
    bool sound[RESOLUTIONS];
    for (int i = 0; i < RESOLUTIONS; ++i) {
        xs[i] = place_of(&c, i, RESOLUTIONS);
        sound[i] = true;
    }
    draw_mark(&c, xs[0], "coarse");
    draw_mark(&c, xs[RESOLUTIONS - 1], "fine");
    printf("| | cells | particles | theory | sag | frequency |\n| --- | --- | --- | --- | --- | "
           "--- |\n");
    for (int k = 0; k < TRIAL_KINDS; ++k) {
        study s = study_of(k);
        double sags[RESOLUTIONS];
        for (int i = 0; i < RESOLUTIONS; ++i) {
            trial t = s.base;
            t.cells = s.cells[i];
            trial_grid g = trial_grid_of(&t);
            trial_result r = trial_sag(&t);
            sags[i] = r.sag / trial_exact_sag(&t);
            sound[i] = r.saturated_groups == 0;
            printf("| %s | %d | %d | %s | %.3f | %.3f |\n", s.name, t.cells,
                   g.n[0] * g.n[1] * g.n[2], s.theory, sags[i],
                   trial_frequency(&t, r.sag) / trial_exact_frequency(&t));
            fflush(stdout);
        }
        draw_curve(&c, xs, sags, sound, RESOLUTIONS, s.colour, s.name);
    }
    study s = study_of(TRIAL_BEAM);
    double sags[RESOLUTIONS];
    printf("\n| painted beam, cells | sag, in theory's |\n| --- | --- |\n");
    for (int i = 0; i < RESOLUTIONS; ++i) {
        trial t = s.base;
        t.cells = s.cells[i];
        t.painted = PAINTED;
        sags[i] = trial_sag(&t).sag / trial_exact_sag(&t);
        sound[i] = true;
        printf("| %d | %.3f |\n", t.cells, sags[i]);
    }
    draw_curve(&c, xs, sags, sound, RESOLUTIONS, "#999999", "painted beam");
    end_chart(&c, "resolution");
}

static void compare_settings(const char *folder)
{
    static const double lengths[LENGTHS] = {1.0 / 50,  1.0 / 100, 1.0 / 200,
                                            1.0 / 300, 1.0 / 600, 1.0 / 1200};
    static const int iterations[ITERATIONS] = {1, 2, 4, 10};
    static const char *const colours[ITERATIONS] = {"#c8553d", "#1f6f8b", "#6a994e", "#8d6cab"};
    chart c = begin_chart(folder, "truth-substeps",
                          "The same beam in other substeps; hollow where the report says saturated",
                          0.85, 5.0);
    double xs[LENGTHS], low = 1e9, high = 0;
    printf("\n| substep | 1 iteration | 2 | 4 | 10 |\n| --- | --- | --- | --- | --- |\n");
    double sags[ITERATIONS][LENGTHS];
    bool sound[ITERATIONS][LENGTHS];
    for (int i = 0; i < LENGTHS; ++i) {
        char mark[32];
        xs[i] = place_of(&c, i, LENGTHS);
        snprintf(mark, sizeof mark, "1/%.0f s", 1 / lengths[i]);
        draw_mark(&c, xs[i], mark);
        printf("| %s ", mark);
        for (int k = 0; k < ITERATIONS; ++k) {
            trial t = study_of(TRIAL_BEAM).base;
            t.cells = 3;
            t.substep_length = lengths[i];
            t.iterations = iterations[k];
            trial_result r = trial_sag(&t);
            sags[k][i] = r.sag / trial_exact_sag(&t);
            sound[k][i] = r.saturated_groups == 0;
            if (sound[k][i]) {
                low = fmin(low, sags[k][i]);
                high = fmax(high, sags[k][i]);
            }
            printf("| %.3f%s ", sags[k][i], sound[k][i] ? "" : " (saturated)");
        }
        printf("|\n");
    }
    for (int k = 0; k < ITERATIONS; ++k) {
        char name[32];
        snprintf(name, sizeof name, "%d iteration%s", iterations[k], k ? "s" : "");
        draw_curve(&c, xs, sags[k], sound[k], LENGTHS, colours[k], name);
    }
    printf("\nwhere nothing saturates: within %.1f %%\n", 100 * (high / low - 1));
    end_chart(&c, "length of a substep");
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: pliant-truth FOLDER\n");
        return 2;
    }
    compare_resolutions(arguments[1]);
    compare_settings(arguments[1]);
    return 0;
}
