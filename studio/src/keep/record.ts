// Pictures and videos of the viewport.

import type { Viewport } from '../view/types';
import { saveFile } from './files';
import { writeWebm, type Piece, type Track } from './webm';

const CODECS: { name: string; track: Track['codec'] }[] = [
    { name: 'vp09.00.51.08', track: 'V_VP9' }, { name: 'vp8', track: 'V_VP8' },
];
const BITS_PER_PIXEL = 0.15;
const MOST_WAITING = 3; // frames that the encoder may be behind

// Codecs want even sizes.
const even = (size: number) => size & ~1;

export async function savePicture(viewport: Viewport, name: string): Promise<void> {
    saveFile(name, await viewport.screenshot());
}

// A video whose frames come one by one, however long each takes to be drawn.
export class Video {
    private readonly pieces: Piece[] = [];
    private frames = 0;
    private failure: Error | null = null;

    private constructor(private readonly encoder: VideoEncoder, private readonly track: Track) {}

    // Fails with an Error whose message is for the user.
    static async begin(viewport: Viewport, fps: number): Promise<Video> {
        if (typeof VideoEncoder === 'undefined') throw new Error('This browser cannot encode videos');
        const canvas = viewport.capture();
        const [width, height] = [even(canvas.width), even(canvas.height)];
        for (const { name, track } of CODECS) {
            const config: VideoEncoderConfig = {
                codec: name, width, height, framerate: fps, latencyMode: 'quality',
                bitrate: Math.round(BITS_PER_PIXEL * width * height * fps),
            };
            const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
            if (!supported) continue;
            let video: Video | null = null;
            const encoder = new VideoEncoder({
                output: (chunk) => video!.take(chunk),
                error: (error) => {
                    video!.failure = error;
                },
            });
            video = new Video(encoder, { codec: track, width, height, fps });
            encoder.configure(config);
            return video;
        }
        throw new Error('This browser encodes neither VP9 nor VP8 videos');
    }

    // What the viewport shows now, as the next frame.
    async add(viewport: Viewport): Promise<void> {
        const { fps, width, height } = this.track;
        const at = (frame: number) => Math.round((frame * 1e6) / fps);
        const canvas = viewport.capture();
        if (even(canvas.width) !== width || even(canvas.height) !== height) {
            throw new Error('The view changed its size: the video was given up');
        }
        const frame = new VideoFrame(canvas, {
            timestamp: at(this.frames), duration: at(this.frames + 1) - at(this.frames),
            visibleRect: { x: 0, y: 0, width, height },
        });
        this.encoder.encode(frame, { keyFrame: this.frames % Math.ceil(fps) === 0 });
        frame.close();
        ++this.frames;
        while (this.encoder.encodeQueueSize > MOST_WAITING && !this.failure) {
            await new Promise((resolve) => this.encoder.addEventListener('dequeue', resolve, { once: true }));
        }
        if (this.failure) throw this.failure;
    }

    async end(): Promise<Uint8Array<ArrayBuffer>> {
        await this.encoder.flush();
        this.encoder.close();
        if (this.failure) throw this.failure;
        return writeWebm(this.track, this.pieces, (this.frames * 1000) / this.track.fps);
    }

    cancel(): void {
        if (this.encoder.state !== 'closed') this.encoder.close();
    }

    private take(chunk: EncodedVideoChunk): void {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.pieces.push({ milliseconds: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key', bytes });
    }
}
