import type { App } from '../app/app';
import { PARTICLE_STRIDE, SELECTED } from '../core/protocol';
import { el } from '../ui/element';
import { icon } from '../ui/icons';
import { Fields } from './fields';
import type { Tool } from './tool';

const GROUP = 13; // in a particle's numbers

// Of a particle; -1 when it has none.
function groupOf(app: App, index: number): number {
    return app.display.particles[index * PARTICLE_STRIDE + GROUP] ?? -1;
}

// How many members each explicit group has.
function membersOf(app: App): Map<number, number> {
    const members = new Map<number, number>();
    const { particles } = app.display;
    for (let i = GROUP; i < particles.length; i += PARTICLE_STRIDE) {
        const group = particles[i]!;
        if (group >= 0) members.set(group, (members.get(group) ?? 0) + 1);
    }
    return members;
}

async function ungroup(app: App, group: number): Promise<void> {
    const stroke = app.newStroke();
    if (await app.select('set', [{ group }], 'particles', stroke)) {
        await app.run('Ungroup', [{ ungroup: { particles: SELECTED } }], stroke);
    }
}

export const groups: Tool = {
    id: 'groups',
    title: 'Groups',
    key: 'G',
    icon: 'groups',
    about: 'Particles of a group hold one shape together: a hull, a wheel, a bone. Select particles first.',
    hint: () => 'Click on a particle to select its group · Ctrl adds',
    needs: { ellipsoids: true, colour: 'groups' },
    hasBrush: () => false,
    panel(app, panel) {
        const fields = new Fields(app, panel, 'group');
        const selected = () => app.document?.selectedParticles ?? 0;
        fields.part('stiffness', 'Stiffness', 'How firmly the group holds its shape; 1 is rigid.');
        fields.number('dent', 'Dent speed', 'Hit faster than this, the group dents; 0 never.', {
            minimum: 0, maximum: 30, highest: 1e6, unit: 'm/s',
        });
        fields.number('yield', 'Yield strain', 'Deformed further than this, its rest shape begins to follow.', {
            minimum: 0, maximum: 1, highest: 1000,
        });
        fields.number('creep', 'Creep rate', 'How fast the rest shape follows; 0 never.', {
            minimum: 0, maximum: 100, highest: 1e6, unit: '1/s',
        });
        panel.buttons({
            action: 'groups.apply', primary: true, key: '⏎', enabled: () => selected() > 0,
            label: () => selected()
                ? `Group ${selected().toLocaleString('en-US')} particles` : 'Select particles to group',
            tip: 'Makes the selected particles one explicit group.', click: () => void app.apply(groups),
        }, {
            action: 'groups.ungroup', label: 'Ungroup', enabled: () => selected() > 0,
            tip: 'Takes the selected particles out of their groups.',
            click: () => void app.run('Ungroup', [{ ungroup: { particles: SELECTED } }]),
        });
        const key = () => `${app.state.history.position} ${app.document?.groups} ${app.display.particles.length}`;
        panel.list(key, () => {
            const all = [...membersOf(app)].sort((a, b) => a[0] - b[0]);
            return all.map(([group, members]) => el('div', { class: 'row' },
                el('button', {
                    type: 'button', 'data-action': 'groups.select', 'data-group': group,
                    'data-tip': 'Selects the members of this group.',
                    onclick: () => void app.select('set', [{ group }], 'particles'),
                }, el('span', {}, `Group ${group + 1}`),
                el('span', { class: 'count' }, members.toLocaleString('en-US'))),
                el('button', {
                    type: 'button', class: 'small', 'aria-label': 'Ungroup', 'data-tip': 'Dissolves this group.',
                    onclick: () => void ungroup(app, group),
                }, icon('close', 12))));
        });
    },
    targets(app, { pick }) {
        const index = pick.particle?.index;
        if (index === undefined) return {};
        const group = groupOf(app, index);
        if (group < 0) return { particles: [index] };
        const count = app.display.particles.length / PARTICLE_STRIDE;
        return { particles: Array.from({ length: count }, (_, i) => i).filter((i) => groupOf(app, i) === group) };
    },
    begin(app, hit) {
        const index = hit.pick.particle?.index;
        if (index === undefined) return null;
        const group = groupOf(app, index);
        void app.select(hit.shift ? 'remove' : hit.ctrl ? 'add' : 'set', [group >= 0 ? { group } : { index }],
            'particles');
        return { end: () => {} };
    },
    recipe(app) {
        const { stiffness, dent, yield: yieldStrain, creep } = app.parameters.group;
        if (!app.document?.selectedParticles) return null;
        return {
            label: 'Group',
            tools: [{
                group: { particles: SELECTED, stiffness, dent_speed: dent, yield_strain: yieldStrain,
                    creep_rate: creep },
            }],
        };
    },
};
