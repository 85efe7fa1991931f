import type { Database } from 'better-sqlite3';

/** Two ids of steps, one of them the hub's, and whether this workspace replaces the state of the hub. */
export interface MirrorState {
  lastStep: string | null;
  nextStep: string | null;
  rejoin: 0 | 1;
}

/** A change at a gateway, by its key and its event. */
export interface AppliedKey {
  key: number;
  eventId: number;
}

/** What `workspace.db` stores about the mirror. Methods that write must be called inside a job. */
export class MirrorStateRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  get(): MirrorState {
    return this.#statements.get.get() ?? { lastStep: null, nextStep: null, rejoin: 0 };
  }

  set({ lastStep, nextStep, rejoin }: MirrorState): void {
    this.#statements.set.run(lastStep, nextStep, rejoin);
  }

  applied(): AppliedKey[] {
    return this.#statements.applied.all();
  }

  isApplied({ key, eventId }: AppliedKey): boolean {
    return this.#statements.isApplied.get(key, eventId) !== undefined;
  }

  addApplied({ key, eventId }: AppliedKey): void {
    this.#statements.addApplied.run(key, eventId);
  }

  forgetApplied({ key, eventId }: AppliedKey): void {
    this.#statements.forgetApplied.run(key, eventId);
  }
}

function prepare(database: Database) {
  return {
    get: database.prepare<[], MirrorState>(
      'SELECT last_step AS lastStep, next_step AS nextStep, rejoin FROM hub_mirror',
    ),
    set: database.prepare<[string | null, string | null, number]>(
      'UPDATE hub_mirror SET last_step = ?, next_step = ?, rejoin = ?',
    ),
    applied: database.prepare<[], AppliedKey>('SELECT key, event_id AS eventId FROM hub_applied ORDER BY key'),
    isApplied: database.prepare<[number, number]>('SELECT 1 FROM hub_applied WHERE key = ? AND event_id = ?'),
    addApplied: database.prepare<[number, number]>('INSERT OR IGNORE INTO hub_applied (key, event_id) VALUES (?, ?)'),
    forgetApplied: database.prepare<[number, number]>('DELETE FROM hub_applied WHERE key = ? AND event_id = ?'),
  };
}
