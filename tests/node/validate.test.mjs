// Every built-in scene's bake passes the Khronos glTF validator without an error or a warning.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import validator from 'gltf-validator';

import { bake, sceneNames } from './pliant.mjs';

const IS_PROBLEM = new Set([0, 1]); // the validator's severities: error, warning

async function problems(bytes) {
    const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 1000 });
    return report.issues.messages
        .filter(({ severity }) => IS_PROBLEM.has(severity))
        .map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`);
}

for (const scene of sceneNames) {
    test(`${scene}: no errors, no warnings`, async () => {
        assert.deepEqual(await problems(await bake(scene, 1, 30)), []);
    });
}

test('a damaged bake is noticed', async () => {
    const bytes = await bake(sceneNames[0], 0.1, 30);
    assert.notDeepEqual(await problems(bytes.subarray(0, bytes.length - 4)), []);
});
