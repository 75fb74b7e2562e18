// A WebM file of one video track, from the pieces that an encoder gives. Matroska's elements are an id, a size and
// their content; a cluster of blocks begins with each key frame, and an index names them so that players can seek.

export interface Track {
    codec: 'V_VP8' | 'V_VP9';
    width: number;
    height: number;
    fps: number;
}

export interface Piece {
    milliseconds: number;
    isKey: boolean;
    bytes: Uint8Array<ArrayBuffer>;
}

type Content = Uint8Array<ArrayBuffer>;

const ID = {
    header: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, longestId: 0x42f2, longestSize: 0x42f3, kind: 0x4282,
    kindVersion: 0x4287, kindReadVersion: 0x4285,
    segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, muxer: 0x4d80, writer: 0x5741,
    tracks: 0x1654ae6b, track: 0xae, number: 0xd7, uid: 0x73c5, lacing: 0x9c, type: 0x83, codec: 0x86,
    frameDuration: 0x23e383, video: 0xe0, width: 0xb0, height: 0xba,
    cluster: 0x1f43b675, time: 0xe7, block: 0xa3,
    cues: 0x1c53bb6b, cue: 0xbb, cueTime: 0xb3, cuePlaces: 0xb7, cueTrack: 0xf7, cuePosition: 0xf1,
};

const VIDEO = 1; // the type of a track
const KEY = 0x80; // the flag of a block
const SIZE_BYTES = 8;

function join(parts: Content[]): Content {
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

// Big-endian, without zeros in front.
function whole(value: number): Content {
    const bytes: number[] = [];
    for (let rest = value; rest > 0 || !bytes.length; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
    return Uint8Array.from(bytes);
}

function real(value: number): Content {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    return bytes;
}

const text = (value: string): Content => Uint8Array.from(value, (letter) => letter.charCodeAt(0));

function element(id: number, ...content: Content[]): Content {
    const inner = join(content);
    const size = new Uint8Array(SIZE_BYTES);
    new DataView(size.buffer).setBigUint64(0, BigInt(inner.length));
    size[0] = 0x01; // says that the size has eight bytes
    return join([whole(id), size, inner]);
}

function headerOf(): Content {
    return element(ID.header, element(ID.version, whole(1)), element(ID.readVersion, whole(1)),
        element(ID.longestId, whole(4)), element(ID.longestSize, whole(SIZE_BYTES)), element(ID.kind, text('webm')),
        element(ID.kindVersion, whole(2)), element(ID.kindReadVersion, whole(2)));
}

function trackOf({ codec, width, height, fps }: Track): Content {
    return element(ID.tracks, element(ID.track, element(ID.number, whole(1)), element(ID.uid, whole(1)),
        element(ID.lacing, whole(0)), element(ID.type, whole(VIDEO)), element(ID.codec, text(codec)),
        element(ID.frameDuration, whole(Math.round(1e9 / fps))),
        element(ID.video, element(ID.width, whole(width)), element(ID.height, whole(height)))));
}

function clusterOf(pieces: Piece[]): Content {
    const begin = pieces[0]!.milliseconds;
    return element(ID.cluster, element(ID.time, whole(begin)), ...pieces.map(({ milliseconds, isKey, bytes }) => {
        const after = milliseconds - begin;
        return element(ID.block, Uint8Array.of(0x81, after >> 8, after & 0xff, isKey ? KEY : 0), bytes);
    }));
}

// `pieces` are in the order of their times, the first of them a key.
export function writeWebm(track: Track, pieces: Piece[], milliseconds: number): Content {
    const runs: Piece[][] = [];
    for (const piece of pieces) {
        if (piece.isKey) runs.push([]);
        runs.at(-1)!.push(piece);
    }
    const parts = [
        element(ID.info, element(ID.scale, whole(1e6)), element(ID.duration, real(milliseconds)),
            element(ID.muxer, text('Pliant Studio')), element(ID.writer, text('Pliant Studio'))),
        trackOf(track),
    ];
    const cues: Content[] = [];
    let position = parts[0]!.length + parts[1]!.length;
    for (const run of runs) {
        cues.push(element(ID.cue, element(ID.cueTime, whole(run[0]!.milliseconds)),
            element(ID.cuePlaces, element(ID.cueTrack, whole(1)), element(ID.cuePosition, whole(position)))));
        parts.push(clusterOf(run));
        position += parts.at(-1)!.length;
    }
    return join([headerOf(), element(ID.segment, ...parts, element(ID.cues, ...cues))]);
}
