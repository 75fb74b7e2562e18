// Parts of the page that need no browser: time, numbers that suit an object, brush strokes, frames between steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importSource } from './bundle.mjs';

const { Between } = await importSource('app/between.ts');
const { brushStroke } = await importSource('tools/brushing.ts');
const { mirrored, parametersFor, withKept } = await importSource('tools/parameters.ts');
const { Loop, DT } = await importSource('app/loop.ts');
const { App } = await importSource('app/app.ts');
const { Session } = await importSource('app/session.ts');
const { Display } = await importSource('app/display.ts');
const { edges } = await importSource('tools/edges.ts');
const { bind } = await importSource('tools/bind.ts');
const { remaining } = await importSource('tools/erasing.ts');
const { leftOut } = await importSource('keep/files.ts');
const { evaluate } = await importSource('ui/expression.ts');

function frameOf(poses) {
    const floats = Float32Array.from(poses);
    return { positions: floats.slice(0, 3), normals: floats.slice(0, 3), poses: floats, colliders: floats.slice(0, 0) };
}

test('a frame between two is where the part says, turned by unit quaternions the short way', () => {
    const a = frameOf([0, 0, 0, 0, 0, 0, 1]);
    // A quarter turn about y, written with the other sign.
    const b = frameOf([2, 4, 6, 0, -Math.SQRT1_2, 0, -Math.SQRT1_2]);
    const between = new Between();
    for (const part of [0, 0.25, 0.5, 1]) {
        const { poses } = between.frame(a, b, part);
        assert.deepEqual(Array.from(poses.slice(0, 3)), [2 * part, 4 * part, 6 * part]);
        assert.ok(Math.abs(Math.hypot(...poses.slice(3)) - 1) < 1e-6);
    }
    const half = between.frame(a, b, 0.5).poses;
    assert.ok(Math.abs(half[4] - Math.sin(Math.PI / 8)) < 1e-6, `${half[4]} is half of the turn`);
});

test('a mirror image’s mirror image is the point itself', () => {
    for (const axis of ['x', 'y', 'z']) {
        const mirror = { axis, offset: 0.3 };
        const image = mirrored([1, 2, 3], mirror);
        assert.notDeepEqual(image, [1, 2, 3]);
        mirrored(image, mirror).forEach((value, i) => assert.ok(Math.abs(value - (i + 1)) < 1e-12));
    }
});

const documentOf = (size, spacing = 0) => ({ minimum: [0, 0, 0], maximum: [size, size, size], spacing });

test('numbers grow with the object, and a spacing that is there is kept', () => {
    const small = parametersFor(documentOf(1), 6);
    const large = parametersFor(documentOf(100), 60000);
    assert.ok(Math.abs(large.spray.spacing / small.spray.spacing - 100) < 1);
    assert.ok(small.brush.radius > small.spray.spacing && small.edges.distance > small.spray.spacing);
    assert.equal(parametersFor(documentOf(1, 0.07), 6).spray.spacing, 0.07);
});

test('kept numbers come back, and what is not one of them does not', () => {
    const fresh = parametersFor(null, 0);
    const kept = withKept(fresh, { fit: { aspect: 3, drift: 'many', gone: 1 }, nothing: { a: 1 }, bind: null });
    assert.deepEqual(kept, { ...fresh, fit: { ...fresh.fit, aspect: 3 } });
    assert.deepEqual(withKept(fresh, 'text'), fresh);
});

test('dabs that come while the core works go together, and none is lost', async () => {
    const app = { parameters: { brush: { radius: 1 } }, newStroke: () => 7, sides: (point) => [point] };
    const hitAt = (x) => ({ pick: { surface: x === null ? null : { point: [x, 0, 0] } }, shift: false, ctrl: false });
    const calls = [];
    let release = [];
    const stroke = brushStroke(app, hitAt(0), (places, id) => {
        calls.push({ places: places.map(([x]) => x), id });
        return new Promise((resolve) => release.push(resolve));
    });
    for (const x of [0.1, 0.4, null, 0.8, 1.2]) stroke.surface(hitAt(x)); // 0.1 is too near to be one
    assert.deepEqual(calls, [{ places: [0], id: 7 }]);
    release.shift()();
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(calls[1], { places: [0.4, 0.8, 1.2], id: 7 });
    assert.equal(brushStroke(app, hitAt(null), () => assert.fail('there is nothing to paint on')), null);
});

// A loop whose pictures and core are those of the test.
function loopOf() {
    const asked = [];
    const pictures = [];
    const session = {
        switching: 0, state: { mode: 'play', stage: { revision: 1 } },
        engine: { frame: (dt, steps) => new Promise((resolve) => asked.push({ dt, steps, resolve })) },
        fail: (error) => { throw error; },
    };
    const view = { render() {}, setFrame: (frame) => pictures.push(frame) };
    let tick = null;
    globalThis.requestAnimationFrame = (next) => { tick = next; };
    const loop = new Loop(session, view, () => ({ contacts: { shown: false } }), () => false);
    loop.start();
    const picture = async (now) => {
        tick(now);
        await new Promise((resolve) => setTimeout(resolve));
    };
    return { loop, asked, pictures, picture, session };
}

const still = { ...frameOf([0, 0, 0, 0, 0, 0, 1]), stepMilliseconds: 1 };

test('time goes in equal steps, one question at a time, and never runs after a slow machine', async () => {
    const { loop, asked, picture } = loopOf();
    await picture(0);
    loop.run(true);
    await picture(1000 / 60);
    assert.deepEqual(asked.map(({ dt, steps }) => [dt, steps]), [[DT, 1]]);
    for (let i = 2; i < 60; ++i) await picture((i * 1000) / 60);
    assert.equal(asked.length, 1, 'nothing is asked before the answer');
    asked[0].resolve(still);
    await picture(1000);
    await picture(1000 + 1000 / 60);
    assert.equal(asked[1].steps, 3, 'what was missed is not made up for');
});

test('slow motion takes as many steps less', async () => {
    const { loop, asked, picture } = loopOf();
    await picture(0);
    loop.speed = 0.25;
    loop.run(true);
    for (let i = 1; i <= 120; ++i) {
        await picture((i * 1000) / 60);
        asked.at(-1)?.resolve(still);
        await new Promise((resolve) => setTimeout(resolve));
    }
    const steps = asked.reduce((sum, one) => sum + one.steps, 0);
    assert.ok(Math.abs(steps - 30) <= 1, `${steps} steps in two seconds`);
});

test('frames wait for a change that is on its way, and a paused scene goes by single steps', async () => {
    const { loop, asked, picture, session } = loopOf();
    session.switching = 1;
    await picture(0);
    loop.run(true);
    await picture(100);
    assert.equal(asked.length, 0);
    session.switching = 0;
    loop.step();
    assert.equal(loop.isRunning, false);
    await picture(200);
    asked[0].resolve(still);
    await picture(300);
    await picture(400);
    assert.deepEqual(asked.map(({ steps }) => steps), [1]);
});

test('a scene that begins has no frame of the one before', async () => {
    const { loop, asked, picture } = loopOf();
    await picture(0);
    loop.run(true);
    await picture(100);
    asked[0].resolve(still);
    await picture(200);
    assert.equal(loop.last, still);
    loop.begin();
    assert.equal(loop.last, null);
});

// ---------------------------------------------------------------------------------------------
// The whole of it, with a core that has a history and nothing else, and answers when it is told to.

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

function coreOf() {
    const asked = [];
    const held = [];
    let states = [{ mode: 'author', particles: 0, revision: 1 }];
    let labels = [];
    let position = 0;
    let stage = null;
    const core = { asked, isHeld: false };
    const state = () => ({
        scenes: [], notes: [], mode: stage ? 'play' : 'author', stage, history: { labels: [...labels], position },
        document: {
            ...states[position], name: 'thing', vertices: 3, minimum: [0, 0, 0], maximum: [1, 1, 1], spacing: 0, edges: 0,
            groups: 0, selectedVertices: 0, selectedParticles: 0, parts: [], primitives: [], selected: null,
        },
    });
    const add = (label, change) => {
        labels = [...labels.slice(0, position), label];
        states = [...states.slice(0, position + 1), { ...states[position], ...change }];
        ++position;
    };
    const commands = {
        state: () => {},
        history: () => {},
        run: ({ label, tools }) => add(label, { particles: tools.find((tool) => tool.auto)?.auto.count ?? 0 }),
        open: () => add('Open', { particles: 0, revision: states[position].revision + 1 }),
        undo: () => { if (position-- === 0) throw new Error('there is nothing to undo'); },
        redo: () => { if (position++ === labels.length) throw new Error('there is nothing to do again'); },
        scene: () => { stage = { source: 'built-in', revision: 9, bodies: [], camera: {} }; },
        simulate: () => { stage = { source: 'document', revision: 8, bodies: [] }; },
        leave: () => { stage = null; },
        weights: () => {},
    };
    // Answers what waits, as far as it is wanted.
    core.release = async (isWanted = () => true) => {
        for (let quiet = 0; quiet < 5; ++quiet) {
            await nextTurn();
            if (!held.length || !isWanted(held[0].command)) continue;
            held.shift().answer();
            quiet = 0;
        }
    };
    core.engine = {
        async ask(command, ask) {
            asked.push({ command, ask });
            if (core.isHeld && command !== 'history') await new Promise((answer) => held.push({ command, answer }));
            commands[command](ask);
            return command === 'history' ? { position: 0, entries: [] } : state();
        },
        view: async () => new Float32Array(0),
        block: async () => null,
    };
    core.state = state;
    return core;
}

async function appOf() {
    globalThis.window = globalThis;
    globalThis.requestAnimationFrame = () => {};
    const core = coreOf();
    const told = [];
    const views = [];
    const view = new Proxy({}, {
        get: (_, name) => name === 'setView' ? (settings) => views.push(structuredClone(settings))
            : name === 'camera' ? () => ({ eye: [0, 0, 1], target: [0, 0, 0], verticalFov: 1 }) : () => {},
    });
    let app = null;
    const display = new Display(view, () => app.shown, () => core.engine);
    const session = new Session(core.engine, core.state(), 'page', (state) => display.show(state));
    app = new App(session, view, display);
    session.failed.on((message) => told.push(message));
    await session.refresh();
    return { app, core, told, views };
}

test('numbers that change while Automatic works are the ones it ends with', async () => {
    const { app, core } = await appOf();
    app.setTool('auto');
    const countTo = (count) => app.changeParameters(() => { app.parameters.auto.count = count; }, true);
    app.parameters.auto.by = 'count';
    core.isHeld = true;
    const applied = app.apply(app.tool);
    await nextTurn();
    countTo(500); // while it is done for the first time
    await core.release();
    await applied;
    await core.release();
    assert.equal(app.document.particles, 500);
    countTo(600);
    await core.release((command) => command === 'undo');
    assert.equal(app.state.history.position, 0, 'it is being done over');
    countTo(700); // meanwhile
    await core.release();
    assert.equal(app.document.particles, 700);
    assert.deepEqual(app.state.history, { labels: ['Automatic'], position: 1 });
    assert.ok(app.isAdjustable);
});

test('who takes Automatic back while it is done over loses nothing else', async () => {
    const { app, core, told } = await appOf();
    await app.run('Before', [{ auto: { count: 7 } }]);
    app.setTool('auto');
    await app.apply(app.tool);
    core.isHeld = true;
    app.changeParameters(() => { app.parameters.auto.stiffness = 0.1; }, true);
    const undone = app.undo();
    app.changeParameters(() => { app.parameters.auto.stiffness = 0.2; }, true);
    await core.release();
    await undone;
    await core.release();
    assert.deepEqual(app.state.history, { labels: ['Before', 'Automatic'], position: 1 });
    assert.deepEqual(told, []);
});

test('the panel hears that numbers may be changed once they may', async () => {
    const { app } = await appOf();
    app.setTool('auto');
    let heard = false;
    app.parametersChanged.on(() => { heard = app.isAdjustable; });
    await app.apply(app.tool);
    assert.ok(heard);
});

test('undo and redo that are held end at the ends, and say nothing', async () => {
    const { app, told } = await appOf();
    for (let i = 0; i < 3; ++i) await app.run('Step', [{ auto: { count: i } }]);
    await Promise.all(Array.from({ length: 8 }, () => app.undo()));
    assert.equal(app.state.history.position, 0);
    await Promise.all(Array.from({ length: 8 }, () => app.redo()));
    assert.equal(app.state.history.position, 3);
    assert.deepEqual(told, []);
});

test('a scene is seen as such, and the document as it was left', async () => {
    const { app, views, told } = await appOf();
    await app.run('Automatic', [{ auto: { count: 9 } }]);
    app.setPreset(2);
    const own = structuredClone(app.shown);
    await app.play('rope');
    assert.deepEqual([views.at(-1).mesh.opacity, views.at(-1).ellipsoids.shown], [1, false]);
    app.setPreset(1);
    await app.stop();
    assert.deepEqual(app.shown, own);
    assert.deepEqual(views.at(-1).mesh, own.mesh);
    await app.simulate();
    assert.deepEqual([views.at(-1).mesh.opacity, views.at(-1).ellipsoids.shown], [1, false], 'it plays as a mesh');
    app.toggleInside();
    assert.equal(app.shown.ellipsoids.shown, true);
    app.toggleInside();
    assert.equal(app.shown.ellipsoids.shown, false);
    await app.stop();
    assert.deepEqual(app.shown, own);
    await app.play('rope');
    assert.equal(app.shown.particleColour, 'plain', 'scenes keep theirs, too');
    assert.deepEqual(told, []);
});

test('another mesh, and one without particles, is seen as a mesh', async () => {
    const { app, views } = await appOf();
    await app.run('Automatic', [{ auto: { count: 9 } }]);
    app.setPreset(5);
    await app.session.command('open', { file: 'other' });
    assert.deepEqual([views.at(-1).weights, views.at(-1).mesh], [false, { shown: true, opacity: 1 }]);
    await app.run('Automatic', [{ auto: { count: 9 } }]);
    app.setPreset(1);
    await app.undo();
    assert.deepEqual([views.at(-1).ellipsoids.shown, views.at(-1).mesh.opacity], [false, 1]);
});

test('the heat map of Bind gives the mesh back as it was', () => {
    const shown = { weights: false, mesh: { shown: true, opacity: 0.3 } };
    const app = { shown, setView: (change) => change(shown) };
    let toggle = null;
    const panel = new Proxy({}, { get: (_, name) => name === 'toggle' ? (options) => { toggle = options; } : () => {} });
    bind.panel(app, panel);
    toggle.set(true);
    assert.deepEqual(shown, { weights: true, mesh: { shown: true, opacity: 1 } });
    toggle.set(false);
    assert.deepEqual(shown, { weights: false, mesh: { shown: true, opacity: 0.3 } });
});

test('two clicks make an edge only while the first particle is the one selected', async () => {
    const asked = [];
    const app = {
        document: { particles: 9, selectedParticles: 0 }, display: { selected: new Uint8Array(9) }, newStroke: () => 1,
        parameters: { edges: { mode: 'single', stretch: 0, torsion: 0 } },
        async select(mode, [rule]) {
            await nextTurn();
            app.display.selected.fill(0);
            if ('index' in rule) app.display.selected[rule.index] = 1;
            app.document.selectedParticles = 'index' in rule ? 1 : 0;
        },
        async run(label, [{ edge }]) { asked.push([edge.a, edge.b]); },
    };
    const click = async (index, wait = true) => {
        edges.begin(app, { pick: { particle: { index } } });
        for (let i = 0; wait && i < 4; ++i) await nextTurn();
    };
    await click(2, false); // faster than the core
    await click(5);
    assert.deepEqual(asked, [[2, 5]]);
    await click(3);
    await app.select('set', [{ index: 4 }]); // by another way
    await click(6);
    assert.equal(asked.length, 1);
    assert.equal(app.display.selected[6], 1, 'it is a first one');
    edges.forget();
    await click(7);
    assert.equal(asked.length, 1);
});

test('what is left of a selection has the numbers that are left', () => {
    const selected = Uint8Array.from([1, 0, 1, 1, 0, 1]);
    assert.deepEqual(remaining(selected, null), [0, 2, 3, 5]);
    assert.deepEqual(remaining(selected, Uint8Array.from([1, 0, 0, 1, 0, 0])), [1, 3]);
});

test('of several meshes those that are not opened are named; parts of one are not', () => {
    const named = (...paths) => paths.map((path) => ({ path }));
    assert.deepEqual(leftOut(named('b.glb', 'a.glb', 'paint.png')), ['b.glb']);
    assert.deepEqual(leftOut(named('scene.json', 'a.glb')), []);
    assert.deepEqual(leftOut(named('a.gltf', 'a.bin', 'more/b.glb')), []);
});

test('what is typed is a sum, a product or a number with its unit', () => {
    const values = {
        '0,5': 0.5, '1,500': 1500, '12,345,678.5': 12345678.5, '2.25': 2.25, '-3,1': -3.1, '1,5': 1.5, '1.0e-5': 1e-5,
        '0.2+0.1': 0.3, '1 − 3': -2, '2*(3+4)/7': 2, '-(1+2)*2': -6, '8/4/2': 1, '1 - 2 - 3': -4, '3 × 2': 6, '50%': 0.5,
    };
    for (const [text, value] of Object.entries(values)) {
        assert.ok(Math.abs(evaluate(text) - value) < 1e-12, `${text} is ${evaluate(text)}`);
    }
    const units = [['20 cm', 'm', 0.2], ['1 m + 5cm', 'm', 1.05], ['3 mm * 2', 'm', 0.006], ['250 g', 'kg', 0.25],
        ['2min', 's', 120], ['9.81 m/s²', 'm/s²', 9.81], ['1000 kg/m³', 'kg/m³', 1000], ['45°', '°', 45]];
    for (const [text, unit, value] of units) assert.ok(Math.abs(evaluate(text, unit) - value) < 1e-12, text);
    for (const text of ['', 'many', '1,2,3', '1+', '(1', '1)', '2 2 2x', '1 m', '~0.5']) {
        assert.ok(!Number.isFinite(evaluate(text)), text);
    }
    assert.ok(Number.isNaN(evaluate('3 kg', 'm')));
});
