// Models of files of others: whether they weigh what such things weigh. The folder is $PLIANT_ASSETS, or shared/assets
// beside the project.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assetFolder, succeed, withFolder } from './pliant.mjs';

const skip = existsSync(assetFolder()) ? false : 'there are no assets';

function author(mesh, output, ...options) {
    return JSON.parse(succeed('author', join(assetFolder(), mesh), '-o', output, '--json', '--fresh', ...options));
}

test('a banner sprayed by hand weighs what one made by itself does', { skip }, () => withFolder((folder) => {
    const mesh = 'static/KayKit_banner_triple_blue.glb';
    const output = join(folder, 'banner.pliant');
    const recipe = join(folder, 'banner.json');
    writeFileSync(recipe, JSON.stringify({ tools: [{ spray: { spacing: 0.15 } }, { bind: {} }] }));
    const itself = author(mesh, output, '--spacing', '0.15').mass;
    const byHand = author(mesh, output, '--recipe', recipe).mass;
    assert.ok(Math.abs(byHand / itself - 1) < 0.1, `${byHand} kg, ${itself} kg`);
}));
