import { randomUUID } from 'node:crypto';
import type { EventClient } from '#domain/event/event';
import type { FeedPosition } from '#domain/event/event-change';
import { TagwrightError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { inSpan } from '../../platform/telemetry/spans.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import { HubDatabase } from '../../storage/hub/hub-database.ts';
import type { MirrorPart } from '../../storage/hub/mirror-part.ts';
import { MirrorReader } from '../../storage/hub/mirror-reader.ts';
import type { AppliedKey, MirrorStateRepository } from '../../storage/hub/mirror-state.ts';
import type { SiteRow, StepClient, WantedChange } from '../../storage/hub/mirror-step.ts';
import {
  COPY_TABLES,
  forgetMarks,
  marksOf,
  newFeed,
  siteOf,
  touch,
  wantedOf,
  writePart,
} from '../../storage/hub/mirror-step.ts';
import { checkSite } from './fence.ts';
import { WakefulPause } from './wakeful-pause.ts';

export interface MirrorParts {
  url: string;
  site: string;
  /** The workspace database. */
  file: string;
  /** The version of Tagwright. */
  version: string;
  events: {
    version(): number;
    onFeed(listener: () => void): () => void;
    applyAll(
      changes: readonly { id: number; active: boolean | null; by: EventClient }[],
      also: () => void,
    ): Promise<void>;
  };
  mirrorState: MirrorStateRepository;
  commits: CommitQueue;
  clock: Clock;
  /** Called after each change of the progress. */
  onProgress?: () => void;
}

/** How often the hub is asked for changes of gateways while nothing else happens, ms. */
const POLL_MS = 400;
/** Changes that follow each other within this time are one step, ms. */
const GATHER_MS = 40;
/** The interval of steps that say only that nothing has changed, ms. */
const TOUCH_MS = 1_000;
/** How often it looks for rows that no event names. */
const ROWS_MS = 3_000;
/** A hub that does not respond within this time has lost its connection, ms. */
const QUERY_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Changes of gateways that one transaction applies. */
const APPLIED = 200;
const LIMITS = { count: 10_000, characters: 4_000_000 };
const SMALLEST = 50;

/** A duplicate key: the hub has something that it should not have. */
const DUPLICATE = '23505';

/** What a step leaves for the next one. */
interface AfterStep {
  /** The id of the step. */
  step: string;
  /** The last row of each table that the hub has. */
  marks: ReadonlyMap<string, number>;
  /** The next part, which is read while PostgreSQL works; null at the end of the feed. */
  next: Promise<MirrorPart> | null;
}

/** What the mirror knows of the hub. */
export interface MirrorProgress {
  state: 'waiting' | 'connected' | 'stopped';
  position: FeedPosition | null;
  mirroredAt: string | null;
  applied: number;
  problem: string | null;
}

/**
 * Mirrors the events and rows of this workspace to a hub, and applies what was changed at gateways, until it is closed.
 * Nothing at the site waits for it.
 */
export class Mirror {
  readonly #parts: MirrorParts;
  readonly #reader: MirrorReader;
  readonly #waiting = new WakefulPause();
  readonly #unlisten: () => void;
  readonly #done: Promise<void>;
  #hub: HubDatabase | null = null;
  #closed = false;
  #touchedMs = Number.NEGATIVE_INFINITY;
  #polledMs = 0;
  #rowsMs = Number.NEGATIVE_INFINITY;
  /** Whether there are rows that no event names. */
  #wantsRows = false;
  #limits = LIMITS;
  /** Whether the hub may have rows and events that are copied again. */
  #overwrites = false;
  /** Null unless the last step was confirmed. */
  #before: AfterStep | null = null;
  /** Applied changes, with the number of the feed up to which their effects are. */
  readonly #effects = new Map<string, AppliedKey & { seq: number }>();
  readonly #progress: MirrorProgress = {
    state: 'waiting',
    position: null,
    mirroredAt: null,
    applied: 0,
    problem: null,
  };

  constructor(parts: MirrorParts) {
    this.#parts = parts;
    this.#reader = new MirrorReader(parts.file);
    this.#unlisten = parts.events.onFeed(() => this.#waiting.wake());
    this.#done = this.#run();
  }

  progress(): Readonly<MirrorProgress> {
    return this.#progress;
  }

  /** Tries again now. */
  retry(): void {
    this.#waiting.wake(true);
  }

  /** Ends at once; a step that is not confirmed is done again by the next mirror. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten();
    this.#hub?.abort();
    this.#waiting.wake(true);
    await this.#done;
    await this.#before?.next?.catch(() => undefined);
    this.#reader.close();
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.#closed) {
      try {
        await this.#follow(() => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (thrown) {
        if (this.#closed) break;
        await this.#forget();
        if (thrown instanceof TagwrightError && isDuplicate(thrown)) this.#overwrites = true;
        const isStopped = thrown instanceof TagwrightError && ['CONFLICT', 'WORKSPACE_NEWER'].includes(thrown.code);
        this.#progress.state = isStopped ? 'stopped' : 'waiting';
        this.#progress.problem = thrown instanceof Error ? thrown.message : String(thrown);
        this.#parts.onProgress?.();
        // A slow hub gets less at a time.
        this.#limits = smaller(this.#limits);
        if (isStopped) pause = LONGEST_PAUSE_MS;
        await this.#waiting.forced(pause * (0.5 + Math.random()));
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Until an error. */
  async #follow(onConnected: () => void): Promise<void> {
    const hub = await HubDatabase.open({
      url: this.#parts.url,
      connections: 1,
      name: `tagwright site ${this.#parts.site}`,
      queryMs: QUERY_MS,
    });
    this.#hub = hub;
    try {
      await hub.check();
      while (!this.#closed) {
        const isEnd = await this.#cycle(hub);
        onConnected();
        this.#progress.state = 'connected';
        this.#progress.problem = null;
        this.#parts.onProgress?.();
        if (!isEnd) continue;
        await this.#waiting.next(POLL_MS, GATHER_MS);
      }
    } finally {
      hub.abort();
      this.#hub = null;
    }
  }

  /** Applies changes of gateways and mirrors a part; resolves with whether there is nothing more. */
  async #cycle(hub: HubDatabase): Promise<boolean> {
    const { site, mirrorState, events, clock } = this.#parts;
    // A site that catches up asks no more often than one that has nothing to copy.
    if (this.#before?.next && performance.now() - this.#polledMs < POLL_MS) return this.#step(hub);
    this.#polledMs = performance.now();
    const row = await hub.statements((client) => siteOf(client, site, false));
    const state = mirrorState.get();
    checkSite(site, row, state);
    this.#progress.position = row.position;
    // Only of events that the hub surely has from this workspace.
    const { position } = row;
    if (position !== null && row.step !== null && state.rejoin === 0)
      await this.#apply(await hub.statements((client) => wantedOf(client, site, position.listed)));
    const isCurrent =
      state.rejoin === 0 &&
      row.position?.listed === null &&
      row.position.seq === events.version() &&
      mirrorState.applied().length === 0;
    this.#wantsRows ||= await this.#hasOtherRows(hub, row, state.rejoin === 1);
    if (!isCurrent || this.#wantsRows) return this.#step(hub);
    if (performance.now() - this.#touchedMs < TOUCH_MS) return true;
    if (!(await hub.statements((client) => touch(client, site, row.step)))) return false;
    this.#touched(clock.iso());
    return true;
  }

  async #hasOtherRows(hub: HubDatabase, row: SiteRow, isRejoin: boolean): Promise<boolean> {
    // Other rows of a first copy come after its events.
    if (isRejoin || row.position?.listed !== null || performance.now() - this.#rowsMs < ROWS_MS) return false;
    this.#rowsMs = performance.now();
    const before = this.#before;
    const marks =
      before?.step === row.step ? before.marks : await hub.statements((client) => marksOf(client, this.#parts.site));
    return this.#reader.hasRowsAbove(marks);
  }

  async #apply(wanted: readonly WantedChange[]): Promise<void> {
    const { events, mirrorState } = this.#parts;
    const fresh = wanted.filter((change) => !mirrorState.isApplied(change));
    for (let at = 0; at < fresh.length; at += APPLIED) {
      const some = fresh.slice(at, at + APPLIED);
      const changes = some.map(({ eventId: id, wanted: what, by }) => ({
        id,
        active: what === 2 ? null : what === 1,
        by: { method: what === 2 ? 'DELETE' : 'PUT', address: `${by} (hub)` },
      }));
      const attributes = { 'tagwright.changes': some.length };
      await inSpan({ name: 'mirror apply', attributes, isRoot: true }, () =>
        events.applyAll(changes, () => {
          for (const change of some) mirrorState.addApplied(change);
        }),
      );
      this.#progress.applied += some.length;
    }
  }

  #step(hub: HubDatabase): Promise<boolean> {
    return inSpan({ name: 'mirror step', isRoot: true }, () => this.#mirror(hub));
  }

  async #mirror(hub: HubDatabase): Promise<boolean> {
    const { site, mirrorState, commits, clock, version } = this.#parts;
    const step = randomUUID();
    let next: Promise<MirrorPart> | null = null;
    const write = async (client: StepClient) => {
      const row = await siteOf(client, site, true);
      const state = mirrorState.get();
      checkSite(site, row, state);
      const isRejoin = state.rejoin === 1;
      const feed = row.step === null || isRejoin ? await newFeed(client, row.feed) : row.feed;
      const { part, marks } = await inSpan({ name: 'mirror read' }, () => this.#read(client, row, isRejoin));
      this.#overwrites ||= isRejoin || part.isReset;
      const cleared = this.#mirrored(part.position);
      // After the part was read, so that a backup that has this id has the part, and before the hub has it.
      const isStored = commits.run(() => {
        if (row.step === null) for (const key of mirrorState.applied()) mirrorState.forgetApplied(key);
        mirrorState.set({ ...mirrorState.get(), lastStep: row.step, nextStep: step });
      });
      isStored.catch(() => undefined);
      const onCopied = () => {
        if (part.isEnd) return;
        next = this.#reader.read(part.position, marks, this.#limits, this.#wantsRows);
        // It is awaited later.
        next.catch(() => undefined);
        this.#before = { step, marks, next };
      };
      const end = { step, version, cleared, overwrites: this.#overwrites, onCopied };
      await inSpan({ name: 'mirror write' }, () => writePart(client, { site, feed }, part, end));
      await isStored;
      return { part, marks, cleared, isRejoin };
    };
    const { part, marks, cleared, isRejoin } = await hub.transaction(write, COPY_TABLES);
    this.#before = { step, marks, next };
    if (cleared.length > 0 || isRejoin) {
      await commits.run(() => {
        for (const key of cleared) mirrorState.forgetApplied(key);
        if (isRejoin) mirrorState.set({ ...mirrorState.get(), rejoin: 0 });
      });
    }
    for (const key of cleared) this.#effects.delete(nameOf(key));
    this.#progress.position = part.position;
    this.#limits = larger(this.#limits);
    if (part.hasAllRows) this.#wantsRows = false;
    if (part.isEnd) this.#touched(clock.iso());
    return part.isEnd;
  }

  /** The next part after what the hub has, and the marks after it. */
  async #read(
    client: StepClient,
    row: SiteRow,
    isRejoin: boolean,
  ): Promise<{ part: MirrorPart; marks: ReadonlyMap<string, number> }> {
    const isFirst = row.step === null || isRejoin;
    const before = this.#before;
    const isKnown = !isFirst && before?.step === row.step;
    let part = isKnown ? await before.next : await this.#forget();
    if (isFirst) await forgetMarks(client, this.#parts.site);
    const marks = isFirst
      ? new Map<string, number>()
      : isKnown
        ? before.marks
        : await marksOf(client, this.#parts.site);
    part ??= await this.#reader.read(isFirst ? null : row.position, marks, this.#limits, this.#wantsRows);
    return { part, marks: new Map([...marks, ...part.marks]) };
  }

  /** The reader reads one part at a time. */
  async #forget(): Promise<null> {
    await this.#before?.next?.catch(() => undefined);
    this.#before = null;
    return null;
  }

  /** The applied changes whose effects the hub has at a position. */
  #mirrored({ seq, listed }: FeedPosition): AppliedKey[] {
    const last = this.#parts.events.version();
    const applied = this.#parts.mirrorState.applied();
    for (const key of applied) {
      // Keys of an earlier process are in the feed, too.
      if (!this.#effects.has(nameOf(key))) this.#effects.set(nameOf(key), { ...key, seq: last });
    }
    return applied.filter((key) => {
      const effect = this.#effects.get(nameOf(key));
      return effect !== undefined && effect.seq <= seq && (listed === null || key.eventId <= listed);
    });
  }

  #touched(at: string): void {
    this.#touchedMs = performance.now();
    this.#progress.mirroredAt = at;
  }
}

const isDuplicate = ({ data }: TagwrightError): boolean => data?.['reason'] === DUPLICATE;

const nameOf = ({ key, eventId }: AppliedKey): string => `${key} ${eventId}`;

const smaller = ({ count, characters }: typeof LIMITS): typeof LIMITS =>
  count <= SMALLEST ? { count, characters } : { count: Math.ceil(count / 2), characters: Math.ceil(characters / 2) };

const larger = ({ count, characters }: typeof LIMITS): typeof LIMITS =>
  count >= LIMITS.count ? LIMITS : { count: 2 * count, characters: 2 * characters };
