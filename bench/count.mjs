// Instructions per particle and iteration, counted by valgrind: the same on every run and every load.
import { spawnSync } from 'node:child_process';

const STEPS = 20;

export function hasValgrind() {
    return spawnSync('valgrind', ['--version']).status === 0;
}

// Null when they cannot be counted. A contestant makes one more step than it is asked for.
export function countInstructions(contestant) {
    const { status, stdout, stderr } = spawnSync('valgrind',
        ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--toggle-collect=bench_step',
            ...contestant.command],
        { input: `${STEPS - 1} 1\n`, encoding: 'utf8', timeout: 60_000 });
    const collected = /Collected : (\d+)/.exec(stderr)?.[1];
    if (status !== 0 || !collected) return null;
    const about = JSON.parse(stdout.split('\n')[0]);
    const passes = (about.substeps ?? 1) * about.iterations * about.particles;
    return Number(collected) / (STEPS * passes);
}
