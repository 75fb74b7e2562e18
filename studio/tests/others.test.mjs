// Meshes that nobody here made, from being dropped to a baked animation.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openGltf, problems } from '../../tests/node/gltf.mjs';
import { withFolder } from '../../tests/node/pliant.mjs';
import { meshPaths } from './meshes.mjs';
import { launch, useStudio } from './page.mjs';

const SECONDS = 0.5;

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

async function bake(studio, which) {
    await studio.action('export').click();
    await studio.action('export.bake').click();
    await studio.choose('bake.which', which);
    await studio.number('bake.seconds', SECONDS);
    return studio.download(() => studio.action('bake.start').click());
}

// How long the animation of a bake is.
function secondsOf(path) {
    const { json } = openGltf(path);
    return Math.max(...json.animations[0].samplers.map(({ input }) => json.accessors[input].max[0]));
}

async function checkBake(path, particles) {
    assert.deepEqual(await problems(path, 'error'), []);
    assert.ok(Math.abs(secondsOf(path) - SECONDS) < 0.02, `${secondsOf(path)} s`);
    assert.ok(openGltf(path).json.skins[0].joints.length >= particles);
}

const OBJECTS = [
    { name: 'a cow', assets: ['static/spot.obj'], builtIn: 'jelly', shown: true }, // bakes what was shown, too
    { name: 'a truck', assets: ['vehicles/CesiumMilkTruck.glb'], builtIn: 'truck' },
    { name: 'a truck with a texture beside it', assets: ['vehicles/Kenney_truck_green.glb', 'vehicles/Textures'],
        builtIn: 'cart' },
];

for (const { name, assets, builtIn, shown } of OBJECTS) {
    test(`${name} is opened, which makes it a model, simulated and baked`, () => withFolder(async (folder) => {
        const paths = await meshPaths(browser, folder, assets, builtIn);
        await useStudio(browser, async (studio) => {
            const { document } = await studio.open(...paths);
            assert.ok(document.particles > 10, `${document.particles} particles`);
            assert.equal(document.unbound, 0);
            await checkBake(await bake(studio, 'next'), document.particles);
            assert.equal((await studio.state()).mode, 'play');
            if (!shown) return;
            await studio.action('play').click(); // a bake ends paused
            await studio.playTo(60 * SECONDS + 10);
            await checkBake(await bake(studio, 'last'), document.particles);
        });
    }));
}
