// Contact points with their normals, as long as the root of the force: the weak ones are seen beside the strong.

import { Color, Group } from 'three';
import { force } from './colours';
import { Dots } from './dots';
import { Lines } from './lines';
import { ORDER } from './order';
import type { ViewSettings } from './types';

const STRIDE = 7; // point, normal, force
const LONGEST = 0.12; // of the scene's size
const SHORTEST = 0.01;
// How much of the largest force ever is forgotten with each frame: lengths are comparable from frame to frame.
const FORGETTING = 0.01;

export class Contacts {
    readonly object = new Group();
    private readonly lines = new Lines({ width: 2, order: ORDER.contacts });
    private readonly dots = new Dots({ size: 7, colour: null, order: ORDER.contacts });
    private readonly colour = new Color();
    private largest = 0;
    private shown = false;

    constructor() {
        this.object.add(this.lines.object, this.dots.object);
    }

    setContacts(contacts: Float32Array, size: number): void {
        const count = Math.floor(contacts.length / STRIDE);
        let largest = 0;
        for (let i = 0; i < count; ++i) largest = Math.max(largest, contacts[STRIDE * i + 6]!);
        this.largest = Math.max(largest, this.largest * (1 - FORGETTING));
        this.lines.setCount(count);
        this.dots.setCount(count);
        for (let i = 0; i < count; ++i) this.setContact(contacts, i, size);
        this.lines.positionsChanged();
        this.lines.coloursChanged();
        this.dots.changed();
        this.show();
    }

    private setContact(contacts: Float32Array, i: number, size: number): void {
        const k = STRIDE * i;
        const x = contacts[k]!, y = contacts[k + 1]!, z = contacts[k + 2]!;
        const share = this.largest > 0 ? Math.sqrt(contacts[k + 6]! / this.largest) : 0;
        const length = size * (SHORTEST + (LONGEST - SHORTEST) * share);
        this.lines.setSegment(i, x, y, z, x + length * contacts[k + 3]!, y + length * contacts[k + 4]!,
            z + length * contacts[k + 5]!);
        force(share, this.colour);
        this.lines.setColour(i, this.colour);
        this.dots.setDot(i, x, y, z);
        this.dots.setColour(i, this.colour);
    }

    setView(view: ViewSettings): void {
        this.shown = view.contacts.shown;
        this.lines.setOpacity(view.contacts.opacity);
        this.dots.setOpacity(view.contacts.opacity);
        this.show();
    }

    private show(): void {
        this.lines.show(this.shown);
        this.dots.show(this.shown);
    }

    clear(): void {
        this.lines.clear();
        this.dots.clear();
        this.largest = 0;
    }

    dispose(): void {
        this.lines.dispose();
        this.dots.dispose();
    }
}
