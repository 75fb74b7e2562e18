// A block of half a metre and 4 × 4 × 4 particles.

#ifndef PLIANT_TESTS_BLOCKS_H
#define PLIANT_TESTS_BLOCKS_H

#include "bodies.h"

#include <pliant/author.h>

static inline pliant_model *block_model(float stiffness, bool is_rigid)
{
    pliant_builder *builder = pliant_builder_create(NULL);
    pliant_block_def block = pliant_default_block_def();
    for (int c = 0; c < 3; ++c)
        block.counts[c] = 4;
    block.size = (vec3){0.5f, 0.5f, 0.5f};
    block.stiffness = stiffness;
    pliant_builder_add_block(builder, &block);
    if (is_rigid) {
        int32_t members[64];
        for (int i = 0; i < 64; ++i)
            members[i] = i;
        pliant_group_def group = {.members = members, .member_count = 64, .stiffness = 1.0f};
        pliant_builder_add_group(builder, &group);
    }
    pliant_model *model = pliant_builder_build(builder, NULL);
    assert_non_null(model);
    pliant_builder_destroy(builder);
    return model;
}

#endif
