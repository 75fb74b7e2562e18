// Bullet's soft bodies as a contestant of the benchmark (see bench.c for how it is spoken to).
//
//     pliant-bench-bullet VARIANT WORKLOAD
//
//     links      five iterations of link lengths, contact with floor and walls by signed distance, contact
//                between bodies of vertices with faces
//     pose       the same, and each body is drawn towards its whole shape, once in a step
//     clusters   as links, but bodies touch by clusters of 16 particles, made by Bullet itself
//     ringpass   no step at all: five passes of matching one cluster of each particle and its
//                neighbours (moments, polar decomposition, goals), which is what a step of oriented
//                particles does without anything else
//
// No variant has self-collision: where Bullet 3.24 is asked for it, its bodies do not touch at all.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "workloads.h"

namespace
{

enum class Variant { links, pose, clusters, ringpass };

constexpr int particles_per_cluster = 16;
constexpr float matching = 0.5f; // of poses and clusters: the part of the way that a pass takes

struct Engine {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btSoftRigidDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<btSoftBody *> bodies;
    const bench_workload *workload = nullptr;
    Variant variant = Variant::links;
    int steps = 0;
};

void add_box(Engine &engine, const btVector3 &half, const btVector3 &centre)
{
    btTransform place(btQuaternion::getIdentity(), centre);
    auto *body = new btRigidBody(btRigidBody::btRigidBodyConstructionInfo(
        0, new btDefaultMotionState(place), new btBoxShape(half)));
    body->setFriction(BENCH_FRICTION);
    engine.world.addRigidBody(body);
}

void add_surroundings(Engine &engine)
{
    const float thickness = 0.5f, height = 20, middle = BENCH_WALL + thickness;
    if (engine.workload->has_floor)
        add_box(engine, {200, 1, 200}, {0, -1, 0});
    for (float side : {-middle, middle}) {
        if (!engine.workload->has_walls)
            break;
        add_box(engine, {thickness, height, 4}, {side, height, 0});
        add_box(engine, {4, height, thickness}, {0, height, side});
    }
}

// Around each particle a cluster of itself and its neighbours, which matches but touches nothing.
void add_rings(btSoftBody *soft, const bench_body &body)
{
    std::vector<btSoftBody::Cluster *> rings;
    for (int i = 0; i < body.particle_count; ++i) {
        void *memory = btAlignedAlloc(sizeof(btSoftBody::Cluster), 16);
        auto *ring = new (memory) btSoftBody::Cluster();
        ring->m_collide = false;
        ring->m_matching = matching;
        ring->m_nodes.push_back(&soft->m_nodes[i]);
        rings.push_back(ring);
    }
    for (int i = 0; i < body.edge_count; ++i) {
        int a = body.edges[i][0], b = body.edges[i][1];
        rings[a]->m_nodes.push_back(&soft->m_nodes[b]);
        rings[b]->m_nodes.push_back(&soft->m_nodes[a]);
    }
    for (auto *ring : rings)
        soft->m_clusters.push_back(ring);
    soft->initializeClusters();
    soft->updateClusters();
}

void configure(btSoftBody *soft, const bench_body &body, const Engine &engine)
{
    soft->m_materials[0]->m_kLST = 1;
    soft->m_cfg.piterations = BENCH_ITERATIONS;
    soft->m_cfg.citerations = BENCH_ITERATIONS;
    soft->m_cfg.viterations = soft->m_cfg.diterations = 0;
    soft->m_cfg.kDF = BENCH_FRICTION;
    soft->m_cfg.kDP = 0.005f;
    soft->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
    soft->getCollisionShape()->setMargin(BENCH_RADIUS);
    if (engine.variant == Variant::clusters) {
        soft->generateClusters(body.particle_count / particles_per_cluster);
        soft->m_cfg.collisions |= btSoftBody::fCollision::CL_SS;
    } else if (engine.workload->body_count > 1) {
        soft->m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
    }
    if (engine.variant == Variant::pose) {
        soft->setPose(false, true);
        soft->m_cfg.kMT = matching;
    }
    if (engine.variant == Variant::ringpass)
        add_rings(soft, body);
    soft->setActivationState(DISABLE_DEACTIVATION);
}

void add_soft_body(Engine &engine, const bench_body &body)
{
    std::vector<btVector3> positions;
    std::vector<btScalar> masses;
    for (int i = 0; i < body.particle_count; ++i) {
        const float *x = body.positions[i];
        positions.emplace_back(x[0], x[1], x[2]);
        masses.push_back(body.pinned[i] ? 0 : BENCH_MASS);
    }
    auto *soft = new btSoftBody(&engine.world.getWorldInfo(), body.particle_count, positions.data(),
                                masses.data());
    for (int i = 0; i < body.edge_count; ++i)
        soft->appendLink(body.edges[i][0], body.edges[i][1]);
    for (int i = 0; i < body.face_count; ++i)
        soft->appendFace(body.faces[i][0], body.faces[i][1], body.faces[i][2]);
    configure(soft, body, engine);
    engine.world.addSoftBody(soft);
    engine.bodies.push_back(soft);
}

void open(Engine &engine)
{
    btSoftBodyWorldInfo &info = engine.world.getWorldInfo();
    info.air_density = info.water_density = info.water_offset = 0;
    info.water_normal = btVector3(0, 0, 0);
    info.m_broadphase = &engine.broadphase;
    info.m_dispatcher = &engine.dispatcher;
    info.m_sparsesdf.Initialize();
    add_surroundings(engine);
    for (int i = 0; i < engine.workload->body_count; ++i)
        add_soft_body(engine, engine.workload->bodies[i]);
}

void turn_gravity(Engine &engine)
{
    float g[3];
    bench_workload_gravity(engine.workload, engine.steps++, g);
    btVector3 gravity(g[0], g[1], g[2]);
    engine.world.setGravity(gravity);
    engine.world.getWorldInfo().m_gravity = gravity;
}

double mean_height(const Engine &engine)
{
    double sum = 0;
    int count = 0;
    for (const btSoftBody *body : engine.bodies)
        for (int i = 0; i < body->m_nodes.size(); ++i, ++count)
            sum += body->m_nodes[i].m_x.y();
    return sum / count;
}

double now_ms()
{
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now().time_since_epoch();
    return time.count();
}

} // namespace

// Known by its name to profilers.
extern "C" __attribute__((noinline)) void bench_step(void *context)
{
    Engine &engine = *static_cast<Engine *>(context);
    if (engine.variant != Variant::ringpass) {
        engine.world.stepSimulation(BENCH_DT, 0);
        return;
    }
    for (btSoftBody *body : engine.bodies)
        for (int i = 0; i < BENCH_ITERATIONS; ++i)
            body->updateClusters();
}

// Milliseconds of what is to be measured.
static double timed_step(Engine &engine)
{
    turn_gravity(engine);
    if (engine.variant == Variant::ringpass)
        engine.world.stepSimulation(BENCH_DT, 0);
    double begin = now_ms();
    bench_step(&engine);
    return now_ms() - begin;
}

static void answer(Engine &engine, int samples, int batch)
{
    std::printf("{\"ms\":[");
    for (int i = 0; i < samples; ++i) {
        double spent = 0;
        for (int k = 0; k < batch; ++k)
            spent += timed_step(engine);
        std::printf("%s%.6f", i ? "," : "", spent / batch);
    }
    timed_step(engine); // bench.c has one more, in which it looks where the time goes
    std::printf("]}\n");
}

static bool choose(Engine &engine, const std::string &variant, const char *workload)
{
    const std::string names[] = {"links", "pose", "clusters", "ringpass"};
    for (int i = 0; i < 4; ++i) {
        if (names[i] != variant)
            continue;
        engine.variant = static_cast<Variant>(i);
        engine.workload = bench_workload_create(workload);
        return engine.workload != nullptr;
    }
    return false;
}

int main(int count, char **arguments)
{
    auto engine = std::make_unique<Engine>();
    if (count != 3 || !choose(*engine, arguments[1], arguments[2])) {
        std::fputs("usage: pliant-bench-bullet links|pose|clusters|ringpass WORKLOAD\n", stderr);
        return 2;
    }
    open(*engine);
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    std::printf("{\"version\":\"" BULLET_VERSION "\",\"particles\":%d,\"edges\":%d,"
                "\"iterations\":%d,\"warm\":%d}\n",
                bench_workload_particle_count(engine->workload),
                bench_workload_edge_count(engine->workload), BENCH_ITERATIONS,
                engine->workload->warm_steps);
    char line[64];
    int samples, batch;
    while (std::fgets(line, sizeof(line), stdin) &&
           std::sscanf(line, "%d %d", &samples, &batch) == 2)
        answer(*engine, samples, batch);
    double height = mean_height(*engine);
    if (height == height)
        std::printf("{\"height\":%.6g}\n", height);
    else
        std::printf("{\"height\":null}\n");
    std::fflush(stdout);
    std::_Exit(0); // Bullet's world would have to be taken apart piece by piece
}
