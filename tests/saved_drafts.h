// The content of drafts as bytes, to be compared.

#ifndef PLIANT_TESTS_SAVED_DRAFTS_H
#define PLIANT_TESTS_SAVED_DRAFTS_H

#include "drafts.h"

typedef struct saved_draft {
    void *data[PLIANT_DRAFT_SECTION_COUNT];
    size_t sizes[PLIANT_DRAFT_SECTION_COUNT];
} saved_draft;

static inline saved_draft save(const pliant_draft *draft)
{
    saved_draft saved;
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        saved.sizes[i] = pliant_draft_section_size(draft, (pliant_draft_section)i);
        saved.data[i] = malloc(saved.sizes[i]);
        assert_non_null(saved.data[i]);
        pliant_draft_save_section(draft, (pliant_draft_section)i, saved.data[i]);
    }
    return saved;
}

static inline void release(saved_draft *saved)
{
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i)
        free(saved->data[i]);
}

static inline pliant_result restore(pliant_draft *draft, const saved_draft *saved)
{
    return pliant_draft_restore(draft, (const void *const *)saved->data, saved->sizes, &error);
}

static inline void assert_same(const saved_draft *a, const saved_draft *b)
{
    for (int i = 0; i < PLIANT_DRAFT_SECTION_COUNT; ++i) {
        assert_int_equal(a->sizes[i], b->sizes[i]);
        assert_memory_equal(a->data[i], b->data[i], a->sizes[i]);
    }
}

static inline void assert_holds(const pliant_draft *draft, const saved_draft *expected)
{
    saved_draft now = save(draft);
    assert_same(&now, expected);
    release(&now);
}

#endif
