/** Items times items that are compared exactly; of more, none are aligned. */
const MOST_COMPARED = 4_000_000;

/** The longest common sequence of two lists, with what only one of them has: null on the other side. */
export function aligned<T>(
  first: readonly T[],
  second: readonly T[],
  isSame: (a: T, b: T) => boolean,
): [before: T | null, after: T | null][] {
  const same = (a: number, b: number): boolean => {
    const [one, other] = [first[a], second[b]];
    return one !== undefined && other !== undefined && isSame(one, other);
  };
  const pair = (a: number, b: number): [T | null, T | null] => [first[a] ?? null, second[b] ?? null];
  let start = 0;
  while (same(start, start)) start += 1;
  let [endFirst, endSecond] = [first.length, second.length];
  while (endFirst > start && endSecond > start && same(endFirst - 1, endSecond - 1)) {
    endFirst -= 1;
    endSecond -= 1;
  }
  const tail = first.length - endFirst;
  return [
    ...Array.from({ length: start }, (_, at) => pair(at, at)),
    ...alignedMiddle(first.slice(start, endFirst), second.slice(start, endSecond), isSame),
    ...Array.from({ length: tail }, (_, at) => pair(endFirst + at, endSecond + at)),
  ];
}

function alignedMiddle<T>(
  first: readonly T[],
  second: readonly T[],
  isSame: (a: T, b: T) => boolean,
): [T | null, T | null][] {
  const width = second.length + 1;
  if (first.length * second.length > MOST_COMPARED || first.length === 0 || second.length === 0) {
    return [...first.map((one): [T, null] => [one, null]), ...second.map((other): [null, T] => [null, other])];
  }
  /** The length of the longest common sequence of the rests, by their starts. */
  const lengths = new Uint32Array((first.length + 1) * width);
  const at = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = first.length - 1; a >= 0; a -= 1) {
    for (let b = second.length - 1; b >= 0; b -= 1) {
      const [one, other] = [first[a], second[b]];
      const same = one !== undefined && other !== undefined && isSame(one, other);
      lengths[a * width + b] = same ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const pairs: [T | null, T | null][] = [];
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    const [one, other] = [first[a], second[b]];
    if (one !== undefined && other !== undefined && isSame(one, other)) {
      pairs.push([one, other]);
      a += 1;
      b += 1;
    } else if (one !== undefined && (other === undefined || at(a + 1, b) >= at(a, b + 1))) {
      pairs.push([one, null]);
      a += 1;
    } else if (other !== undefined) {
      pairs.push([null, other]);
      b += 1;
    }
  }
  return pairs;
}
