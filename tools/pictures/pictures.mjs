// Draws a contact sheet of moments for every built-in scene's bake, or for those scenes and files that are named.
//
//     node pictures.mjs PLIANT_PROGRAM FOLDER [SCENE|FILE...]
//
// A machine without a graphics card may take minutes for one of them, PICTURE_PATIENCE ms at the most (default 240000). A sheet
// that fails is tried once more; one that fails again is named, the others are drawn, and the exit code is 1.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = resolve(here, '../../tests/node/node_modules');
const { chromium } = createRequire(join(packages, 'x'))('playwright-core');

const PATIENCE = Number(process.env.PICTURE_PATIENCE ?? 240_000);
const TRIALS = 2;

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.glb': 'model/gltf-binary' };

// The page, three's modules and the bakes, each under its own prefix.
function serve(folders) {
    const server = createServer(async (request, response) => {
        const [, prefix, ...rest] = decodeURIComponent(request.url.split('?')[0]).split('/');
        const path = normalize(join(folders[prefix] ?? here, rest.join('/')));
        try {
            if (!folders[prefix]) throw new Error(`nothing is served under /${prefix}`);
            const content = await readFile(path);
            response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
            response.end(content);
        } catch (error) {
            response.statusCode = 404;
            response.end(String(error));
        }
    });
    return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

function findBrowser() {
    const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome'];
    const found = candidates.find((path) => path && existsSync(path));
    if (!found) throw new Error('no Chromium found; name one in the variable CHROMIUM');
    return found;
}

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
    console.error('usage: node pictures.mjs PLIANT_PROGRAM FOLDER [SCENE|FILE...]');
    process.exit(2);
}
const cli = resolve(program);
const bakes = resolve(folder, 'bakes');
await mkdir(bakes, { recursive: true });
const server = await serve({ page: here, three: join(packages, 'three'), bakes });
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update',
        '--disable-sync', '--no-first-run'],
});

async function draw(name, title) {
    const page = await browser.newPage({ viewport: { width: 1500, height: 1000 } });
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => console.error(String(error)));
    try {
        await page.goto(`${origin}/page/sheet.html`);
        await page.waitForFunction(() => window.drawSheet);
        await page.evaluate((sheet) => window.drawSheet(sheet),
            { url: `${origin}/bakes/${name}.glb`, name, title });
        await writeFile(join(folder, `${name}.png`), await page.locator('#sheet').screenshot());
    } finally {
        await page.close();
    }
}

// The reason why it could not be drawn, or null.
async function tryToDraw(name, title) {
    let reason = null;
    for (let trial = 0; trial < TRIALS; ++trial) {
        try {
            await draw(name, title);
            return null;
        } catch (error) {
            [reason] = error.message.split('\n');
        }
    }
    return reason;
}

try {
    const scenes = listScenes(cli).filter(({ name }) => !wanted.length || wanted.includes(name));
    const files = wanted.filter((path) => existsSync(path))
        .map((path) => ({ path, name: basename(path, extname(path)), title: basename(path) }));
    for (const { name, title, path } of [...scenes, ...files]) {
        execFileSync(cli, ['run', path ?? name, '-o', join(bakes, `${name}.glb`), '--quiet'],
            { stdio: ['ignore', 'ignore', 'inherit'] });
        const reason = await tryToDraw(name, title);
        if (reason) process.exitCode = 1;
        console.log(reason ? `${name}: not drawn: ${reason}` : `${join(folder, name)}.png`);
    }
} finally {
    await browser.close();
    server.close();
}
