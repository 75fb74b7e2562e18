// What the truck's parts are made of. A body has one colour, so that this stands in the texture
// coordinates: u picks one of eight cells of a palette, for whoever wants to paint the truck.

#ifndef PLIANT_SCENES_TRUCK_SKIN_H
#define PLIANT_SCENES_TRUCK_SKIN_H

typedef enum truck_material {
    TRUCK_PAINT,
    TRUCK_TRIM,
    TRUCK_SEAT,
    TRUCK_LIGHT,
    TRUCK_CHROME,
    TRUCK_STEEL,
    TRUCK_RUBBER,
    TRUCK_RIM,
} truck_material;

// The middle of a material's cell.
static inline float truck_material_u(truck_material material)
{
    return ((float)material + 0.5f) / 8.0f;
}

#endif
