// pliant author: from a mesh to a model, by the automatic way or by a recipe.

#include "../author/json/json_write.h"
#include "cli.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "Usage: pliant author MESH -o MODEL [options]\n"
    "\n"
    "Makes a model of MESH (GLB, glTF or OBJ; where assimp was there FBX, DAE, STL and PLY):\n"
    "particles, edges, masses and skin. The name - is standard input.\n"
    "\n"
    "  -o MODEL          a GLB with mesh and model, or, by the ending .pliant, the model alone;\n"
    "                    - is standard output, and the summary goes to standard error\n"
    "  --scale S         makes MESH so many times as large first, 1e-6 to 1e6: 0.01 for one in\n"
    "                    centimetres; its rig and animations stay\n"
    "  --particles N     about how many, 1 to 1000000; default chosen from the mesh\n"
    "  --spacing H       metres between particles, instead of a number\n"
    "  --method M        auto: chains in limbs, a layer in sheets, filled where thick (default);\n"
    "                    spray: a layer on the surface; slice: a net on cut lines, for cloth\n"
    "  --stiffness S     0 to 1, default chosen\n"
    "  --density D       kg/m3, default 300\n"
    "  --material NAME   what it is made of: jelly, flesh, foam, rubber, felt, leather, wood or\n"
    "                    steel, as stiff, heavy and lively as that; options beside it outweigh it\n"
    "  --young E         pascals, its Young's modulus, instead of a stiffness\n"
    "  --levels N        N models, 2 to 8, each with half the particles of the one before, which\n"
    "                    weigh, sag and swing alike: MODEL, and .1, .2 and so on before its "
    "ending;\n"
    "                    of a --material or with --young\n"
    "  --friction F      0 to 1000, default 0.5\n"
    "  --restitution R   how it bounces, 0 to 1, default 0\n"
    "  --damping D       of its motion, the part of the speed lost in a second; below 1, default\n"
    "                    0.02\n"
    "  --shape-damping D the same of its deformation, default 0\n"
    "  --self-collision S  yes or no: whether it touches itself; default yes for sheets\n"
    "  --radius R        metres, of the particles; default 0.6 spacings\n"
    "  --edges D         metres, joins all within it along the object; default neighbours only\n"
    "  --drift N         rounds of moving to the middle of thin parts, 0 to 100; default chosen\n"
    "  --seed K          another number, another arrangement; default 0\n"
    "  --live L          drop: free; hang: by its top edge; rooted: by its foot; default what\n"
    "                    suits its shape, and for an earlier model's particles its pins\n"
    "  --recipe FILE     use the tools listed there (docs/authoring.md) instead\n"
    "  --keep-paint FILE take stiffness, masses, flags and groups from an earlier model where\n"
    "                    particles stayed; default, without a recipe, from the one in MODEL or "
    "MESH\n"
    "  --fresh           do not\n"
    "  --json            print one JSON object with counts and times\n"
    "  --quiet           print no notes and no summary\n"
    "  --help            this text\n";

typedef struct author_options {
    const char *mesh, *output, *method, *recipe, *keep_paint, *self_collision, *live, *material;
    int particles, drift, seed;                                  // negative: not given
    double spacing, stiffness, density, radius, edges, scale;    // likewise
    double young, friction, restitution, damping, shape_damping; // likewise
    int levels;
    bool fresh, json, quiet;
} author_options;

typedef struct author_work {
    const author_options *options;
    pliant_mesh *mesh;
    pliant_draft *draft;
    pliant_model *model;
    const char *kept; // whose paint was kept, or NULL
    pliant_live proposed;
    double mass; // kg, that it is to weigh; 0: what it is made of does
    double seconds;
} author_work;

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

// ---------------------------------------------------------------------------------------------
// The mesh

enum { MOST_NOTES = 10 };

static void print_remarks(const char *file, const pliant_remarks *remarks)
{
    for (int i = 0; i < remarks->count && i < MOST_NOTES; ++i) {
        const pliant_remark *remark = &remarks->first[i];
        cli_note("%s: %s%s%s", file, remark->place, remark->place[0] ? ": " : "", remark->message);
    }
    if (remarks->count > MOST_NOTES)
        cli_note("%s: and %d more", file, remarks->count - MOST_NOTES);
}

static pliant_mesh *read_mesh(const char *path, pliant_remarks *remarks, pliant_error *error)
{
    if (!cli_is_dash(path))
        return pliant_mesh_read_file(path, remarks, error);
    void *data;
    size_t size;
    if (cli_read_input(path, &data, &size, error) != PLIANT_OK)
        return NULL;
    pliant_mesh *mesh = cli_read_mesh(path, data, size, remarks, error);
    free(data);
    return mesh;
}

static bool scale_mesh(author_work *work, pliant_error *error)
{
    pliant_mesh *scaled = pliant_mesh_create_scaled(work->mesh, (float)work->options->scale, error);
    if (!scaled)
        return false;
    pliant_mesh_destroy(work->mesh);
    work->mesh = scaled;
    return true;
}

// Gravity and time do not grow with a mesh: one that is a hundred times too large seems not to move.
static void doubt_size(const author_work *work)
{
    float size = pliant_mesh_size(work->mesh), scale = pliant_mesh_guess_scale(work->mesh);
    if (scale != 1.0f && work->options->scale < 0.0)
        cli_note("%s: it is %.3g m long; if that is not meant, --scale %g makes it %.3g m",
                 cli_input_name(work->options->mesh), (double)size, (double)scale,
                 (double)(size * scale));
}

static bool open_mesh(author_work *work)
{
    const char *name = cli_input_name(work->options->mesh);
    pliant_remarks *remarks = calloc(1, sizeof *remarks);
    if (!remarks) {
        cli_fail("out of memory");
        return false;
    }
    pliant_error error = {0};
    work->mesh = read_mesh(work->options->mesh, remarks, &error);
    bool is_open = work->mesh && (work->options->scale < 0.0 || scale_mesh(work, &error));
    if (!is_open) {
        cli_fail_error(name, &error);
    } else if (!work->options->quiet) {
        print_remarks(name, remarks);
        doubt_size(work);
    }
    free(remarks);
    return is_open;
}

// ---------------------------------------------------------------------------------------------
// The draft

enum { LIVES = PLIANT_LIVE_ROOTED + 1 };

// LIVES when there is no such one.
static int find_live(const char *name)
{
    int live = 0;
    while (live < LIVES && strcmp(pliant_live_name((pliant_live)live), name) != 0)
        ++live;
    return live;
}

static pliant_auto_def auto_def_of(const author_options *o)
{
    pliant_auto_def def = pliant_default_auto_def();
    if (o->method && strcmp(o->method, "spray") == 0)
        def.method = PLIANT_AUTO_SPRAY;
    if (o->method && strcmp(o->method, "slice") == 0)
        def.method = PLIANT_AUTO_SLICE;
    if (o->particles >= 0)
        def.count = o->particles;
    if (o->spacing >= 0.0)
        def.spacing = (float)o->spacing;
    if (o->seed >= 0)
        def.seed = (uint32_t)o->seed;
    if (o->stiffness >= 0.0)
        def.stiffness = (float)o->stiffness;
    if (o->density >= 0.0)
        def.density = (float)o->density;
    if (o->radius >= 0.0)
        def.radius = (float)o->radius;
    if (o->edges >= 0.0)
        def.edges = (float)o->edges;
    if (o->drift >= 0)
        def.drift = o->drift;
    return def;
}

static pliant_result use_recipe(author_work *work, pliant_error *error)
{
    void *text;
    size_t size;
    pliant_result result = pliant_file_read(work->options->recipe, &text, &size, error);
    if (result == PLIANT_OK) {
        result = pliant_draft_run_recipe(work->draft, text, size, error);
        free(text);
    }
    return result;
}

static pliant_result use_tools(author_work *work, pliant_error *error)
{
    if (work->options->recipe)
        return use_recipe(work, error);
    pliant_auto_def def = auto_def_of(work->options);
    return pliant_draft_auto(work->draft, &def, error);
}

// What a coarser level is made of weighs what the finest does.
static pliant_result weigh_alike(author_work *work, pliant_error *error)
{
    pliant_mass_def def = pliant_default_mass_def();
    def.density = pliant_draft_particle(work->draft, 0)->density;
    def.total = (float)work->mass;
    return pliant_draft_mass(work->draft, &def, error);
}

static pliant_result make_elastic(author_work *work, pliant_error *error)
{
    const author_options *o = work->options;
    if (o->material) {
        pliant_material_preset preset = *pliant_material_preset_find(o->material);
        preset.density = o->density >= 0.0 ? (float)o->density : preset.density;
        pliant_result result = pliant_draft_use_preset(work->draft, NULL, &preset, error);
        if (result != PLIANT_OK)
            return result;
    }
    for (int i = 0; i < pliant_draft_particle_count(work->draft) && o->young >= 0.0; ++i) {
        pliant_particle_def *particle = pliant_draft_particle(work->draft, i);
        particle->young_modulus = (float)o->young;
        if (!o->material)
            particle->density =
                o->density >= 0.0 ? (float)o->density : pliant_default_auto_def().density;
    }
    return work->mass > 0.0 ? weigh_alike(work, error) : PLIANT_OK;
}

enum { PERCENT_OF_CREATION = 10 };

typedef struct shown_progress {
    progress bar; // in percent
    int begin;    // of what goes on now
    int length;
} shown_progress;

static bool show_part(float part, void *user_data)
{
    shown_progress *shown = user_data;
    progress_show(&shown->bar, shown->begin + (int)((float)shown->length * part));
    return true;
}

static pliant_result live_as_proposed(author_work *work, pliant_error *error)
{
    pliant_result result = pliant_draft_propose_live(work->draft, &work->proposed, error);
    return result == PLIANT_OK ? pliant_draft_set_live(work->draft, work->proposed, error) : result;
}

static bool fill_draft(author_work *work)
{
    pliant_error error = {0};
    bool is_wanted = !work->options->quiet && !work->options->json;
    shown_progress shown = {progress_begin(100, is_wanted), 0, PERCENT_OF_CREATION};
    pliant_progress listener = {show_part, &shown};
    work->draft = pliant_draft_create_with(work->mesh, &listener, &error);
    pliant_result result = error.code;
    const char *at = cli_input_name(work->options->mesh);
    if (work->draft) {
        at = work->options->recipe ? work->options->recipe : at;
        shown.begin = PERCENT_OF_CREATION;
        shown.length = 100 - PERCENT_OF_CREATION;
        result = use_tools(work, &error);
        pliant_draft_set_progress(work->draft, NULL);
    }
    progress_end(&shown.bar);
    if (result == PLIANT_OK)
        result = make_elastic(work, &error);
    if (result == PLIANT_OK && !work->options->recipe)
        result = live_as_proposed(work, &error);
    if (result != PLIANT_OK)
        cli_fail_error(at, &error);
    return result == PLIANT_OK;
}

// ---------------------------------------------------------------------------------------------
// Paint of an earlier model

static pliant_model *load_earlier(const char *path, pliant_error *error)
{
    void *data;
    size_t size;
    if (pliant_file_read(path, &data, &size, error) != PLIANT_OK)
        return NULL;
    char *folder = cli_folder_of(path);
    pliant_mesh *mesh = NULL;
    pliant_model *model = NULL;
    if (folder)
        model = pliant_model_read(data, size, folder, &mesh, error);
    else
        *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "out of memory"};
    pliant_mesh_destroy(mesh);
    free(folder);
    free(data);
    return model;
}

static bool is_of_mesh(const pliant_model *model, const pliant_mesh *mesh)
{
    if (pliant_model_vertex_count(model) != mesh->vertex_count)
        return false;
    const pliant_vertex_def *vertices = pliant_model_vertices(model);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vec3 a = vertices[i].position, b = mesh->positions[i];
        if (a.x != b.x || a.y != b.y || a.z != b.z)
            return false;
    }
    return true;
}

// Reading a pipe or a device that is to be written would wait for ever.
static bool is_plain_file(const char *path)
{
    struct stat status;
    return !cli_is_dash(path) && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// By whatever names.
static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !cli_is_dash(a) && !cli_is_dash(b) && stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// The model in what would be overwritten, or in the mesh's own file.
static pliant_model *find_earlier(author_work *work)
{
    const author_options *o = work->options;
    bool quiet = o->quiet;
    pliant_error error = {0};
    pliant_model *model = is_plain_file(o->output) ? load_earlier(o->output, &error) : NULL;
    work->kept = o->output;
    if (!model && error.code != PLIANT_OK && !quiet && !is_same_file(o->mesh, o->output))
        cli_note("%s: it is replaced, and paint it may hold is lost: %s", o->output, error.message);
    if (model && !is_of_mesh(model, work->mesh)) {
        if (!quiet)
            cli_note("%s: holds a model of another mesh, whose paint is not kept", o->output);
        pliant_model_destroy(model);
        model = NULL;
    }
    if (model || !pliant_mesh_has_model(work->mesh))
        return model;
    work->kept = cli_input_name(o->mesh);
    model = pliant_mesh_load_model(work->mesh, &error);
    if (!model && !quiet)
        cli_note("%s: its model's paint is not kept: %s", work->kept, error.message);
    return model;
}

// It lives on as it did, also where particles are others now. What was asked for on the command line outweighs what was
// painted before.
static bool inherit(author_work *work, const pliant_model *earlier, pliant_error *error)
{
    const author_options *o = work->options;
    int count = pliant_draft_particle_count(work->draft);
    float *values = malloc(2 * ((size_t)count + 1) * sizeof *values);
    if (!values) {
        *error = (pliant_error){.code = PLIANT_ERROR_MEMORY, .message = "out of memory"};
        return false;
    }
    for (int i = 0; i < count; ++i) {
        values[2 * i] = pliant_draft_particle(work->draft, i)->stiffness;
        values[2 * i + 1] = pliant_draft_particle(work->draft, i)->mass;
    }
    float distance = 0.25f * pliant_draft_spacing(work->draft);
    bool ok = (o->recipe || pliant_draft_set_live(work->draft, pliant_model_live(earlier), error) ==
                                PLIANT_OK) &&
              pliant_draft_inherit(work->draft, earlier, distance, error) == PLIANT_OK;
    for (int i = 0; ok && i < count; ++i) {
        pliant_particle_def *particle = pliant_draft_particle(work->draft, i);
        particle->stiffness = o->stiffness >= 0.0 ? values[2 * i] : particle->stiffness;
        particle->mass = o->density >= 0.0 ? values[2 * i + 1] : particle->mass;
    }
    free(values);
    return ok && make_elastic(work, error) == PLIANT_OK;
}

static bool keep_paint(author_work *work)
{
    const author_options *o = work->options;
    pliant_error error = {0};
    pliant_model *earlier = NULL;
    if (o->keep_paint) {
        work->kept = o->keep_paint;
        earlier = load_earlier(o->keep_paint, &error);
    } else if (!o->fresh && !o->recipe) {
        earlier = find_earlier(work);
    }
    if (!earlier && !o->keep_paint) {
        work->kept = NULL;
        return true;
    }
    bool ok = earlier && inherit(work, earlier, &error);
    if (!ok)
        cli_fail_error(work->kept, &error);
    pliant_model_destroy(earlier);
    return ok;
}

// What was asked for outweighs the proposal and the pins of an earlier model.
static bool set_live(author_work *work)
{
    const char *live = work->options->live;
    pliant_error error = {0};
    if (!live ||
        pliant_draft_set_live(work->draft, (pliant_live)find_live(live), &error) == PLIANT_OK)
        return true;
    cli_fail_error(cli_input_name(work->options->mesh), &error);
    return false;
}

// What was asked for on the command line outweighs the tools and the earlier model.
static bool set_material(author_work *work)
{
    const author_options *o = work->options;
    pliant_material material = pliant_draft_material(work->draft);
    if (o->friction >= 0.0)
        material.friction = (float)o->friction;
    if (o->restitution >= 0.0)
        material.restitution = (float)o->restitution;
    if (o->damping >= 0.0)
        material.linear_damping = material.angular_damping = (float)o->damping;
    if (o->shape_damping >= 0.0)
        material.shape_damping = (float)o->shape_damping;
    if (o->self_collision)
        material.self_collision = strcmp(o->self_collision, "yes") == 0;
    pliant_error error = {0};
    if (pliant_draft_set_material(work->draft, &material, &error) == PLIANT_OK)
        return true;
    cli_fail_error(cli_input_name(o->mesh), &error);
    return false;
}

// ---------------------------------------------------------------------------------------------
// The model

static int count_unbound(const author_work *work)
{
    int count = 0;
    for (int i = 0; i < work->mesh->vertex_count; ++i)
        count += !(pliant_draft_link_weights(work->draft, i)[0] > 0.0f);
    return count;
}

static bool build_model(author_work *work)
{
    const char *name = cli_input_name(work->options->mesh);
    pliant_error error = {0};
    work->model = pliant_draft_build(work->draft, &error);
    int unbound = count_unbound(work);
    if (!work->model)
        cli_fail_error(name, &error);
    else if (unbound > 0 && !work->options->quiet)
        cli_note("%s: %d of %d vertices stay where they are: none of the tools was to bind them",
                 name, unbound, (int)work->mesh->vertex_count);
    return work->model != NULL;
}

static bool write_model(author_work *work)
{
    const char *path = work->options->output;
    pliant_error error = {0};
    void *data = NULL;
    size_t size;
    pliant_result result;
    if (ends_with(path, ".pliant")) {
        result = pliant_model_save_file(work->model, path, &error);
    } else {
        result = pliant_model_write_glb(work->model, work->mesh, &data, &size, &error);
        if (result == PLIANT_OK)
            result = cli_write_output(path, data, size, &error);
        free(data);
    }
    if (result != PLIANT_OK)
        cli_fail_error(cli_output_name(path), &error);
    return result == PLIANT_OK;
}

static double total_mass(const pliant_model *model)
{
    double sum = 0.0;
    for (int i = 0; i < pliant_model_particle_count(model); ++i)
        sum += (double)pliant_model_particles(model)[i].mass;
    return sum;
}

static int count_pinned(pliant_draft *draft)
{
    int count = 0;
    for (int i = 0; i < pliant_draft_particle_count(draft); ++i)
        count += (pliant_draft_particle(draft, i)->flags & PLIANT_PARTICLE_PINNED) != 0;
    return count;
}

static bool print_json(const author_work *work)
{
    json_writer json = {0};
    pli_json_begin_object(&json, NULL);
    pli_json_write_string(&json, "mesh", cli_input_name(work->options->mesh));
    pli_json_write_string(&json, "model", cli_output_name(work->options->output));
    pli_json_write_int(&json, "particles", pliant_model_particle_count(work->model));
    pli_json_write_int(&json, "edges", pliant_model_edge_count(work->model));
    pli_json_write_int(&json, "groups", pliant_model_group_count(work->model));
    pli_json_write_int(&json, "vertices", pliant_model_vertex_count(work->model));
    pli_json_write_int(&json, "triangles", pliant_model_triangle_count(work->model));
    pli_json_write_float(&json, "spacing", pliant_draft_spacing(work->draft));
    pli_json_write_float(&json, "mass", (float)total_mass(work->model));
    pli_json_write_string(&json, "paint_kept_from", work->kept ? work->kept : "");
    pli_json_write_string(&json, "live", pliant_live_name(pliant_draft_live(work->draft)));
    if (!work->options->recipe)
        pli_json_write_string(&json, "proposed_live", pliant_live_name(work->proposed));
    pli_json_write_int(&json, "pinned", count_pinned(work->draft));
    pli_json_write_float(&json, "seconds", (float)work->seconds);
    pli_json_end_object(&json);
    bool ok = !json.failed;
    if (ok)
        puts(json.data);
    pli_json_writer_release(&json);
    return ok;
}

static const char *live_hint(const author_work *work, pliant_live live)
{
    if (live == work->proposed)
        return live == PLIANT_LIVE_DROP ? "--live hang or --live rooted pins some"
                                        : "--live drop frees them";
    return work->proposed == PLIANT_LIVE_HANG ? "it is a sheet: --live hang pins its top edge"
           : work->proposed == PLIANT_LIVE_ROOTED
               ? "it stands on a small foot: --live rooted pins it"
               : "--live drop frees them";
}

// What was done, and what else could be.
static void print_live(FILE *out, const author_work *work)
{
    pliant_live live = pliant_draft_live(work->draft);
    int pinned = count_pinned(work->draft);
    fprintf(out, "%s: %s: ", cli_output_name(work->options->output), pliant_live_name(live));
    if (live == PLIANT_LIVE_DROP)
        fprintf(out, "no particle is pinned");
    else
        fprintf(out, "%d %s at its %s %s pinned", pinned, pinned == 1 ? "particle" : "particles",
                live == PLIANT_LIVE_HANG ? "top edge" : "foot", pinned == 1 ? "is" : "are");
    fprintf(out, " (%s)\n", live_hint(work, live));
}

static int report(const author_work *work)
{
    const author_options *o = work->options;
    if (o->json && !print_json(work))
        return cli_fail("out of memory");
    if (o->json || o->quiet)
        return cli_finish(EXIT_OK);
    // Standard output may be taken by the model.
    FILE *out = cli_is_dash(o->output) ? stderr : stdout;
    fprintf(out, "%s: %d particles, %d edges, %d vertices, %.2f s%s%s\n",
            cli_output_name(o->output), pliant_model_particle_count(work->model),
            pliant_model_edge_count(work->model), pliant_model_vertex_count(work->model),
            work->seconds, work->kept ? "; kept the paint of " : "", work->kept ? work->kept : "");
    if (!o->recipe)
        print_live(out, work);
    return cli_finish(EXIT_OK);
}

// "octopus.model.glb" and 2 make "octopus.model.2.glb".
static char *name_of_level(const char *output, int level)
{
    size_t size = strlen(output) + 16;
    char *name = malloc(size);
    const char *ending = ends_with(output, ".pliant") ? ".pliant" : ".glb";
    int stem = (int)(strlen(output) - (ends_with(output, ending) ? strlen(ending) : 0));
    if (name)
        snprintf(name, size, "%.*s.%d%s", stem, output, level, output + stem);
    return name;
}

static bool make_level(author_work *work)
{
    double begin = progress_clock();
    bool ok = fill_draft(work) && keep_paint(work) && set_live(work) && set_material(work) &&
              build_model(work) && write_model(work);
    work->seconds = progress_clock() - begin;
    return ok;
}

static void release_level(author_work *work)
{
    pliant_model_destroy(work->model);
    pliant_draft_destroy(work->draft);
    work->model = NULL;
    work->draft = NULL;
}

// Each has half as many particles as the one before, and no paint of an earlier model.
static int make_coarser_levels(const author_work *finest)
{
    author_options options = *finest->options;
    author_work work = {
        .options = &options, .mesh = finest->mesh, .mass = total_mass(finest->model)};
    int particles = pliant_model_particle_count(finest->model), code = EXIT_OK;
    options.fresh = true;
    options.spacing = -1.0;
    for (int level = 1; level < options.levels && code == EXIT_OK; ++level) {
        char *name = name_of_level(finest->options->output, level);
        if (!name)
            return cli_fail("out of memory");
        options.output = name;
        options.particles = particles >> level > 1 ? particles >> level : 1;
        code = make_level(&work) ? report(&work) : EXIT_FAILED;
        release_level(&work);
        free(name);
    }
    return code;
}

static int author_mesh(const author_options *options)
{
    author_work work = {.options = options};
    int code = open_mesh(&work) && make_level(&work) ? report(&work) : EXIT_FAILED;
    if (code == EXIT_OK)
        code = make_coarser_levels(&work);
    release_level(&work);
    pliant_mesh_destroy(work.mesh);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The command line

static int check_recipe_options(const author_options *o)
{
    const struct {
        const char *name;
        bool is_given;
    } others[] = {
        {"--particles", o->particles >= 0},
        {"--spacing", o->spacing >= 0.0},
        {"--method", o->method != NULL},
        {"--stiffness", o->stiffness >= 0.0},
        {"--density", o->density >= 0.0},
        {"--radius", o->radius >= 0.0},
        {"--edges", o->edges >= 0.0},
        {"--drift", o->drift >= 0},
        {"--seed", o->seed >= 0},
        {"--live", o->live != NULL},
        {"--material", o->material != NULL},
        {"--young", o->young >= 0.0},
    };
    for (size_t i = 0; o->recipe && i < sizeof others / sizeof others[0]; ++i)
        if (others[i].is_given)
            return cli_fail_usage("author", "--recipe does not go together with %s",
                                  others[i].name);
    return EXIT_OK;
}

static int check_options(const author_options *o)
{
    if (!o->mesh)
        return cli_fail_usage("author", "no mesh");
    if (!o->output)
        return cli_fail_usage("author", "no name for the model (-o MODEL)");
    if (o->method && strcmp(o->method, "auto") != 0 && strcmp(o->method, "spray") != 0 &&
        strcmp(o->method, "slice") != 0)
        return cli_fail_usage("author", "--method: expected auto, spray or slice, found '%s'",
                              o->method);
    if (o->self_collision && strcmp(o->self_collision, "yes") != 0 &&
        strcmp(o->self_collision, "no") != 0)
        return cli_fail_usage("author", "--self-collision: expected yes or no, found '%s'",
                              o->self_collision);
    if (o->live && find_live(o->live) == LIVES)
        return cli_fail_usage("author", "--live: expected drop, hang or rooted, found '%s'",
                              o->live);
    if (o->material && !pliant_material_preset_find(o->material))
        return cli_fail_usage("author",
                              "--material: expected jelly, flesh, foam, rubber, felt, leather, "
                              "wood or steel, found '%s'",
                              o->material);
    if (o->stiffness >= 0.0 && (o->material || o->young >= 0.0))
        return cli_fail_usage("author", "--stiffness does not go together with %s",
                              o->material ? "--material" : "--young");
    if (o->levels > 1 && !o->material && o->young < 0.0)
        return cli_fail_usage("author", "--levels: a stiffness means something else with other "
                                        "numbers of particles; give --material or --young");
    if (o->levels > 1 && (o->recipe || o->keep_paint || cli_is_dash(o->output)))
        return cli_fail_usage("author", "--levels does not go together with %s",
                              o->recipe       ? "--recipe"
                              : o->keep_paint ? "--keep-paint"
                                              : "-o -");
    if (o->particles >= 0 && o->spacing >= 0.0)
        return cli_fail_usage("author", "--particles does not go together with --spacing");
    if (o->fresh && o->keep_paint)
        return cli_fail_usage("author", "--fresh does not go together with --keep-paint");
    if (o->json && cli_is_dash(o->output))
        return cli_fail_usage("author", "-o - does not go together with --json");
    // A model GLB may take the place of the GLB it was made of; an OBJ would be lost.
    if (is_same_file(o->mesh, o->output) && !ends_with(o->mesh, ".glb"))
        return cli_fail_usage("author", "-o: would replace the mesh");
    return check_recipe_options(o);
}

int author_command(int count, char **arguments)
{
    author_options o = {.particles = -1,
                        .drift = -1,
                        .seed = -1,
                        .spacing = -1.0,
                        .stiffness = -1.0,
                        .density = -1.0,
                        .radius = -1.0,
                        .edges = -1.0,
                        .scale = -1.0,
                        .levels = 1,
                        .young = -1.0,
                        .friction = -1.0,
                        .restitution = -1.0,
                        .damping = -1.0,
                        .shape_damping = -1.0};
    const cli_option options[] = {
        {"-o", OPTION_TEXT, &o.output, 0, 0},
        {"--output", OPTION_TEXT, &o.output, 0, 0},
        {"--scale", OPTION_NUMBER, &o.scale, 1e-6, 1e6},
        {"--particles", OPTION_INT, &o.particles, 1, 1000000},
        {"--spacing", OPTION_NUMBER, &o.spacing, 1e-5, 1e5},
        {"--method", OPTION_TEXT, &o.method, 0, 0},
        {"--stiffness", OPTION_NUMBER, &o.stiffness, 0, 1},
        {"--density", OPTION_NUMBER, &o.density, 1e-9, 1e9},
        {"--material", OPTION_TEXT, &o.material, 0, 0},
        {"--levels", OPTION_INT, &o.levels, 2, 8},
        {"--young", OPTION_NUMBER, &o.young, 1e-3, 1e12},
        {"--friction", OPTION_NUMBER, &o.friction, 0, 1e3},
        {"--restitution", OPTION_NUMBER, &o.restitution, 0, 1},
        {"--damping", OPTION_NUMBER, &o.damping, 0, 0.999999},
        {"--shape-damping", OPTION_NUMBER, &o.shape_damping, 0, 0.999999},
        {"--self-collision", OPTION_TEXT, &o.self_collision, 0, 0},
        {"--radius", OPTION_NUMBER, &o.radius, 1e-5, 1e5},
        {"--edges", OPTION_NUMBER, &o.edges, 1e-5, 1e5},
        {"--drift", OPTION_INT, &o.drift, 0, 100},
        {"--seed", OPTION_INT, &o.seed, 0, 1e9},
        {"--live", OPTION_TEXT, &o.live, 0, 0},
        {"--recipe", OPTION_TEXT, &o.recipe, 0, 0},
        {"--keep-paint", OPTION_TEXT, &o.keep_paint, 0, 0},
        {"--fresh", OPTION_FLAG, &o.fresh, 0, 0},
        {"--json", OPTION_FLAG, &o.json, 0, 0},
        {"--quiet", OPTION_FLAG, &o.quiet, 0, 0},
    };
    int code;
    if (!cli_read_options("author", count, arguments, options, sizeof options / sizeof options[0],
                          help, &o.mesh, &code))
        return code;
    code = check_options(&o);
    if (code != EXIT_OK)
        return code;
    return cli_output_is_writable(o.output) ? author_mesh(&o) : EXIT_FAILED;
}
