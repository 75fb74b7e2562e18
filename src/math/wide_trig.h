// Several sines, cosines and angles at once: trig.h lane by lane, the same bits.

#ifndef PLIANT_MATH_WIDE_TRIG_H
#define PLIANT_MATH_WIDE_TRIG_H

#include "trig.h"
#include "wide.h"

// trig_sin_cos
WIDE_INLINE void wide_sin_cos(wide x, wide *sine, wide *cosine)
{
    const wide part1 = wide_all(1.5703125f), part2 = wide_all(4.8351287841796875e-4f),
               part3 = wide_all(3.1385570764541623e-7f), zero = wide_all(0.0f);
    const wide_mask one = wide_all_bits(1), two = wide_all_bits(2);
    x = wide_select(wide_absolute(x) <= wide_all(1e6f), x, zero);
    wide scaled = x * wide_all(0.636619772367581f);
    wide half = wide_select(scaled < zero, wide_all(-0.5f), wide_all(0.5f));
    wide_mask k = __builtin_convertvector(scaled + half, wide_mask);
    wide turns = __builtin_convertvector(k, wide);
    wide r = ((x - turns * part1) - turns * part2) - turns * part3;
    wide r2 = r * r;
    wide s = r + r * r2 *
                     (wide_all(-0.166666542f) +
                      r2 * (wide_all(0.00833213209f) + r2 * wide_all(-0.000195109211f)));
    wide c = wide_all(1.0f) - wide_all(0.5f) * r2 +
             r2 * r2 *
                 (wide_all(0.0416666457f) +
                  r2 * (wide_all(-0.00138873068f) + r2 * wide_all(2.44312969e-05f)));
    wide_mask is_odd = (k & one) == one, is_low = (k & two) == two;
    wide_mask is_left = ((k + one) & two) == two; // of the quadrants 1 and 2
    wide a = wide_select(is_odd, c, s), b = wide_select(is_odd, s, c);
    *sine = wide_select(is_low, -a, a);
    *cosine = wide_select(is_left, -b, b);
}

// trig_atan2
WIDE_INLINE wide wide_atan2(wide y, wide x)
{
    const wide zero = wide_all(0.0f);
    wide ax = wide_absolute(x), ay = wide_absolute(y);
    wide large = wide_maximum(ax, ay), small = wide_minimum(ax, ay);
    wide t = small / large;
    wide_mask folds = t > wide_all(0.414213562f);
    wide base = wide_select(folds, wide_all(0.785398163f), zero);
    t = wide_select(folds, (small - large) / (small + large), t);
    wide t2 = t * t;
    wide angle =
        base + (t + t * t2 *
                        (wide_all(-0.333329528f) +
                         t2 * (wide_all(0.199778224f) +
                               t2 * (wide_all(-0.138786274f) + t2 * wide_all(0.0805605221f)))));
    angle = wide_select(ay > ax, wide_all(PLIANT_HALF_PI) - angle, angle);
    angle = wide_select(x < zero, wide_all(PLIANT_PI) - angle, angle);
    angle = wide_select(y < zero, -angle, angle);
    return wide_select(large == zero, zero, angle);
}

#endif
