// The contact sheets of `make pictures`: one that takes too long is named, and the others are drawn all the same.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { cliPath, withFolder } from '../../tests/node/pliant.mjs';

const program = join(import.meta.dirname, '../../tools/pictures/pictures.mjs');

const draw = (folder, patience) => spawnSync(process.execPath, [program, cliPath(), folder, 'spinner', 'cart'],
    { encoding: 'utf8', env: { ...process.env, PICTURE_PATIENCE: String(patience) } });

test('a slow sheet is named and keeps no other from being drawn', () => withFolder((folder) => {
    const { status, stdout } = draw(folder, 1);
    assert.equal(status, 1);
    assert.match(stdout, /^cart: not drawn: .*Timeout.*\nspinner: not drawn: .*Timeout.*\n$/);
    assert.equal(draw(folder, 240_000).status, 0);
    assert.ok(existsSync(join(folder, 'cart.png')) && existsSync(join(folder, 'spinner.png')));
}));
