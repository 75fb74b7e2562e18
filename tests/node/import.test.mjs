// What mesh files become on their way in passes the Khronos glTF validator without an error or a warning.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';

import { openGltf, problems } from './gltf.mjs';
import { assetFolder, meshToolPath, withFolder } from './pliant.mjs';

function convert(path, output) {
    const result = spawnSync(meshToolPath(), ['write', path, output], { encoding: 'utf8' });
    assert.equal(result.status, 0, result.stderr);
    return output;
}

// Writes `files` to a new folder, converts the first of them and calls `use` with what it became.
async function withConverted(files, use) {
    await withFolder(async (folder) => {
        for (const [name, content] of Object.entries(files)) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            writeFileSync(join(folder, name), content);
        }
        await use(convert(join(folder, Object.keys(files)[0]), join(folder, 'out.glb')));
    });
}

function crc32(bytes) {
    let crc = ~0;
    for (const byte of bytes) {
        crc ^= byte;
        for (let i = 0; i < 8; ++i) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
}

function pngChunk(type, content) {
    const body = Buffer.concat([Buffer.from(type), content]);
    const chunk = Buffer.alloc(body.length + 8);
    chunk.writeUInt32BE(content.length, 0);
    body.copy(chunk, 4);
    chunk.writeUInt32BE(crc32(body), body.length + 4);
    return chunk;
}

// A PNG of one red pixel.
const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    pngChunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
    pngChunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    pngChunk('IEND', Buffer.alloc(0)),
]);

const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';
const cases = {
    'a plain face': { 'a.obj': `${square}f 1 2 3 4\n` },
    'no faces': { 'a.obj': `o points\n${square}usemtl m\np 1 2 3\n` },
    'faces without area': { 'a.obj': `${square}f 1 1 1\nf 1 2 1 2\n` },
    'normals of all lengths': {
        'a.obj': `${square}vn 0 0 0\nvn 0 0 9\nvn 1e-30 0 0\nf 1//1 2//2 3//3\nf 1//1 1//1 1//1\n`,
    },
    'names in Latin-1': {
        'a.obj': Buffer.from(`${square}o K\xf6rper "\\ \t\nusemtl \xfc\nf 1 2 3\n`, 'latin1'),
    },
    'objects, materials and textures': {
        'a.obj': `mtllib a.mtl\n${square}vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n`
            + 'o One\nusemtl wood\nf 1/1/1 2/2/1 3/3/1\nf 1/1 2/2 3/3\nf 1 2 3\n'
            + 'o Two\ng part\nusemtl glass\nf 1 2 3 4\nusemtl none\nf 1 2 3\no Empty\n',
        'a.mtl': 'newmtl wood\nKd 1 1 1\nmap_Kd textures/wood.png\nmap_Ke textures/wood.png\n'
            + 'Ke 5 0 0\nnewmtl glass\nd 0.2\nTf 1 1 1\n',
        'textures/wood.png': png,
    },
};

for (const [name, files] of Object.entries(cases)) {
    test(`${name}: no errors, no warnings`, () => withConverted(files, async (path) => {
        assert.deepEqual(await problems(path), []);
    }));
}

test('a texture comes in whole', () => withConverted(cases['objects, materials and textures'],
    (path) => {
        const { json, images } = openGltf(path);
        assert.deepEqual(json.materials.map(({ name }) => name), ['wood', 'glass', 'none']);
        assert.equal(images.length, 1);
        assert.ok(images[0].equals(png));
    }));

// Viewers work out the tangents of a normal map, which the validator does not like.
test('a normal map: no errors, one warning', () => withConverted({
    'a.obj': `mtllib a.mtl\n${square}vt 0 0\nvn 0 0 1\nusemtl a\nf 1/1/1 2/1/1 3/1/1\n`,
    'a.mtl': 'newmtl a\nnorm bumps.png\n',
    'bumps.png': png,
}, async (path) => {
    const [warning, ...others] = await problems(path);
    assert.match(warning, /^MESH_PRIMITIVE_GENERATED_TANGENT_SPACE /);
    assert.deepEqual(others, []);
}));

const folder = assetFolder();
if (!existsSync(folder)) {
    test('files of others', (t) => t.diagnostic(`not tested: there is no folder ${folder}`));
} else {
    const files = readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.obj') && !name.includes('malformed')).sort();
    for (const name of files) {
        test(`${name}: no errors, no warnings`, () => withFolder(async (out) => {
            assert.deepEqual(await problems(convert(join(folder, name), join(out, 'out.glb'))), []);
        }));
    }
}
