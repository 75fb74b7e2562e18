// Edges between particles as lines.

import { Color } from 'three';
import { edgeColour } from './colours';
import { Lines } from './lines';
import { ORDER } from './order';
import type { ViewSettings } from './types';

export class Edges {
    private readonly lines = new Lines({ width: 1.6, order: ORDER.edges });
    readonly object = this.lines.object;
    private edges: Int32Array = new Int32Array(0);
    private values: Float32Array = new Float32Array(0);
    private readonly colour = new Color();

    setEdges(edges: Int32Array, values: Float32Array, view: ViewSettings): void {
        this.edges = edges;
        this.values = values;
        if (edges.length === 0) this.lines.clear();
        else this.lines.setCount(edges.length / 2);
        this.setView(view);
    }

    // Particles stand in rows of `stride` numbers that begin with the position.
    setPoses(rows: Float32Array, stride: number): void {
        const edges = this.edges;
        for (let i = 0; i < edges.length / 2; ++i) {
            const a = stride * edges[2 * i]!, b = stride * edges[2 * i + 1]!;
            this.lines.setSegment(i, rows[a]!, rows[a + 1]!, rows[a + 2]!, rows[b]!, rows[b + 1]!, rows[b + 2]!);
        }
        this.lines.positionsChanged();
    }

    setView(view: ViewSettings): void {
        for (let i = 0; i < this.edges.length / 2; ++i) {
            edgeColour(view.edgeColour, this.values[2 * i] ?? 0, this.values[2 * i + 1] ?? 0, this.colour);
            this.lines.setColour(i, this.colour);
        }
        this.lines.coloursChanged();
        this.lines.setOpacity(view.edges.opacity);
        this.lines.show(view.edges.shown && this.edges.length > 0);
    }

    dispose(): void {
        this.lines.dispose();
    }
}
