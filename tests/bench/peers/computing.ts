/** About 2 ms of computing: what a script of a plant takes rather than a benchmark's. */
export const COMPUTING = 'let sum = 0; for (let i = 0; i < 2_000_000; i += 1) sum += i % 7; return sum;';
