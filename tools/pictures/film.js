// Draws several bakes at once, each in its cell of a grid: picture by picture of a film that goes round and round.
import { BACKGROUND, createRenderer, openStage } from './stage.js';

const css = (colour) => `#${colour.toString(16).padStart(6, '0')}`;

// A cell shows a bake from a moment on. `zoom` and `shift`, in parts of the cell, improve on the bake's camera.
async function openCell({ url, name, from, zoom = 1, shift = [0, 0] }, { width, height }) {
    const { scene, camera, show } = await openStage(url, width / height);
    camera.zoom = zoom;
    camera.setViewOffset(width, height, shift[0] * width, shift[1] * height, width, height);
    return { name, from, scene, camera, show };
}

class Film {
    constructor({ width, height, columns, gap, seconds, fade }, cells) {
        Object.assign(this, { width, height, columns, gap, seconds, fade, cells });
        this.renderer = createRenderer(document.createElement('canvas'), width, height);
        this.canvas = document.createElement('canvas');
        this.canvas.width = columns * (width + gap) - gap;
        this.canvas.height = Math.ceil(cells.length / columns) * (height + gap) - gap;
        this.context = this.canvas.getContext('2d');
        this.context.imageSmoothingQuality = 'high';
    }

    draw(time) {
        this.context.fillStyle = css(BACKGROUND);
        this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        this.cells.forEach((cell, index) => {
            const left = (index % this.columns) * (this.width + this.gap);
            const top = Math.floor(index / this.columns) * (this.height + this.gap);
            this.drawMoment(cell, cell.from + time, left, top);
            this.drawReturn(cell, this.seconds - time, left, top);
            this.drawName(cell.name, left, top);
        });
        return this.canvas.toDataURL('image/png');
    }

    drawMoment(cell, time, left, top) {
        cell.show(Math.max(time, 0));
        this.renderer.render(cell.scene, cell.camera);
        this.context.drawImage(this.renderer.domElement, left, top, this.width, this.height);
    }

    // What comes before the first picture fades in over the last ones, so that nothing jumps.
    drawReturn(cell, remaining, left, top) {
        if (remaining >= this.fade) return;
        this.context.globalAlpha = 1 - remaining / this.fade;
        this.drawMoment(cell, cell.from - remaining, left, top);
        this.context.globalAlpha = 1;
    }

    drawName(name, left, top) {
        this.context.font = '600 15px system-ui, "DejaVu Sans", sans-serif';
        this.context.fillStyle = '#4a5059';
        this.context.fillText(name, left + 12, top + 24);
    }
}

window.openFilm = async (shape, cells) => {
    window.film = new Film(shape, await Promise.all(cells.map((cell) => openCell(cell, shape))));
};

document.body.dataset.ready = 'true';
