// Pictures and films of the viewport.

import type { Viewport } from '../view/types';
import { saveFile } from './files';

const FPS = 60;
const BITS_PER_SECOND = 12e6;
const SLICE = 1000; // ms: what was recorded reaches the page in such pieces
const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

export async function savePicture(viewport: Viewport, name: string): Promise<void> {
    saveFile(`${name}.png`, await viewport.screenshot());
}

// A film of all that the viewport shows between start and stop.
export class Film {
    private readonly pieces: Blob[] = [];
    private readonly recorder: MediaRecorder;
    private readonly end: Promise<Blob>;

    // Fails with an Error whose message is for the user.
    constructor(viewport: Viewport) {
        const mimeType = typeof MediaRecorder === 'undefined' ? undefined
            : KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
        if (!mimeType) throw new Error('This browser cannot record WebM films');
        this.recorder = new MediaRecorder(viewport.captureStream(FPS),
            { mimeType, videoBitsPerSecond: BITS_PER_SECOND });
        this.end = new Promise((resolve, reject) => {
            this.recorder.ondataavailable = ({ data }) => this.pieces.push(data);
            this.recorder.onstop = () => resolve(new Blob(this.pieces, { type: 'video/webm' }));
            this.recorder.onerror = () => reject(new Error('The browser gave up recording the film'));
        });
        this.end.catch(() => {}); // told by stop
        this.recorder.start(SLICE);
    }

    async stop(): Promise<Blob> {
        if (this.recorder.state !== 'inactive') this.recorder.stop();
        const film = await this.end;
        this.recorder.stream.getTracks().forEach((track) => track.stop());
        return film;
    }
}
