// A lion fish: a firm striped body, long soft spines and fins. Model space: +z forward, +y up, the middle of
// the head at LIONFISH_HEAD.

#ifndef PLIANT_SCENES_LIONFISH_H
#define PLIANT_SCENES_LIONFISH_H

#include "sketch.h"

static const vec3 LIONFISH_HEAD = {0.0f, 0.0f, 0.32f};

// The particles of the head are pinned; they are the first ones.
enum { LIONFISH_HEAD_PARTICLES = 12 };

sketch lionfish_sketch(void);

#endif
