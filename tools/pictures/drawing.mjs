// What draws bakes: Chromium, the pages beside this file, and a server for both. A machine without a graphics card may take
// minutes for a picture, PICTURE_PATIENCE ms for one answer of a page at the most (default 240000).
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize, resolve } from 'node:path';

const here = import.meta.dirname;
const packages = resolve(here, '../../tests/node/node_modules');
const { chromium } = createRequire(join(packages, 'x'))('playwright-core');

const PATIENCE = Number(process.env.PICTURE_PATIENCE ?? 240_000);
const TRIALS = 2;

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.glb': 'model/gltf-binary' };

// Each folder under its own prefix.
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

// Fails after PATIENCE: an evaluation in a page has no limit of its own.
async function inTime(answer) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`Timeout: no answer in ${PATIENCE} ms`)), PATIENCE);
    });
    try {
        return await Promise.race([answer, late]);
    } finally {
        clearTimeout(timer);
    }
}

// What draws the bakes in a folder.
export class Drawing {
    static async open(bakes) {
        const drawing = new Drawing();
        await mkdir(bakes, { recursive: true });
        drawing.bakes = resolve(bakes);
        drawing.server = await serve({ page: here, three: join(packages, 'three'), bakes: drawing.bakes });
        drawing.origin = `http://127.0.0.1:${drawing.server.address().port}`;
        drawing.browser = await chromium.launch({
            executablePath: findBrowser(),
            args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync',
                '--no-first-run'],
        });
        return drawing;
    }

    async close() {
        await this.browser.close();
        this.server.close();
    }

    // Runs a scene, or the file at a path, into a bake under a name.
    bake(cli, name, what = name) {
        execFileSync(cli, ['run', what, '-o', join(this.bakes, `${name}.glb`), '--quiet'],
            { stdio: ['ignore', 'ignore', 'inherit'] });
    }

    url(name) {
        return `${this.origin}/bakes/${name}.glb`;
    }

    // Calls `use` with one of the pages beside this file and a function that asks it something.
    async withPage(file, use) {
        const page = await this.browser.newPage({ viewport: { width: 1500, height: 1000 } });
        page.setDefaultTimeout(PATIENCE);
        page.on('pageerror', (error) => console.error(String(error)));
        try {
            await page.goto(`${this.origin}/page/${file}`);
            await page.waitForFunction(() => document.body.dataset.ready);
            return await use(page, (question, argument) => inTime(page.evaluate(question, argument)));
        } finally {
            await page.close();
        }
    }
}

// Draws, once more if it fails, and tells what came of it. What cannot be drawn is named, and makes the exit code 1.
export async function attempt(name, file, draw) {
    let reason = null;
    for (let trial = 0; trial < TRIALS; ++trial) {
        try {
            await draw();
            console.log(file);
            return;
        } catch (error) {
            [reason] = error.message.split('\n');
        }
    }
    process.exitCode = 1;
    console.log(`${name}: not drawn: ${reason}`);
}
