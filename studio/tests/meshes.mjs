// Meshes to open: files of others where there are some, and else what is built in, exported by the page itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { assetFolder } from '../../tests/node/pliant.mjs';
import { useStudio } from './page.mjs';

// Saves the mesh of a scene's first body into a folder of the caller's.
async function exportBuiltIn(browser, scene, folder) {
    return useStudio(browser, async (studio) => {
        studio.folder = folder;
        await studio.scene(scene);
        await studio.press('edit');
        await studio.action('export').click();
        return studio.download(() => studio.action('export.mesh').click());
    });
}

// Paths to drop together.
export async function meshPaths(browser, folder, assets, builtIn) {
    const paths = assets.map((name) => join(assetFolder(), name));
    return paths.every(existsSync) ? paths : [await exportBuiltIn(browser, builtIn, folder)];
}
