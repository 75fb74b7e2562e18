// Draws a contact sheet of moments for every built-in scene's bake, or for those scenes and files that are named.
//
//     node sheets.mjs PLIANT_PROGRAM FOLDER [SCENE|FILE...]
//
// A sheet that fails is tried once more; one that fails again is named, the others are drawn, and the exit code is 1.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';

import { attempt, Drawing } from './drawing.mjs';

function listScenes(cli) {
    return execFileSync(cli, ['scenes'], { encoding: 'utf8' })
        .split('\n').filter((line) => line.trim())
        .map((line) => {
            const [, name, title] = /^\s*(\S+)\s*(.*)$/.exec(line);
            return { name, title };
        });
}

const [program, folder, ...wanted] = process.argv.slice(2);
if (!folder) {
    console.error('usage: node sheets.mjs PLIANT_PROGRAM FOLDER [SCENE|FILE...]');
    process.exit(2);
}
const cli = resolve(program);
const scenes = listScenes(cli).filter(({ name }) => !wanted.length || wanted.includes(name));
const files = wanted.filter((path) => existsSync(path))
    .map((path) => ({ path, name: basename(path, extname(path)), title: basename(path) }));
const drawing = await Drawing.open(join(folder, 'bakes'));
try {
    for (const { name, title, path } of [...scenes, ...files]) {
        const file = join(folder, `${name}.png`);
        await attempt(name, file, () => {
            drawing.bake(cli, name, path);
            return drawing.withPage('sheet.html', async (page, ask) => {
                await ask((sheet) => window.drawSheet(sheet), { url: drawing.url(name), name, title });
                await writeFile(file, await page.locator('#sheet').screenshot());
            });
        });
    }
} finally {
    await drawing.close();
}
