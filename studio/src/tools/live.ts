// How the object lives when it is simulated: dropped, hanging or rooted. What suits its shape is proposed by the core;
// what it does now follows from its pins.

import type { App } from '../app/app';
import type { DocumentState, Live } from '../core/protocol';
import type { Choice, Panel } from '../ui/panel';

const CHOICES: (Choice<Live> & { why: string })[] = [
    { value: 'drop', label: 'Drop', tip: 'Free: it falls on the ground.', why: 'it stands or lies by itself' },
    { value: 'hang', label: 'Hang', tip: 'By its top edge, which is pinned.', why: 'it is a sheet with a top edge' },
    {
        value: 'rooted', label: 'Rooted', tip: 'By its foot, which is pinned; it stands and sways.',
        why: 'it stands on a small foot',
    },
];

// Entries of the history that are such a choice.
export const LIVE_LABELS = CHOICES.map(({ label }) => label);

// What was chosen for the present document by hand, or nothing.
export function chosenLive(app: App): Live | undefined {
    const { labels, position } = app.state.history;
    const done = labels.slice(0, position);
    const own = done.slice(done.findLastIndex((label) => /^(Open|Edit) /.test(label)) + 1);
    const label = own.findLast((name) => LIVE_LABELS.includes(name));
    return CHOICES.find((choice) => choice.label === label)?.value;
}

// Of the model that is there; asked for when another one is shown.
class Proposal {
    private key = '';
    private live: Live | null = null;

    constructor(private readonly app: App, private readonly changed: () => void) {}

    get text(): string {
        const document = this.app.document;
        if (!document?.particles || this.app.state.mode !== 'author') return '';
        void this.find(document);
        const proposed = CHOICES.find(({ value }) => value === this.live);
        if (!proposed) return '';
        return document.live === proposed.value ? `${proposed.label}: ${proposed.why}.`
            : `Proposed: ${proposed.label}, as ${proposed.why}.`;
    }

    private async find({ revision, particles, edges }: DocumentState): Promise<void> {
        const key = [revision, particles, edges].join(' ');
        if (key === this.key) return;
        this.key = key;
        const answer = await this.app.session.do((engine) => engine.ask('propose', {}));
        if (key !== this.key) return;
        this.live = answer?.live ?? null;
        this.changed();
    }
}

export function liveFields(app: App, panel: Panel): void {
    const hasModel = () => (app.document?.particles ?? 0) > 0 && app.state.mode === 'author';
    const proposal = new Proposal(app, () => panel.refresh());
    panel.choice<Live>({
        id: 'live', label: 'Lives', tip: 'What happens to it when it is simulated. It replaces all pins.',
        choices: CHOICES.map((choice) => ({ ...choice, enabled: hasModel })),
        get: () => hasModel() ? app.document!.live : '' as Live,
        set: (as) => {
            const label = CHOICES.find(({ value }) => value === as)!.label;
            void app.run(label, [{ live: { as } }]);
        },
    });
    panel.text(() => proposal.text, 'note quiet');
}
