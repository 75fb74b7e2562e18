// What a tool is: an entry in the strip, a panel in the inspector, and what the left button does.

import type { App } from '../app/app';
import type { Pick, Ray, RecipeTool } from '../core/protocol';
import type { Icon } from '../ui/icons';
import type { Panel } from '../ui/panel';
import type { EdgeColour, ParticleColour, Targets } from '../view/types';

// What is under the pointer.
export interface Hit {
    pick: Pick;
    ray: Ray;
    x: number; // clientX, clientY
    y: number;
    shift: boolean;
    ctrl: boolean; // or command
}

// From pressing the button to letting it go.
export interface Stroke {
    // Where the pointer came to: on the surface, when the core has said what is there; newest only.
    surface?(hit: Hit): void;
    // The same at once, as pixels.
    pixels?(x: number, y: number): void;
    end(): void;
}

export interface Needs {
    ellipsoids?: boolean;
    edges?: boolean;
    colour?: ParticleColour;
    edgeColour?: EdgeColour;
}

export interface Tool {
    readonly id: string;
    readonly title: string;
    readonly key: string;
    readonly icon: Icon;
    readonly about: string; // one or two sentences
    hint(app: App): string; // what the mouse does, for the status line
    hasBrush(app: App): boolean; // a ring on the surface
    fades?: boolean; // the brush has a falloff
    // What has to be seen to use it; shown when it is taken up.
    needs?: Needs | ((app: App) => Needs);
    panel(app: App, panel: Panel): void;
    // Null leaves the button to the camera.
    begin(app: App, hit: Hit): Stroke | null;
    // What strokes before have begun counts no more: another tool was taken up, or something was taken back or opened.
    forget?(): void;
    hover?(app: App, hit: Hit | null): void;
    // What a click there would take: it is marked before that.
    targets?(app: App, hit: Hit): Targets;
    // What the button of the panel does, as a recipe. With it, numbers that change right afterwards do it over.
    recipe?(app: App): Recipe | null;
}

export interface Recipe {
    label: string;
    tools: RecipeTool[];
}

export function particleAt({ particle }: Pick): Targets {
    return particle ? { particles: [particle.index] } : {};
}
