// How models of files of others live: dropped, hanging or rooted, as suits them and as they are told to.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { assetFolder, failWith, succeed, withFolder } from './pliant.mjs';

const skip = existsSync(assetFolder()) ? false : 'there are no assets';
const PLANT = join(assetFolder(), 'static/Quaternius_Plant_5.glb');

const OTHERS_LIVE = {
    'static/Quaternius_Plant_5.glb': 'rooted',
    'static/Quaternius_Willow_2.glb': 'rooted',
    'static/KayKit_banner_triple_blue.glb': 'hang',
    'static/makehuman_female_elegantsuit01.obj': 'hang',
    'static/makehuman_hair_long01.obj': 'hang',
    'static/Quaternius_Rope_Long.glb': 'hang',
};

function meshes() {
    return ['static', 'characters', 'vehicles'].flatMap((folder) => readdirSync(join(assetFolder(), folder))
        .filter((name) => /\.(glb|obj)$/.test(name)).map((name) => `${folder}/${name}`));
}

function author(mesh, output, ...options) {
    return JSON.parse(succeed('author', mesh, '-o', output, '--json', '--quiet', ...options));
}

test('plants are rooted, cloth, hair and ropes hang, all else is dropped', { skip }, () => withFolder((folder) => {
    const output = join(folder, 'model.glb');
    for (const mesh of meshes()) {
        const { live, proposed_live: proposed, pinned, particles } = author(join(assetFolder(), mesh), output, '--fresh');
        const expected = OTHERS_LIVE[mesh] ?? 'drop';
        assert.deepEqual([live, proposed], [expected, expected], mesh);
        if (expected === 'drop') assert.equal(pinned, 0, mesh);
        else assert.ok(pinned > 0 && pinned < particles / 3, `${mesh}: ${pinned} of ${particles} are pinned`);
    }
}));

test('one option makes it live otherwise, and one line tells', { skip }, () => withFolder((folder) => {
    const output = join(folder, 'plant.glb');
    assert.match(succeed('author', PLANT, '-o', output),
        /\n.*plant\.glb: rooted: \d+ particles at its foot are pinned \(--live drop frees them\)\n$/);
    assert.match(succeed('author', PLANT, '-o', output, '--live', 'drop'),
        /\n.*plant\.glb: drop: no particle is pinned \(it stands on a small foot: --live rooted pins it\)\n$/);
    // Pins of an earlier model, and those it has not, are kept.
    const kept = author(PLANT, output);
    assert.deepEqual([kept.live, kept.proposed_live, kept.paint_kept_from], ['drop', 'rooted', output]);
    assert.deepEqual([kept.pinned, kept.groups], [0, 0]);
    assert.equal(author(PLANT, output, '--particles', '300').live, 'drop');
    assert.equal(author(PLANT, output, '--live', 'hang').live, 'hang');
    assert.equal(author(PLANT, output).live, 'hang');
    assert.equal(author(PLANT, output, '--fresh').live, 'rooted');

    failWith(2, /--live: expected drop, hang or rooted, found 'fly'/, 'author', PLANT, '-o', output, '--live', 'fly');
    failWith(2, /--recipe does not go together with --live/, 'author', PLANT, '-o', output, '--live', 'drop',
        '--recipe', 'none.json');
}));
