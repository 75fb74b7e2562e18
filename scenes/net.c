#include "net.h"

#include "geometry.h"

int net_particle(const net *n, int ray, int node)
{
    return n->first + ray * n->nodes + node;
}

static vec3 point_at(const net *n, int ray, int node)
{
    ray = ray < 0 ? 0 : ray < n->rays ? ray : n->rays - 1;
    node = node < 0 ? 0 : node < n->nodes ? node : n->nodes - 1;
    return n->points[ray * n->nodes + node];
}

// Flat in the web: x across it, y along the ray.
static void add_particle(const net *n, sketch *s, int ray, int node)
{
    vec3 along = vec3_sub(point_at(n, ray, node + 1), point_at(n, ray, node - 1));
    vec3 beside = vec3_sub(point_at(n, ray + 1, node), point_at(n, ray - 1, node));
    int spans = (ray > 0) + (ray + 1 < n->rays), steps = (node > 0) + (node + 1 < n->nodes);
    float gap = vec3_length(beside) / (float)spans, step = vec3_length(along) / (float)steps;
    vec3 y = vec3_normalize_or(along, (vec3){0, 1, 0});
    vec3 x = vec3_normalize_or(vec3_cross(y, beside), (vec3){1, 0, 0});
    pliant_particle_def particle = pliant_default_particle_def();
    particle.position = point_at(n, ray, node);
    particle.orientation = quat_from_axes(x, y, vec3_cross(x, y));
    float width = node < n->web ? maximum(0.5f * gap, n->thickness) : n->thickness;
    particle.radii = (vec3){n->thickness, maximum(0.55f * step, n->thickness), width};
    particle.mass = n->mass;
    particle.stiffness = n->stiffness;
    pliant_builder_add_particle(s->builder, &particle);
}

static void add_edge(const net *n, sketch *s, int ray, int node, int other_ray, int other_node,
                     float stretch)
{
    pliant_edge_def edge = {net_particle(n, ray, node),
                            net_particle(n, other_ray, other_node),
                            stretch,
                            0.0f,
                            false,
                            0.0f};
    pliant_builder_add_edge(s->builder, &edge);
}

void net_add(net *n, sketch *s)
{
    if (s->failed)
        return;
    n->first = pliant_builder_particle_count(s->builder);
    for (int ray = 0; ray < n->rays; ++ray)
        for (int node = 0; node < n->nodes; ++node)
            add_particle(n, s, ray, node);
    if (pliant_builder_particle_count(s->builder) < n->first + n->rays * n->nodes) {
        s->failed = true;
        return;
    }
    for (int ray = 0; ray < n->rays; ++ray) {
        for (int node = 0; node + 1 < n->nodes; ++node)
            add_edge(n, s, ray, node, ray, node + 1, 1.0f);
        for (int node = 0; node + 2 < n->nodes; ++node)
            add_edge(n, s, ray, node, ray, node + 2, 0.0f);
    }
    for (int ray = 0; ray + 1 < n->rays; ++ray) {
        for (int node = 0; node < n->web; ++node)
            add_edge(n, s, ray, node, ray + 1, node, 0.5f);
        for (int node = 0; node + 1 < n->web; ++node) {
            add_edge(n, s, ray, node, ray + 1, node + 1, 0.0f);
            add_edge(n, s, ray, node + 1, ray + 1, node, 0.0f);
        }
    }
}

// Between which two of `count` a place is, and the weight of the upper one, which changes smoothly.
static int split(float at, int count, float *weight)
{
    int below = (int)maximum(at, 0.0f);
    below = below < count - 2 ? below : count - 2;
    float t = maximum(0.0f, minimum(1.0f, at - (float)below));
    *weight = t * t * (3.0f - 2.0f * t);
    return below;
}

sketch_links net_links(const net *n, float ray, float node)
{
    float across, along;
    int r = split(ray, n->rays, &across), k = split(node, n->nodes, &along);
    return (sketch_links){.particles = {net_particle(n, r, k), net_particle(n, r, k + 1),
                                        net_particle(n, r + 1, k), net_particle(n, r + 1, k + 1)},
                          .weights = {(1.0f - across) * (1.0f - along), (1.0f - across) * along,
                                      across * (1.0f - along), across * along}};
}
