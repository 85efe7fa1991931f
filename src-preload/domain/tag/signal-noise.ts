/** Stateless noise: numbers that look random and depend only on a seed and an index. */

/** Spreads the bits of a 32 bit integer (Chris Wellons' lowbias32). */
function mix(bits: number): number {
  let x = bits >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A number in [0, 1) for the seed and the index, both integers up to 2^53; evenly distributed and deterministic. */
export function randomAt(seed: number, index: number): number {
  const low = (index % 0x1_0000_0000) | 0;
  const high = Math.floor(index / 0x1_0000_0000) | 0;
  return mix(mix(mix(seed | 0) ^ low) + Math.imul(high, 0x9e3779b9)) / 0x1_0000_0000;
}

/** A seed from a text, so that every tag has its own noise that stays the same across restarts (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const MAX_OCTAVES = 48;

/**
 * A walk between 0 and 1 whose value at any index is computed directly: random values on lattices of 1, 2, 4 … steps
 * (fractal value noise), joined by straight lines. The number of lattices depends on the maximum difference `maxStep`
 * of two neighbors, so its cost grows with the logarithm of 1 / maxStep, not with the index.
 */
export function walkAt(seed: number, index: number, maxStep: number): number {
  const octaves = octavesFor(maxStep);
  let period = 2 ** octaves;
  let weight = 1;
  let sum = 0;
  let weights = 0;
  for (let octave = 0; octave <= octaves; octave++) {
    const cell = Math.floor(index / period);
    const within = index / period - cell;
    const own = seed + Math.imul(octave, 0x9e3779b9);
    const from = randomAt(own, cell);
    const to = within === 0 ? from : randomAt(own, cell + 1);
    sum += weight * (from + (to - from) * within);
    weights += weight;
    period /= 2;
    weight /= 2;
  }
  return Math.min(1, Math.max(0, sum / weights));
}

/** The longest lattice as a power of two: each lattice adds the same slope, so their sum is limited to maxStep. */
function octavesFor(maxStep: number): number {
  let octaves = 0;
  while (octaves < MAX_OCTAVES && (octaves + 1) / (2 ** (octaves + 1) - 1) > maxStep) octaves++;
  return octaves;
}
