// The Studio as a whole: session, viewport, loop, the tool in hand and the numbers beside it. Parts of the page listen
// here and call what stands here.

import { SELECTED } from '../core/protocol';
import type { DocumentState, RecipeTool, Rule, SelectMode, State, Vec3, What } from '../core/protocol';
import { asWhole, flush, save, type Settings } from '../keep/autosave';
import { DEFAULT_VIEW, type Viewport, type ViewSettings } from '../view/types';
import { TOOLS, toolOf } from '../tools';
import { LIVE_LABELS } from '../tools/live';
import { diagonal, mirrored, normalOf, parametersFor, withKept, type Parameters } from '../tools/parameters';
import type { Recipe, Tool } from '../tools/tool';
import { Display, type Camera } from './display';
import { Loop } from './loop';
import { Session, type Where } from './session';
import { Signal } from './signal';
import { INSIDE, MESH, presetOf } from './views';

const SEEN_THROUGH = 0.45; // opacity of a mesh whose inside is worked on
const PLACING = ['spray', 'slice', 'fill'];
const EDGES_INSIDE = 0.35; // opacity of ellipsoids whose edges are looked at

// What a tool may change of a view for as long as it is in hand.
type Colouring = Pick<ViewSettings, 'particleColour' | 'edgeColour' | 'weights'> & { edges: boolean; opacity: number };

function colouringOf({ particleColour, edgeColour, weights, edges, ellipsoids }: ViewSettings): Colouring {
    return { particleColour, edgeColour, weights, edges: edges.shown, opacity: ellipsoids.opacity };
}

function setColouring(view: ViewSettings, { particleColour, edgeColour, weights, edges, opacity }: Colouring): void {
    Object.assign(view, { particleColour, edgeColour, weights });
    view.edges = { ...view.edges, shown: edges };
    view.ellipsoids = { ...view.ellipsoids, opacity };
}

// What is still as `from` has it is as `to` has it; what was changed by hand stays.
function replaced(present: Colouring, from: Colouring, to: Colouring): Colouring {
    const names = Object.keys(present) as (keyof Colouring)[];
    return Object.fromEntries(names.map((name) =>
        [name, present[name] === from[name] ? to[name] : present[name]])) as unknown as Colouring;
}

function placesOnSelection(tool: RecipeTool): boolean {
    return PLACING.some((name) => tool[name]?.['vertices'] === SELECTED);
}

export class App {
    readonly toolChanged = new Signal<Tool>();
    readonly viewChanged = new Signal<ViewSettings>();
    readonly parametersChanged = new Signal<void>();
    readonly galleryToggled = new Signal<boolean>();
    readonly opened = new Signal<DocumentState>(); // from a file
    readonly display: Display;
    readonly loop: Loop;
    parameters: Parameters = parametersFor(null, 0);
    tool: Tool = TOOLS[0]!;
    isGalleryShown = false;
    grabbed = 0; // the body that was grabbed last

    // What the button of a tool did last: while nothing else was done, another number does it over.
    private applied: { tool: Tool; position: number } | null = null;
    private applying: Tool | null = null; // whose button works just now
    private adjusting = false;
    private adjustAgain = false;
    private strokes = Date.now() % 1e9;
    private sized = -1; // the document that the parameters suit
    private isAnew = false; // the core is another one with the same document: numbers and views still suit it
    private hadParticles = false;
    private wasEmpty = true;
    private camera: Camera | null = null; // of the document
    // What helps to author is not how a scene, or the document that plays, is meant to be seen.
    private readonly views = {
        document: structuredClone(DEFAULT_VIEW), scene: structuredClone(DEFAULT_VIEW),
        played: structuredClone(DEFAULT_VIEW),
    };
    private viewed: ViewSettings = this.views.document; // the one in the viewport
    // How the document was coloured before the tool came, and how by the tool.
    private lent: { before: Colouring; by: Colouring } | null = null;

    private constructor(readonly session: Session, readonly view: Viewport, display: Display) {
        this.display = display;
        this.loop = new Loop(session, view, () => this.shown, () => this.isGalleryShown);
        session.changed.on((state) => this.take(state));
        session.restarted.on(() => {
            this.display.forget();
            this.loop.run(false);
            this.isAnew = true;
        });
    }

    static async start(view: Viewport, where: Where): Promise<App> {
        let app: App | null = null;
        let display: Display | null = null;
        const session = await Session.start(where, (state) => display!.show(state));
        display = new Display(view, () => app!.shown, () => session.engine);
        app = new App(session, view, display);
        view.setView(app.shown);
        return app;
    }

    // The work as it was kept, or the gallery where there is none.
    async restore(): Promise<void> {
        const settings = await this.session.restore();
        if (settings) {
            this.takeSettings(settings);
            this.keep(); // what was kept when the history came back had not these yet
        }
        this.showGallery(this.state.mode === 'empty');
    }

    get state(): State {
        return this.session.state;
    }

    get shown(): ViewSettings {
        const { mode, stage } = this.state;
        if (mode !== 'play') return this.views.document;
        return stage?.source === 'document' ? this.views.played : this.views.scene;
    }

    get document(): DocumentState | null {
        return this.state.document;
    }

    // Whether the document is what is seen, authored or simulated, and not a scene in front of it.
    get isDocumentShown(): boolean {
        return this.document !== null && !(this.state.mode === 'play' && this.state.stage?.source !== 'document');
    }

    get size(): number {
        return this.document ? diagonal(this.document) : 1;
    }

    // ------------------------------------------------------------------------------------- Work

    run(label: string, tools: RecipeTool[], stroke?: number): Promise<State | null> {
        this.applied = null;
        return this.session.command('run', stroke ? { label, tools, stroke } : { label, tools });
    }

    select(
        mode: SelectMode, rules: Rule[], what: What = this.parameters.select.what, stroke?: number,
    ): Promise<State | null> {
        return this.session.command('select', stroke ? { what, mode, rules, stroke } : { what, mode, rules });
    }

    // Of vertices and particles, as one entry of the history.
    selectNothing(): void {
        const stroke = this.newStroke();
        if (this.document?.selectedVertices) void this.select('set', [{ none: {} }], 'vertices', stroke);
        if (this.document?.selectedParticles) void this.select('set', [{ none: {} }], 'particles', stroke);
    }

    newStroke(): number {
        return ++this.strokes;
    }

    // The argument of a tool that works on what is selected, or on everything.
    get particles(): { particles?: string } {
        return this.document?.selectedParticles ? { particles: SELECTED } : {};
    }

    get vertices(): { vertices?: string } {
        return this.document?.selectedVertices ? { vertices: SELECTED } : {};
    }

    // The same in words.
    countOf(what: What): string {
        const document = this.document;
        if (!document) return '';
        const some = what === 'vertices' ? document.selectedVertices : document.selectedParticles;
        const all = what === 'vertices' ? document.vertices : document.particles;
        const one = what === 'vertices' ? 'vertex' : 'particle';
        return some ? `${some.toLocaleString('en-US')} selected ${some === 1 ? one : what}`
            : `all ${all.toLocaleString('en-US')} ${what}`;
    }

    // What the tool's button does.
    async apply(tool: Tool): Promise<void> {
        const makesWay = this.isAutomatic;
        const recipe = this.recipeOf(tool);
        if (!recipe) return;
        this.applying = tool;
        this.adjustAgain = false;
        await flush(); // it may take long and be cancelled, and nothing of what was done before is to be lost then
        const state = await this.run(recipe.label, recipe.tools);
        this.applying = null;
        if (!state) return;
        if (makesWay && recipe.tools.some(placesOnSelection)) {
            this.session.noted.emit('The automatic model made way: Undo brings it back.');
        }
        this.setApplied({ tool, position: state.history.position });
        if (this.adjustAgain) void this.adjust();
    }

    // A model that came by itself makes way for what is made of a selection: the rest of the mesh was not asked for.
    private recipeOf(tool: Tool): Recipe | null {
        const recipe = tool.recipe?.(this) ?? null;
        if (!recipe || !this.isAutomatic || !recipe.tools.some(placesOnSelection)) return recipe;
        return { ...recipe, tools: [{ remove: {} }, ...recipe.tools] };
    }

    // Whether Automatic, which leaves nothing of what was there before, was used last.
    private get isAutomatic(): boolean {
        const { labels, position } = this.state.history;
        const adds = (label: string) => !/^(Select|Body|Scale) /.test(label) && !LIVE_LABELS.includes(label);
        return labels.slice(0, position).filter(adds).at(-1) === 'Automatic';
    }

    // A model of the mesh, or of what is selected of it, with the numbers of its tool beside it.
    async automate(): Promise<void> {
        this.setTool('auto');
        await this.apply(this.tool);
    }

    get isAdjustable(): boolean {
        return this.applied?.tool === this.tool && this.applied.position === this.state.history.position;
    }

    // Numbers beside a tool change. `redoes`: what the tool's button has just done is done over with them.
    changeParameters(change: () => void, redoes = false): void {
        change();
        this.parametersChanged.emit();
        this.keep();
        if (!redoes) return;
        // What is worked on is done over afterwards.
        if (this.applying === this.tool) this.adjustAgain = true;
        else if (this.isAdjustable || (this.adjusting && this.applied?.tool === this.tool)) void this.adjust();
    }

    undo(): Promise<unknown> {
        return this.travel('undo');
    }

    redo(): Promise<unknown> {
        return this.travel('redo');
    }

    travelTo(position: number): Promise<unknown> {
        this.tool.forget?.();
        return this.session.command('travel', { position });
    }

    scale(by: number): Promise<State | null> {
        this.loop.run(false);
        return this.session.command('scale', { by });
    }

    removeSelected(): Promise<unknown> | null {
        const count = this.document?.selectedParticles;
        if (!count || this.state.mode !== 'author') return null;
        return this.run(`Delete ${count} particle${count > 1 ? 's' : ''}`, [{ remove: { particles: SELECTED } }]);
    }

    // A point and, with symmetric brushing, its mirror image.
    sides(point: Vec3): Vec3[] {
        const { mirror } = this.parameters;
        return mirror.on ? [point, mirrored(point, mirror)] : [point];
    }

    // ------------------------------------------------------------------------------------- Playing

    async play(name: string): Promise<void> {
        this.showGallery(false);
        this.grabbed = 0;
        this.loop.speed = 1;
        this.loop.run(false);
        if (await this.session.command('scene', { name })) this.startPlaying();
    }

    async simulate(): Promise<void> {
        const { mode, document } = this.state;
        if (mode !== 'author' || !document) return;
        if (!document.particles) {
            this.session.noted.emit('Nothing can move yet: A makes a model, or spray particles.');
            return;
        }
        // As it will be seen; what the document is seen in comes back with it.
        const { document: own, played } = this.views;
        Object.assign(played, structuredClone(own), presetOf(MESH, own));
        if (!await this.session.command('simulate', {})) return;
        if (document.particles > 1 && !document.edges && !document.groups) {
            this.session.noted.emit('There are no edges: each particle falls for itself.');
        }
        this.startPlaying();
    }

    // Leaves what plays, back to the authored state.
    async stop(): Promise<void> {
        this.loop.run(false);
        this.view.setGrip(null);
        await this.session.command('leave', {});
    }

    async reset(): Promise<void> {
        await this.session.command('reset', {});
        this.loop.begin();
    }

    async edit(body: number): Promise<void> {
        this.loop.run(false);
        await this.session.command('edit', { body });
    }

    startPlaying(): void {
        this.loop.begin();
        this.loop.run(true);
    }

    // ------------------------------------------------------------------------------------- Looks

    setTool(id: string): void {
        this.tool.forget?.();
        this.takeColoursBack();
        this.tool = toolOf(id);
        this.showNeeded();
        this.view.setBrushes([]);
        this.view.setPreview([], 0);
        this.view.setTargets({});
        this.showMirror();
        this.toolChanged.emit(this.tool);
        this.keep();
    }

    setView(change: (settings: ViewSettings) => void): void {
        const hadWeights = this.shown.weights;
        change(this.shown);
        this.showView();
        if (this.shown.weights && !hadWeights && this.state.mode === 'author') {
            void this.session.do(() => this.display.loadWeights());
        }
        if (this.state.mode === 'play') this.loop.look();
        this.viewChanged.emit(this.shown);
        this.keep();
    }

    setPreset(index: number): void {
        this.setView((settings) => Object.assign(settings, presetOf(index, settings)));
    }

    // The particles inside a faint mesh while something plays, or the mesh again.
    toggleInside(): void {
        this.setPreset(this.shown.ellipsoids.shown ? MESH : INSIDE);
    }

    frameAll(): void {
        const { mode, document } = this.state;
        if (mode === 'author' && document) this.view.frameBox(document.minimum, document.maximum);
        else this.display.frameStage(this.state);
        if (mode === 'play') this.loop.look();
    }

    showMirror(): void {
        const { mirror } = this.parameters;
        const visible = this.state.mode === 'author' && (mirror.on || this.tool.id === 'mirror');
        this.view.setMirror(visible ? { normal: normalOf(mirror.axis), offset: mirror.offset } : null);
    }

    showGallery(on: boolean): void {
        this.isGalleryShown = on;
        this.galleryToggled.emit(on);
    }

    // ------------------------------------------------------------------------------------- Keeping

    keep(): void {
        if (this.state.mode === 'author') this.camera = this.view.camera();
        save(this.session.engine, this.settings);
    }

    // What is kept beside the document and its history.
    get settings(): Settings {
        return {
            view: this.views.document, lent: this.lent, tool: this.tool.id, parameters: this.parameters,
            camera: this.camera,
        };
    }

    // Particles inside an opaque mesh cannot be worked on; while there are none, the mesh is all there is to see.
    showNeeded(): void {
        if (!this.document?.particles || this.state.mode !== 'author') return;
        const needs = typeof this.tool.needs === 'function' ? this.tool.needs(this) : this.tool.needs;
        const { ellipsoids, edges, mesh, particleColour, edgeColour } = this.shown;
        const colour = needs?.colour ?? particleColour;
        const ofEdges = needs?.edgeColour ?? edgeColour;
        const lacksParticles = needs?.ellipsoids && !ellipsoids.shown;
        const lacksEdges = needs?.edges && !edges.shown;
        if (!lacksParticles && !lacksEdges && colour === particleColour && ofEdges === edgeColour) return;
        const present = colouringOf(this.shown);
        const before = this.lent ? replaced(present, this.lent.by, this.lent.before) : present;
        this.setView((settings) => {
            settings.weights = false;
            settings.particleColour = colour;
            settings.edgeColour = ofEdges;
            if (lacksEdges) settings.edges = { ...edges, shown: true };
            // Edges run through the middle of ellipsoids.
            if (needs?.edgeColour) settings.ellipsoids.opacity = Math.min(ellipsoids.opacity, EDGES_INSIDE);
            if (!lacksParticles) return;
            settings.ellipsoids = { ...settings.ellipsoids, shown: true };
            settings.mesh = { ...mesh, opacity: Math.min(mesh.opacity, SEEN_THROUGH) };
        });
        this.lent = { before, by: colouringOf(this.shown) };
        this.keep();
    }

    // The colours of a tool leave with it.
    private takeColoursBack(): void {
        const { lent } = this;
        this.lent = null;
        if (lent && this.state.mode === 'author') {
            this.setView((settings) => setColouring(settings, replaced(colouringOf(settings), lent.by, lent.before)));
        }
    }

    private takeSettings(settings: Record<string, unknown>): void {
        Object.assign(this.views.document, settings['view'] as Partial<ViewSettings> | undefined);
        this.lent = (settings['lent'] as App['lent'] | undefined) ?? null;
        this.parameters = withKept(this.parameters, settings['parameters']);
        if (typeof settings['tool'] === 'string') this.tool = toolOf(settings['tool']);
        const camera = settings['camera'] as Camera | null;
        if (camera && this.state.mode === 'author') this.view.setCamera(camera.eye, camera.target, camera.verticalFov);
        this.showView();
        if (this.shown.weights && this.state.mode === 'author') void this.session.do(() => this.display.loadWeights());
        this.showMirror();
    }

    // Weights are those of particles selected in the document: nothing that plays has them.
    private showView(): void {
        this.viewed = this.shown;
        this.view.setView({ ...this.shown, weights: this.shown.weights && this.state.mode === 'author' });
    }

    private take(state: State): void {
        const document = state.document;
        if (this.isAnew && document) this.sized = document.revision;
        this.isAnew = false;
        const isSame = document?.revision === this.sized;
        const hasParticles = (document?.particles ?? 0) > 0;
        const isFirst = isSame && !this.hadParticles && hasParticles;
        if (state.mode === 'author' && (!isSame || (this.hadParticles && !hasParticles))) this.suitView(hasParticles);
        this.hadParticles = hasParticles;
        if (state.mode === 'author' && document && document.revision !== this.sized) {
            this.sized = document.revision;
            const { select, mirror } = this.parameters;
            this.parameters = { ...parametersFor(document, this.display.area), select };
            Object.assign(this.parameters.mirror, { axis: mirror.axis, to: mirror.to });
            this.parametersChanged.emit();
        }
        const isEmpty = state.mode === 'empty';
        if (isEmpty !== this.wasEmpty) this.showGallery(isEmpty);
        this.wasEmpty = isEmpty;
        if (isFirst) this.showNeeded();
        if (this.shown !== this.viewed) {
            this.showView();
            this.viewChanged.emit(this.shown);
        } else if (this.shown.weights) {
            this.showView();
        }
        this.showMirror();
        this.keep();
    }

    // Weights are those of one mesh's particles; and a faint mesh without particles is hardly anything.
    private suitView(hasParticles: boolean): void {
        this.tool.forget?.();
        const view = this.views.document;
        Object.assign(view, hasParticles ? { weights: false } : presetOf(MESH, view));
        this.showView();
        this.viewChanged.emit(view);
    }

    private async travel(command: 'undo' | 'redo'): Promise<void> {
        const { mode, stage } = this.state;
        const isPossible = () => {
            const { position, labels } = this.state.history;
            return command === 'undo' ? position > 0 : position < labels.length;
        };
        if (!isPossible()) return;
        this.tool.forget?.();
        if (mode === 'play') {
            if (stage?.source !== 'document') return;
            await this.stop();
        }
        // A key that is held asks faster than the core answers: others may have reached the end before.
        await this.session.change((engine) => isPossible() ? engine.ask(command, {}) : engine.ask('state', {}));
    }

    private setApplied(applied: App['applied']): void {
        this.applied = applied;
        this.parametersChanged.emit();
    }

    // One at a time; what changes meanwhile is taken up by the next.
    private async adjust(): Promise<void> {
        this.adjustAgain = true;
        if (this.adjusting) return;
        this.adjusting = true;
        try {
            while (this.adjustAgain && this.applied) {
                this.adjustAgain = false;
                const { tool, position } = this.applied;
                const state = await this.session.change(async (engine) => {
                    // Something else was done meanwhile, such as taking it back.
                    if (this.state.history.position !== position) return engine.ask('state', {});
                    return asWhole(async () => {
                        this.session.state = await engine.ask('undo', {});
                        const recipe = this.recipeOf(tool);
                        return recipe ? engine.ask('run', recipe) : engine.ask('state', {});
                    });
                });
                const isDone = state?.history.position === position;
                this.setApplied(isDone ? { tool, position } : null);
            }
        } finally {
            this.adjusting = false;
        }
    }
}
