const summing = (numbers: number): string =>
  `let sum = 0; for (let i = 0; i < ${numbers}; i += 1) sum += i % 7; return sum;`;

/** About 20 ms of computing: most of such a run is the script itself. */
export const COMPUTING = summing(20_000_000);

/** About 2 ms. V8 compiles the body again for every realm, on separate threads, for much of that time. */
export const COMPUTING_BRIEFLY = summing(2_000_000);
