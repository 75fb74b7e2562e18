// What a draft holds beside what follows from its mesh and its scale, as a whole.

#include "draft/content.h"

#include "matter/matter.h"

#include <stdlib.h>
#include <string.h>

void pli_draft_release_content(pliant_draft *content)
{
    for (int i = 0; i < content->group_count; ++i)
        free((void *)content->groups[i].def.members);
    free(content->particles);
    free(content->anchors);
    free(content->weights);
    free(content->edges);
    free(content->groups);
    free(content->hinges);
    free(content->links);
}

static bool copy_groups(pliant_draft *copy, const pliant_draft *draft)
{
    if (!pli_draft_reserve_groups(copy, draft->group_count))
        return false;
    for (int i = 0; i < draft->group_count; ++i) {
        const pliant_group_def *group = &draft->groups[i].def;
        size_t size = (size_t)group->member_count * sizeof *group->members;
        pliant_selection members = {group->member_count, malloc(size)};
        if (!members.indices)
            return false;
        memcpy(members.indices, group->members, size);
        pli_draft_append_group(copy, group, &members);
    }
    return true;
}

bool pli_draft_copy_content(pliant_draft *copy, const pliant_draft *draft)
{
    size_t hinges = (size_t)draft->hinge_count * sizeof *draft->hinges;
    size_t links = (size_t)draft->mesh->vertex_count * sizeof *draft->links;
    *copy = (pliant_draft){.mesh = draft->mesh, .spacing = draft->spacing, .bridge = draft->bridge};
    copy->hinges = malloc(hinges + 1);
    copy->links = malloc(links + 1);
    if (!copy->hinges || !copy->links ||
        !pli_draft_reserve_particles(copy, draft->particle_count) ||
        !pli_draft_reserve_edges(copy, draft->edge_count) || !copy_groups(copy, draft)) {
        pli_draft_release_content(copy);
        return false;
    }
    for (int i = 0; i < draft->particle_count; ++i) {
        pli_draft_append_particle(copy, &draft->particles[i], draft->anchors[i]);
        copy->weights[i] = draft->weights[i];
    }
    copy->weight = draft->weight;
    copy->material = draft->material;
    copy->is_weighed = draft->is_weighed;
    for (int i = 0; i < draft->edge_count; ++i)
        copy->edges[copy->edge_count++] = draft->edges[i];
    if (hinges > 0)
        memcpy(copy->hinges, draft->hinges, hinges);
    copy->hinge_count = draft->hinge_count;
    if (links > 0)
        memcpy(copy->links, draft->links, links);
    return true;
}

void pli_draft_take_content(pliant_draft *draft, pliant_draft *content)
{
    pli_draft_change_scale(draft, content->spacing, content->bridge);
    pliant_draft taken = *content;
    taken.topology = draft->topology;
    taken.matter = draft->matter;
    taken.tips = draft->tips;
    taken.surface = draft->surface;
    taken.progress = draft->progress;
    taken.tool_depth = draft->tool_depth;
    pli_draft_release_content(draft);
    *draft = taken;
    *content = (pliant_draft){0};
}
