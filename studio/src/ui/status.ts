// The line below: how much there is, how fast it goes, and what the mouse does.

import type { App } from '../app/app';
import { el, setText } from './element';

const count = (value: number, one: string,
    many: string) => `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

export function createStatus(app: App): HTMLElement {
    const item = (id: string, tip: string) => el('span', { 'data-status': id, 'data-tip': tip });
    const particles = item('particles', 'Particles of what is shown.');
    const edges = item('edges', 'Edges that connect particles.');
    const groups = item('groups', 'Explicit groups while authoring; all shapes the solver fits while playing.');
    const vertices = item('vertices', 'Vertices of the visual meshes.');
    const selection = item('selection', 'What is selected.');
    const hint = el('span', { class: 'hint', 'data-status': 'hint' });
    const step = item('step', 'Time the core needs for one step of 1/60 s, and for the skin.');
    const fps = item('fps', 'Pictures drawn each second.');
    const saturated = item('saturated', 'Steps of this length hold some materials more softly than they are.');
    const line = el('footer', { class: 'status' },
        particles, edges, groups, vertices, selection, hint, saturated, step, fps);

    const refresh = () => {
        const { mode, document, stage } = app.state;
        const shown = mode === 'play' ? stage : mode === 'author' ? document : null;
        setText(particles, shown ? count(shown.particles, 'particle', 'particles') : '');
        setText(edges, shown ? count(shown.edges, 'edge', 'edges') : '');
        setText(groups, !shown ? '' : mode === 'play' ? count(shown.groups, 'fitted shape', 'fitted shapes')
            : count(shown.groups, 'group', 'groups'));
        setText(vertices, shown ? count(shown.vertices, 'vertex', 'vertices') : '');
        const chosen = mode === 'author' && document ? [
            document.selectedVertices ? count(document.selectedVertices, 'vertex', 'vertices') : '',
            document.selectedParticles ? count(document.selectedParticles, 'particle', 'particles') : '',
        ].filter(Boolean).join(', ') : '';
        setText(selection, chosen ? `${chosen} selected` : '');
        setText(hint, mode === 'author' ? app.tool.hint(app) : mode === 'play'
            ? 'Drag a body to grab and throw it · drag beside it to orbit · right button pans · wheel zooms' : '');
    };
    app.session.changed.on(refresh);
    app.toolChanged.on(refresh);
    app.parametersChanged.on(refresh);
    refresh();

    let told = 0;
    app.loop.ticked.on(() => {
        const now = performance.now();
        if (now - told < 250) return;
        told = now;
        // A frame rate and the time of a step tell something about what plays, and nothing while it stands still.
        const frame = app.state.mode === 'play' && app.loop.isRunning ? app.loop.last : null;
        setText(fps, frame ? `${Math.round(app.loop.fps)} fps` : '');
        setText(step, frame
            ? `${app.loop.stepMilliseconds.toFixed(2)} ms/step · ${frame.skinMilliseconds.toFixed(2)} ms skin` : '');
        setText(saturated, frame?.saturated
            ? `${count(frame.saturated, 'group is', 'groups are')} softer than their material: ${frame.substeps} substeps would hold them`
            : '');
    });
    return line;
}
