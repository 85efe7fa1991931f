import { randomFillSync } from 'node:crypto';
import { type Capsule, CAPSULE_FORMAT, CAPSULE_VERSION, MAX_CAPSULE_BYTES } from '#domain/run/capsule';
import type { RunOrigin } from '#domain/run/journal';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import type { Settings } from '#domain/workspace/settings';
import { type Json, lengthOfJson } from '#domain/text/json';
import { writtenInPieces } from '../../platform/json-pieces.ts';
import { atOnce, inTurns, type Steps } from '../../platform/turns.ts';
import type { RunKeeping, RunTags } from '../runs/run-service.ts';
import { tracedCalls } from '../runs/run-trace.ts';
import { limitsOf, type RunTree } from '../runs/run-tree.ts';
import type { PackedText } from '../journal/packed-texts.ts';
import type { RunJournal } from '../journal/run-journal.ts';
import { recordedFileOf } from './large-capsules.ts';
import { type MaskText, maskedCapsule } from './masked-capsule.ts';
import { type RecordedTags, RunRecorder } from './run-recorder.ts';

/** A run that becomes a capsule. */
export interface RecordRequest {
  body: string;
  /** `Group/Name` and version of a saved script. */
  script?: { name: string; version: number } | undefined;
  context: RunContext;
  dryRun: boolean;
}

/** A capsule without its hash. */
type Content = Omit<Capsule, 'hash'>;

export interface RecordOutcome {
  report: RunReport;
  /** The text of the capsule, or that compressed with gzip in Base64; null if there is none. */
  capsule: string | null;
  /** Why there is no capsule. */
  problem: string | null;
}

export interface RecordedContent {
  report: RunReport;
  /** Masked; null if there is none. */
  content: Content | null;
  /** Characters of its text, or the bytes of a long one. */
  length: number;
  problem: string | null;
}

interface RecorderParts {
  tree: RunTree;
  tags: RunTags & RecordedTags;
  settings: { get(): Settings };
  /** The values of all named secrets. */
  secrets(): string[];
  /** Hides secrets; null if there are none. */
  maskOf(secrets: readonly string[]): MaskText | null;
  journal?: RunJournal;
  /** The version of the product. */
  version: string;
}

/** A run that was recorded. */
interface RecordedOutcome {
  report: RunReport;
  /** What becomes the capsule, masked, in steps; null with the `problem` if it would be too large. */
  content: () => Steps<Content | null>;
  /** Whether that and its text take longer than a turn of main. */
  isLong: boolean;
  problem: string | null;
  /** The run for the journal. */
  origin: RunOrigin | null;
}

/** Characters of a run that are handled at once: about 2 ms. */
const SHORT = 200_000;
/** Levels of a capsule whose items are written one by one: `calls` and the lists of its report. */
const LEVELS = 3;

/** Runs scripts like `RunService`, and records what they see. */
export class CapsuleRecorder {
  readonly #parts: RecorderParts;
  readonly #seeds = new Seeds();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /**
   * Runs a body to its end, with a clock and random numbers that a replay repeats. Aborting the signal cancels the run,
   * which is recorded too. Rejects only with UNAVAILABLE, if no script host is available.
   */
  async record(
    { gzip = false, ...request }: RecordRequest & { gzip?: boolean | undefined },
    signal?: AbortSignal,
  ): Promise<RecordOutcome> {
    const { report, content, text, problem } = await this.#recorded(request, signal);
    if (content === null || text === null) return refused(report, problem ?? 'it was not recorded');
    const file = await recordedFileOf(content, text, gzip);
    if ('problem' in file) return refused(report, file.problem);
    if (file.bytes <= MAX_CAPSULE_BYTES) return { report, capsule: file.text, problem: null };
    return refused(
      report,
      `it has ${file.bytes.toLocaleString('en')} bytes, more than ${MAX_CAPSULE_BYTES.toLocaleString('en')}`,
    );
  }

  /** The same without the file: a capsule that was recorded here needs no check and no hash. */
  async content(request: RecordRequest, signal?: AbortSignal): Promise<RecordedContent> {
    const { report, content, text, problem } = await this.#recorded(request, signal);
    return { report, content, length: text === null ? 0 : lengthOf(text), problem };
  }

  /** Runs for the journal: a debugger may have such a run instead. */
  readonly kept: RunKeeping = {
    enabled: () => this.#parts.journal?.enabled ?? false,
    run: async (request, signal) => {
      const { report, content, isLong, origin } = await this.run(request, signal, true);
      if (!origin) return report;
      const { journal } = this.#parts;
      if (isLong) journal?.keepLong(origin, textOfLong(inTurns(content())));
      else journal?.keep(origin, textOf(atOnce(content())));
      return { ...report, entry: origin.id };
    },
    ended: (origin) => this.#parts.journal?.keep(origin, null),
  };

  /**
   * Runs a body, and records what it sees.
   * @param isOptional whether a debugger may have the run instead, which is then not recorded in full
   */
  async run(
    { body, script, context, dryRun }: RecordRequest,
    signal?: AbortSignal,
    isOptional = false,
  ): Promise<RecordedOutcome> {
    const { tree, tags, settings, version } = this.#parts;
    const recorder = new RunRecorder(this.#seeds.next(), tags, isOptional);
    const { run, trace } = tree.root({ dryRun, script, ownApi: (api) => recorder.api(api) });
    const callsOf = (scripts: ScriptEvaluator) =>
      recorder.outer(tracedCalls(recorder.tags(tags.session({ dryRun, scripts })), trace));
    const { bodyBytes: _, ...limits } = limitsOf(settings.get(), false);
    const { consoleDropped, ...ended } = await run.execute({ body, context, recorded: recorder }, callsOf, signal);
    recorder.finish(ended.status === 'ok' || ended.status === 'error');
    const report: RunReport = { ...ended, ...trace.report(consoleDropped), dryRun };
    const mask = () => this.#parts.maskOf([...this.#parts.secrets(), ...recorder.secrets]);
    function* content(): Steps<Content | null> {
      if (recorder.problem !== null) return null;
      const capsule: Omit<Content, 'masked'> = {
        format: CAPSULE_FORMAT,
        version: CAPSULE_VERSION,
        product: version,
        script: { name: script?.name ?? null, version: script?.version ?? null, body: body.split('\n') },
        context,
        limits,
        environment: recorder.environment(Date.parse(report.timing.startedAt)),
        tags: recorder.tagsSeen,
        calls: yield* recorder.calls(),
        report,
      };
      return yield* maskedCapsule(capsule, mask(), recorder.masked);
    }
    const isLong = recorder.length > SHORT || lengthOfRest(report, body) > SHORT;
    return { report, content, isLong, problem: recorder.problem, origin: run.origin };
  }

  /** A run with its text, which is also stored in the journal. */
  async #recorded(request: RecordRequest, signal?: AbortSignal) {
    const { report, content: steps, isLong, problem, origin } = await this.run(request, signal);
    const content = isLong ? await inTurns(steps()) : atOnce(steps());
    const text = isLong ? await textOfLong(Promise.resolve(content)) : textOf(content);
    if (origin) this.#parts.journal?.keep(origin, text);
    return { report, content, text, problem };
  }
}

const refused = (report: RunReport, problem: string): RecordOutcome => ({ report, capsule: null, problem });

const SEED_BYTES = 32;

/** Seeds of random numbers. Random bytes for many runs at once: each request takes as long as a dozen reads. */
class Seeds {
  readonly #bytes = Buffer.alloc(64 * SEED_BYTES);
  #at = this.#bytes.length;

  /** In hexadecimal. */
  next(): string {
    if (this.#at === this.#bytes.length) {
      randomFillSync(this.#bytes);
      this.#at = 0;
    }
    this.#at += SEED_BYTES;
    return this.#bytes.toString('hex', this.#at - SEED_BYTES, this.#at);
  }
}

const textOf = (content: Content | null): string | null => content && JSON.stringify(content);

async function textOfLong(made: Promise<Content | null>): Promise<PackedText | null> {
  const content = await made;
  return content && inTurns(writtenInPieces(content, LEVELS));
}

const lengthOf = (text: PackedText): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);

/** About the characters of what a report has besides the calls. */
function lengthOfRest({ result, console: entries, nested = [] }: RunReport, body: string): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a report is JSON
  const parts = [result, entries, nested] as unknown as Json;
  return (
    body.length +
    (nested.length === 0 && entries.length === 0 ? lengthOfJson(result, SHORT) : lengthOfJson(parts, SHORT))
  );
}
