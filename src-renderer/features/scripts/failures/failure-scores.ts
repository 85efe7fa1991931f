import type { FailureMatrix } from '#domain/run/failures';
import { Store } from '../../../support/store.ts';
import type { Memory } from '../model/scripts-state.ts';

/** What *Try failures* found in a version of a script. */
export interface FailureScore {
  version: number;
  /** The calls that were tried, and those beyond the maximum. */
  sites: number;
  notTried: number;
  /** Failures after which the script wrote something else than without them, or did not end. */
  risky: number;
}

/** Maximum number of scripts whose scores are kept. */
const MOST = 2_000;

export const scoreOf = ({ sites, notTried, cells }: FailureMatrix, version: number): FailureScore => ({
  version,
  sites: sites.length,
  notTried,
  risky: cells.filter(({ outcome, unchanged }) => (outcome === 'writes' && !unchanged) || outcome === 'hangs').length,
});

/** Such as `5 of 5 calls tried, 3 risky failures`. */
export function scoreText({ version, sites, notTried, risky }: FailureScore, isStale: boolean): string {
  const tried = `${sites} of ${sites + notTried} ${sites + notTried === 1 ? 'call' : 'calls'} tried`;
  const found = `${risky === 0 ? 'no' : risky} risky ${risky === 1 ? 'failure' : 'failures'}`;
  return `${tried}, ${found}${isStale ? `, out of date: version ${version}` : ''}`;
}

/** Such as `6 failures of 2 calls`. */
export function summaryText({ cells, sites, notTried }: FailureMatrix, isStale: boolean): string {
  const tried = `${counted(cells.length, 'failure')} of ${counted(sites.length, 'call')}`;
  const rest = notTried > 0 ? `, ${notTried.toLocaleString('en')} more not tried` : '';
  return `${tried}${rest}${isStale ? ' · of an earlier text' : ''}`;
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** The last score of each script, kept in this browser. */
export class FailureScores {
  /** By the id of the script. */
  readonly store = new Store<ReadonlyMap<number, FailureScore>>(new Map());
  readonly #memory: Pick<Memory, 'read' | 'write'>;
  #key: string | null = null;

  constructor(memory: Pick<Memory, 'read' | 'write'>) {
    this.#memory = memory;
  }

  /** Reads those of a workspace, when it is known. */
  load(workspace: string): void {
    const key = `failures.scores.${workspace}`;
    if (this.#key === key) return;
    this.#key = key;
    const kept = this.#memory.read<[number, FailureScore][]>(key, []);
    this.store.set(new Map(kept.filter(isScore)));
  }

  keep(scriptId: number, score: FailureScore): void {
    const scores = new Map(this.store.get());
    scores.delete(scriptId);
    scores.set(scriptId, score);
    const kept = [...scores].slice(-MOST);
    this.store.set(new Map(kept));
    if (this.#key !== null) this.#memory.write(this.#key, kept);
  }
}

/** Other versions and people can write there, too. */
function isScore(entry: unknown): entry is [number, FailureScore] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'number') return false;
  const score: unknown = entry[1];
  if (typeof score !== 'object' || score === null) return false;
  return ['version', 'sites', 'notTried', 'risky'].every(
    (name) => typeof Object.getOwnPropertyDescriptor(score, name)?.value === 'number',
  );
}
