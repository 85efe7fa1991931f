import { bodyOf, MAX_OPENED_BYTES } from '#domain/run/capsule';
import { type CapsuleTest, testOfCapsule } from '#domain/run/capsule-test';
import type { JournalRun } from '#domain/run/journal';
import type { CapsuleComparison } from '#domain/run/replays/capsule-comparison';
import type { KeptRun, OpenedCapsule, ReplayWithValues } from '#domain/run/replay';
import { TagwrightError } from '../../platform/errors.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import type { JournalService } from '../journal/journal-service.ts';
import type { RunJournal } from '../journal/run-journal.ts';
import type { ReadCapsule } from './capsule-file.ts';
import type { CapsuleRecorder, RecordOutcome, RecordRequest } from './capsule-recorder.ts';
import { compareRecorded } from './compare-recorded.ts';
import { KeptCapsules } from './kept-capsules.ts';
import { openCapsuleFile } from './large-capsules.ts';
import { replayCapsule, type ReplayParts } from './replay-capsule.ts';
import { type ReplayHosts, withReplayHosts } from './replay-hosts.ts';
import { replayWithValues } from './replay-with-values.ts';

interface CapsuleServiceParts extends ReplayHosts {
  recorder: Pick<CapsuleRecorder, 'record'>;
  journal: Pick<JournalService, 'content'>;
  runs: Pick<RunJournal, 'flush'>;
  reader: Pick<JournalReader, 'runs'>;
}

/** Runs that one request reads: those of watches and rules are among them. */
const MOST_READ = 5_000;
const PAGE = 200;
const LISTED = 50;
/** Capsules that all windows have open. */
const MOST_OPEN = 20;

/** Capsules for windows: runs of the journal and files become replays and tests. Nothing here reaches the plant. */
export class CapsuleService {
  readonly #parts: CapsuleServiceParts;
  readonly #open = new KeptCapsules<ReadCapsule>(MOST_OPEN);

  constructor(parts: CapsuleServiceParts) {
    this.#parts = parts;
  }

  record(request: RecordRequest & { gzip?: boolean | undefined }, signal?: AbortSignal): Promise<RecordOutcome> {
    return this.#parts.recorder.record(request, signal);
  }

  async runs({ script, limit = LISTED }: { script: string | null; limit?: number | undefined }) {
    await this.#parts.runs.flush();
    const runs: KeptRun[] = [];
    let [below, read] = [Number.MAX_SAFE_INTEGER, 0];
    while (read < MOST_READ) {
      const page = this.#parts.reader.runs(below, PAGE);
      for (const run of page) {
        if (run.access !== 'run' || !run.isFull || !run.end) continue;
        if (run.script && run.script.name !== script) continue;
        runs.push(keptRun(run, run.end));
        if (runs.length === limit) return { runs };
      }
      const last = page.at(-1);
      if (!last) break;
      below = last.id;
      read += page.length;
    }
    return { runs };
  }

  async open(given: { text: string } | { gzip: string } | { run: number }): Promise<OpenedCapsule> {
    const { read, bytes } = 'run' in given ? await this.#read(given.run) : await openCapsuleFile(given);
    const { capsule, intact } = read;
    const { script, context, product, masked, report } = capsule;
    return {
      key: this.#open.keep(read, bytes),
      script: { name: script.name, version: script.version },
      body: bodyOf(capsule),
      context,
      product,
      intact,
      masked,
      report,
    };
  }

  /** Aborting the signal cancels the replay. */
  async replay(
    { key, body, values }: { key: string; body: string | null; values?: boolean | 'steps' | undefined },
    signal?: AbortSignal,
  ): Promise<ReplayWithValues> {
    const read = this.#of(key);
    if (values) {
      const steps = values === 'steps';
      const withValues = (parts: ReplayParts) => replayWithValues(read, body, steps, parts, signal);
      return withReplayHosts(read.capsule, 1, this.#parts, withValues, true);
    }
    const plain = async (parts: ReplayParts) => ({ ...(await replayCapsule(read, body, parts, signal)), values: null });
    return withReplayHosts(read.capsule, 1, this.#parts, plain);
  }

  /** Aborting the signal cancels the comparison. */
  compare({ before, after }: { before: string; after: string }, signal?: AbortSignal): Promise<CapsuleComparison> {
    return compareRecorded(this.#of(before), this.#of(after), this.#parts, signal);
  }

  test({ key, name }: { key: string; name: string }): CapsuleTest {
    return testOfCapsule(name, this.#of(key).capsule);
  }

  #of(key: string): ReadCapsule {
    const read = this.#open.get(key);
    if (read) return read;
    throw new TagwrightError('NOT_FOUND', 'This capsule is no longer open. Open it again.');
  }

  /** A run of the journal needs no check and no hash: Tagwright has written it. Both would block this process. */
  async #read(id: number): Promise<{ read: ReadCapsule; bytes: number }> {
    const { read, problem } = await this.#parts.journal.content(id, MAX_OPENED_BYTES);
    if (read) return { read: { capsule: { ...read.content, hash: '' }, intact: true }, bytes: read.bytes };
    throw new TagwrightError('CONFLICT', `Run ${id} has no capsule: ${problem ?? 'it was not recorded'}.`);
  }
}

const keptRun = (
  { id, at, script, cause, pinned }: JournalRun,
  { status, error, errorLine, ms, dryRun }: NonNullable<JournalRun['end']>,
): KeptRun => ({
  id,
  at: new Date(at).toISOString(),
  script,
  from: cause.by === 'person' ? (cause.from ?? null) : null,
  status,
  error,
  errorLine,
  ms,
  dryRun,
  pinned,
});
