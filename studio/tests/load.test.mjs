// The page as it is given away: one file, opened from the disk, that needs nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { launch, pageSize, useStudio } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('is smaller than 2.5 MB', () => assert.ok(pageSize() < 2.5e6, `${pageSize()} bytes`));

for (const query of ['?light', '?light&core=page']) {
    test(`opens from the disk and plays (${query})`, () => useStudio(browser, async (studio) => {
        assert.equal((await studio.state()).mode, 'empty');
        const { scenes } = await studio.state();
        assert.equal(await studio.page.locator('[data-scene]').count(), scenes.length);
        await studio.scene('rope');
        await studio.playTo(10);
        const { mode, stage } = await studio.state();
        assert.equal(mode, 'play');
        assert.equal(stage.name, 'rope');
    }, { query }));
}

test('gives a picture of what plays', () => useStudio(browser, async (studio) => {
    await studio.scene('rope');
    await studio.playTo(2);
    await studio.action('export').click();
    const picture = readFileSync(await studio.download(() => studio.action('export.picture').click()));
    assert.equal(picture.toString('latin1', 1, 4), 'PNG');
    const { width, height } = await studio.canvas();
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [width, height]);
}));

test('refuses to be checked when it asks for something else', async () => {
    await assert.rejects(useStudio(browser, (studio) =>
        studio.page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {}))), /network requests/);
    await assert.rejects(useStudio(browser, (studio) =>
        studio.page.evaluate(() => console.error('loud'))), /errors of the page/);
});
