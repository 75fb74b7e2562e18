// Models in GLBs: what is loaded is what was saved, writing again gives the same bytes, and a mesh that is not the
// model's is told from it.

#include "glb.h"

#include <unistd.h>

// A pyramid whose textured sides are one part and whose bottom is another.
static pliant_mesh *make_mesh(void)
{
    static const pliant_vec3 corners[5] = {
        {-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 2, 0}};
    static const int32_t triangles[18] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 5, 6, 7, 5, 7, 8};
    pliant_mesh *mesh = pliant_mesh_create(9, 6, 2);
    assert_non_null(mesh);
    for (int i = 0; i < 9; ++i) {
        mesh->positions[i] = corners[i % 5];
        mesh->coordinates[i][0] = (float)i / 8.0f;
    }
    memcpy(mesh->triangles, triangles, sizeof triangles);
    mesh->parts[0] = (pliant_mesh_part){"sides", "sand", 0, 5, 0, 4, {0}, false};
    mesh->parts[1] = (pliant_mesh_part){"bottom", "sand", 5, 4, 4, 2, {0}, false};
    return mesh;
}

static pliant_model *make_model(const pliant_mesh *mesh, int particles)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    for (int i = 0; i < particles; ++i) {
        pliant_particle_def particle = pliant_default_particle_def();
        particle.position.x = (float)i;
        pliant_builder_add_particle(builder, &particle);
    }
    for (int i = 0; i < mesh->vertex_count; ++i) {
        pliant_vertex_def vertex = {
            .position = mesh->positions[i], .particles = {i % particles}, .weights = {1.0f}};
        pliant_builder_add_vertex(builder, &vertex);
    }
    for (int i = 0; i < mesh->triangle_count; ++i)
        pliant_builder_add_triangle(builder, mesh->triangles[3 * i], mesh->triangles[3 * i + 1],
                                    mesh->triangles[3 * i + 2]);
    pliant_error error = {0};
    pliant_model *model = pliant_builder_build(builder, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    pliant_builder_destroy(builder);
    return model;
}

static glb_file write_model(const pliant_model *model, const pliant_mesh *mesh)
{
    glb_file file;
    pliant_error error = {0};
    if (pliant_model_write_glb(model, mesh, &file.data, &file.size, &error) != PLIANT_OK)
        fail_msg("%s: %s", error.place, error.message);
    return file;
}

static pliant_model *load_model(const pliant_mesh *mesh)
{
    pliant_error error = {0};
    assert_true(pliant_mesh_has_model(mesh));
    pliant_model *model = pliant_mesh_load_model(mesh, &error);
    if (!model)
        fail_msg("%s: %s", error.place, error.message);
    return model;
}

static void assert_same_model(const pliant_model *a, const pliant_model *b)
{
    size_t size = pliant_model_blob_size(a);
    assert_int_equal(pliant_model_blob_size(b), size);
    void *blobs[2] = {malloc(size), malloc(size)};
    pliant_model_save(a, blobs[0]);
    pliant_model_save(b, blobs[1]);
    assert_memory_equal(blobs[0], blobs[1], size);
    free(blobs[0]);
    free(blobs[1]);
}

// Reads a file, in which there must be this model, writes it with `next` and releases it.
static glb_file rewrite(glb_file file, const pliant_model *model, const pliant_model *next)
{
    pliant_mesh *mesh = read_mesh(file.data, file.size, NULL);
    pliant_model *loaded = load_model(mesh);
    assert_same_model(loaded, model);
    glb_file plain = write_mesh(mesh);
    glb_file written = write_model(next, mesh);
    pliant_mesh *kept = read_mesh(plain.data, plain.size, NULL); // a plain write keeps the model
    pliant_model_destroy(loaded);
    loaded = load_model(kept);
    assert_same_model(loaded, model);
    pliant_model_destroy(loaded);
    pliant_mesh_destroy(kept);
    pliant_mesh_destroy(mesh);
    free(plain.data);
    free(file.data);
    return written;
}

static void comes_back_to_the_bit(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    pliant_model *model = make_model(mesh, 2);
    assert_false(pliant_mesh_has_model(mesh));
    glb_file first = write_model(model, mesh);
    pliant_mesh *read = read_mesh(first.data, first.size, NULL);
    glb_file plain = write_mesh(read), again = write_model(model, read);
    assert_same_file(first, plain);
    assert_same_file(first, again);
    assert_int_equal(read->part_count, 2);
    assert_memory_equal(read->parts, mesh->parts, 2 * sizeof mesh->parts[0]);
    pliant_model *loaded = load_model(read);
    assert_same_model(loaded, model);
    pliant_model_destroy(loaded);
    pliant_mesh_destroy(read);

    loaded = pliant_model_read(first.data, first.size, NULL, &read, NULL);
    assert_same_model(loaded, model);
    assert_int_equal(read->vertex_count, 9);
    pliant_model_destroy(loaded);
    pliant_mesh_destroy(read);
    size_t size = pliant_model_blob_size(model);
    void *blob = malloc(size);
    pliant_model_save(model, blob);
    loaded = pliant_model_read(blob, size, NULL, &read, NULL);
    assert_same_model(loaded, model);
    assert_null(read);
    pliant_model_destroy(loaded);
    free(blob);

    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
    free(first.data);
    free(plain.data);
    free(again.data);
}

// Larger and smaller ones take each other's place and leave nothing behind.
static void models_do_not_pile_up(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    pliant_model *models[3] = {make_model(mesh, 1), make_model(mesh, 9), make_model(mesh, 4)};
    glb_file fresh[3];
    for (int i = 0; i < 3; ++i)
        fresh[i] = write_model(models[i], mesh);
    glb_file file = write_model(models[0], mesh);
    static const int order[] = {0, 1, 2, 1, 1, 0, 2, 0};
    for (size_t i = 0; i + 1 < sizeof order / sizeof order[0]; ++i) {
        file = rewrite(file, models[order[i]], models[order[i + 1]]);
        assert_same_file(file, fresh[order[i + 1]]);
    }
    free(file.data);
    for (int i = 0; i < 3; ++i) {
        pliant_model_destroy(models[i]);
        free(fresh[i].data);
    }
    pliant_mesh_destroy(mesh);
}

// A GLB of one triangle whose binary chunk begins with a model, as some tool might have sorted it. `user` is a member
// more, in front of the accessors' view.
static glb_file sort_otherwise(const pliant_model *model, const char *user)
{
    static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    size_t blob = pliant_model_blob_size(model), size = blob + sizeof triangle + 4;
    unsigned char *binary = malloc(size);
    pliant_model_save(model, binary);
    memcpy(binary + blob, triangle, sizeof triangle);
    memcpy(binary + blob + sizeof triangle, "tail", 4);
    char json[2048];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"PLIANT_model\",\"X\"],"
             "\"extensions\":{\"PLIANT_model\":{\"bufferView\":0},\"X\":{\"bufferView\":2}},"
             "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
             "\"accessors\":[{\"bufferView\":1,\"componentType\":5126,\"count\":3,"
             "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}%s],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d},"
             "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":36},"
             "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":4}],"
             "\"buffers\":[{\"byteLength\":%d}]}",
             user, (int)blob, (int)blob, (int)blob + 36, (int)size);
    glb_file file = glb_make(json, binary, size);
    free(binary);
    return file;
}

static pliant_mesh *make_triangle(void)
{
    pliant_mesh *mesh = pliant_mesh_create(3, 1, 1);
    mesh->positions[1].x = mesh->positions[2].y = 1.0f;
    mesh->triangles[1] = 1;
    mesh->triangles[2] = 2;
    mesh->parts[0] = (pliant_mesh_part){"", "", 0, 3, 0, 1, {0}, false};
    return mesh;
}

static void bytes_between_others_are_replaced(void **unused)
{
    (void)unused;
    pliant_mesh *triangle = make_triangle();
    pliant_model *old = make_model(triangle, 1), *next = make_model(triangle, 3);
    glb_file file = sort_otherwise(old, ""), source = sort_otherwise(old, "");
    size_t grown = pliant_model_blob_size(next) - pliant_model_blob_size(old), size;
    file = rewrite(file, old, next);
    const unsigned char *binary = glb_binary(file, &size);
    size_t old_size;
    glb_binary(source, &old_size);
    assert_int_equal(size, old_size + grown);
    assert_memory_equal(binary + 36, "tail", 4);
    char *json = glb_json(file);
    assert_non_null(strstr(json, "{\"PLIANT_model\":{\"bufferView\":0},\"X\":{\"bufferView\":2}}"));
    assert_non_null(strstr(json, "\"byteOffset\":36,\"byteLength\":4}"));
    free(json);
    file = rewrite(file, next, next);
    file = rewrite(file, next, old);
    binary = glb_binary(file, &size);
    assert_int_equal(size, old_size);
    free(file.data);
    free(source.data);
    pliant_model_destroy(old);
    pliant_model_destroy(next);
    pliant_mesh_destroy(triangle);
}

// Bytes that something else uses, too, stay for it.
static void shared_bytes_stay(void **unused)
{
    (void)unused;
    pliant_mesh *triangle = make_triangle();
    pliant_model *old = make_model(triangle, 1), *next = make_model(triangle, 2);
    glb_file file = sort_otherwise(old, ",{\"bufferView\":0,\"componentType\":5121,\"count\":4,"
                                        "\"type\":\"SCALAR\"}");
    size_t sizes[3];
    glb_binary(file, &sizes[0]);
    file = rewrite(file, old, next);
    const unsigned char *binary = glb_binary(file, &sizes[1]);
    assert_int_equal(sizes[1], sizes[0] + pliant_model_blob_size(next));
    assert_memory_equal(binary, "PLIANT", 6);
    char *json = glb_json(file);
    assert_non_null(strstr(json, "\"PLIANT_model\":{\"bufferView\":3}"));
    free(json);
    file = rewrite(file, next, next);
    glb_binary(file, &sizes[2]);
    assert_int_equal(sizes[2], sizes[1]);
    free(file.data);
    pliant_model_destroy(old);
    pliant_model_destroy(next);
    pliant_mesh_destroy(triangle);
}

// ---------------------------------------------------------------------------------------------
// What does not fit

static void assert_not_written(const pliant_model *model, pliant_mesh *mesh, const char *place)
{
    void *data;
    size_t size;
    pliant_error error = {0};
    assert_int_equal(pliant_model_write_glb(model, mesh, &data, &size, &error),
                     PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, place);
    pliant_mesh_destroy(mesh);
}

static void other_meshes_are_refused(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh(), *other = make_mesh();
    pliant_model *model = make_model(mesh, 1);
    other->positions[4].y = 2.0000002f;
    assert_not_written(model, other, "vertex 4");
    other = make_mesh();
    other->triangles[7] = 0;
    assert_not_written(model, other, "triangle 2");
    other = make_mesh();
    other->vertex_count = 8;
    assert_not_written(model, other, "vertices");
    other = make_mesh();
    other->triangle_count = 5;
    assert_not_written(model, other, "triangles");
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
}

// `place` NULL is any.
static void assert_not_loaded(glb_file file, const char *place)
{
    pliant_mesh *mesh = read_mesh(file.data, file.size, NULL);
    pliant_error error = {0};
    assert_null(pliant_mesh_load_model(mesh, &error));
    assert_int_equal(error.code, PLIANT_ERROR_FORMAT);
    assert_true(error.message[0]);
    if (place)
        assert_string_equal(error.place, place);
    pliant_mesh_destroy(mesh);
    assert_null(pliant_model_read(file.data, file.size, NULL, &mesh, NULL));
    assert_null(mesh);
    free(file.data);
}

// The same file with one piece of its text replaced.
static glb_file with_text(glb_file file, const char *from, const char *to)
{
    char *json = glb_json(file), *at = strstr(json, from);
    assert_non_null(at);
    char *changed = malloc(strlen(json) + strlen(to) + 1);
    sprintf(changed, "%.*s%s%s", (int)(at - json), json, to, at + strlen(from));
    size_t size;
    const unsigned char *binary = glb_binary(file, &size);
    glb_file made = glb_make(changed, binary, size);
    free(json);
    free(changed);
    return made;
}

// The same file with one byte of its binary chunk changed, counted from the end where negative.
static glb_file with_byte(glb_file file, int at)
{
    glb_file made = {malloc(file.size), file.size};
    memcpy(made.data, file.data, file.size);
    size_t size;
    unsigned char *binary = (unsigned char *)glb_binary(made, &size);
    binary[at < 0 ? (int)size + at : at] ^= 1;
    return made;
}

static void files_that_were_changed_are_told(void **unused)
{
    (void)unused;
    static const char blob[] = "extensions.PLIANT_model.bufferView";
    pliant_mesh *mesh = make_mesh();
    pliant_model *model = make_model(mesh, 1);
    glb_file file = write_model(model, mesh);
    assert_not_loaded(write_mesh(mesh), "");
    assert_not_loaded(with_text(file, "\"nodes\":[0,1]", "\"nodes\":[0]"), "vertices");
    assert_not_loaded(with_text(file, "\"nodes\":[0,1]", "\"nodes\":[1,0]"), "vertex 4");
    assert_not_loaded(with_text(file, "\"mesh\":0", "\"mesh\":0,\"scale\":[1,1,9]"), "vertex 0");
    assert_not_loaded(with_text(file, "\"count\":12,", "\"count\":9,"), "triangles");
    assert_not_loaded(with_byte(file, 9 * 4), "vertex 3");
    assert_not_loaded(with_byte(file, 5 * 12 + 5 * 8 + 5 * 4), "triangle 1");
    assert_not_loaded(with_byte(file, -1), NULL);
    assert_not_loaded(with_text(file, "_model\":{\"bufferView\":", "_model\":{\"bufferView\":9"),
                      blob);
    assert_not_loaded(with_text(file, "_model\":{\"bufferView\":", "_model\":{\"bufferView\":-"),
                      blob);
    assert_not_loaded(with_text(file, "_model\":{\"buffer", "_model\":{\"no"), blob);
    free(file.data);
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Scenes

static void scenes_take_models_from_glbs(void **unused)
{
    (void)unused;
    char directory[] = "/tmp/pliant-test-model-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    pliant_mesh *mesh = make_mesh();
    pliant_model *model = make_model(mesh, 2);
    glb_file files[2] = {write_model(model, mesh), write_mesh(mesh)};
    static const char text[] = "{\"pliant\": 1, \"models\": {\"ball\": {\"ball\": {}},"
                               " \"m\": {\"file\": \"m.glb\"}}, \"bodies\": [{\"model\": \"m\"}]}";
    snprintf(path, sizeof path, "%s/m.glb", directory);
    pliant_error error = {0};
    assert_int_equal(pliant_file_write(path, files[0].data, files[0].size, NULL), PLIANT_OK);
    pliant_scene *scene = pliant_scene_read(text, sizeof text - 1, directory, &error);
    if (!scene)
        fail_msg("%s: %s", error.place, error.message);
    assert_same_model(scene->models[1], model);
    assert_null(scene->meshes[0]);
    assert_int_equal(scene->meshes[1]->part_count, 2);

    assert_int_equal(pliant_scene_set_mesh(scene, 0, make_mesh(), &error), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_scene_set_mesh(scene, 2, make_mesh(), &error), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "model");
    assert_int_equal(pliant_scene_set_mesh(scene, 1, scene->meshes[1], NULL), PLIANT_OK);
    assert_int_equal(scene->meshes[1]->part_count, 2);
    assert_int_equal(pliant_scene_set_mesh(scene, 1, make_mesh(), NULL), PLIANT_OK);
    assert_int_equal(pliant_scene_set_mesh(scene, 1, NULL, NULL), PLIANT_OK);
    assert_null(scene->meshes[1]);
    pliant_scene_destroy(scene);

    assert_int_equal(pliant_file_write(path, files[1].data, files[1].size, NULL), PLIANT_OK);
    assert_null(pliant_scene_read(text, sizeof text - 1, directory, &error));
    assert_string_equal(error.place, "models.m.file");
    assert_non_null(strstr(error.message, "no model"));
    remove(path);
    rmdir(directory);
    free(files[0].data);
    free(files[1].data);
    pliant_model_destroy(model);
    pliant_mesh_destroy(mesh);
}

// Parts of one material and one colour share it, others do not.
static void parts_have_their_colours(void **unused)
{
    (void)unused;
    pliant_mesh *mesh = make_mesh();
    mesh->parts[1].colour[0] = 0.5f;
    glb_file file;
    assert_int_equal(pliant_mesh_write(mesh, &file.data, &file.size, NULL), PLIANT_OK);
    char *json = glb_json(file);
    assert_non_null(strstr(json, "\"baseColorFactor\":[0.8,0.8,0.8,1]"));
    assert_non_null(strstr(json, "\"baseColorFactor\":[0.5,0,0,1]"));
    free(json);
    free(file.data);
    mesh->parts[1].colour[2] = 1.5f;
    pliant_error error = {0};
    assert_int_equal(pliant_mesh_write(mesh, &file.data, &file.size, &error),
                     PLIANT_ERROR_ARGUMENT);
    assert_string_equal(error.place, "part 1");
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_to_the_bit),
        cmocka_unit_test(models_do_not_pile_up),
        cmocka_unit_test(bytes_between_others_are_replaced),
        cmocka_unit_test(shared_bytes_stay),
        cmocka_unit_test(other_meshes_are_refused),
        cmocka_unit_test(files_that_were_changed_are_told),
        cmocka_unit_test(scenes_take_models_from_glbs),
        cmocka_unit_test(parts_have_their_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
