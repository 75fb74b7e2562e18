// Draws moments of an animated GLB side by side.
import { createRenderer, openStage } from './stage.js';

const COLUMNS = 3;
const ROWS = 2;
const GAP = 6;
const SIZE = { width: 1500, height: 800 };

function addLabel(time, left, top) {
    const label = document.createElement('div');
    label.className = 'time';
    label.textContent = `${time.toFixed(2)} s`;
    label.style.left = `${left + 10}px`;
    label.style.top = `${top + 10}px`;
    document.getElementById('moments').append(label);
}

window.drawSheet = async ({ url, name, title }) => {
    document.getElementById('name').textContent = name;
    document.getElementById('title').textContent = title;
    const width = (SIZE.width - GAP * (COLUMNS + 1)) / COLUMNS;
    const height = (SIZE.height - GAP * (ROWS + 1)) / ROWS;
    const { scene, camera, seconds, show } = await openStage(url, width / height);
    const renderer = createRenderer(document.getElementById('canvas'), SIZE.width, SIZE.height);
    renderer.setScissorTest(true);
    const moments = COLUMNS * ROWS;
    for (let moment = 0; moment < moments; ++moment) {
        const time = (seconds * moment) / (moments - 1);
        const left = GAP + (moment % COLUMNS) * (width + GAP);
        const top = GAP + Math.floor(moment / COLUMNS) * (height + GAP);
        const bottom = SIZE.height - top - height;
        show(time);
        renderer.setViewport(left, bottom, width, height);
        renderer.setScissor(left, bottom, width, height);
        renderer.render(scene, camera);
        addLabel(time, left, top);
    }
};

document.body.dataset.ready = 'true';
