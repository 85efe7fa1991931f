import { randomFillSync } from 'node:crypto';
import { CAPSULE_FORMAT, CAPSULE_VERSION, MAX_CAPSULE_BYTES } from '#domain/run/capsule';
import type { RunOrigin } from '#domain/run/journal';
import type { RunContext, RunReport } from '#domain/run/run';
import type { NestedScript, ScriptEvaluator } from '#domain/run/script-evaluator';
import { grouped } from '#domain/text/grouped';
import type { Settings } from '#domain/workspace/settings';
import { type Json, lengthOfJson } from '#domain/text/json';
import { bytesOfLongText } from '../../outbound/secrets/long-credentials.ts';
import { atOnce, type Steps } from '../../platform/turns.ts';
import type { RunKeeping, RunTags } from '../runs/run-service.ts';
import { tracedCalls } from '../runs/run-trace.ts';
import { limitsOf } from '../runs/run-limits.ts';
import type { RunTree } from '../runs/run-tree.ts';
import type { RunJournal } from '../journal/run-journal.ts';
import { capsuleText } from './capsule-file.ts';
import { packedFile, recordedInThread } from './large-capsules.ts';
import { type CapsuleContent, maskedContent, type UnmaskedRun } from './masked-capsule.ts';
import { type RecordedTags, RunRecorder } from './run-recorder.ts';

/** A run that becomes a capsule. */
export interface RecordRequest {
  body: string;
  /** `Group/Name` and version of a saved script. */
  script?: { name: string; version: number } | undefined;
  context: RunContext;
  dryRun: boolean;
}

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
  content: CapsuleContent | null;
  /** Characters of its text, or the bytes of a long one. */
  length: number;
  problem: string | null;
}

/** A recorded run of a watch or a condition. */
export interface SampledRun {
  report: RunReport;
  origin: RunOrigin | null;
  /** Stores it in full, or without what it saw if that is too much. */
  keep: () => Promise<void>;
  /** Whether it is stored in full. */
  isFull: boolean;
}

interface RecorderParts {
  tree: RunTree;
  tags: RunTags & RecordedTags;
  settings: { get(): Settings };
  /** The values of all named secrets. */
  secrets(): string[];
  journal?: RunJournal;
  /** The version of the product. */
  version: string;
}

/** A run that was recorded. */
interface RecordedOutcome {
  report: RunReport;
  /** What becomes the capsule, in steps; not if there is a `problem`. */
  unmasked: () => Steps<UnmaskedRun>;
  /** Whether that takes longer than a turn of main. */
  isLong: boolean;
  problem: string | null;
  /** The run for the journal. */
  origin: RunOrigin | null;
}

/** Characters of a run that are handled at once: about 2 ms. Longer ones are masked, written and compressed in a thread. */
const SHORT = 200_000;

/** Why a run has no capsule. */
const UNKNOWN_SECRETS = 'a response is so large that its secrets could not be found';

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
    const { report, content, file, problem } = await this.#recorded(request, gzip ? 'gzip' : 'text', signal);
    if (content) return fileOf(report, await packedFile(capsuleText(content), gzip));
    return file ? fileOf(report, file) : { report, capsule: null, problem };
  }

  /** The same without the file: a capsule that was recorded here needs no check and no hash. */
  async content(request: RecordRequest, signal?: AbortSignal): Promise<RecordedContent> {
    const { report, content, length, problem } = await this.#recorded(request, 'content', signal);
    return { report, content, length, problem };
  }

  /** Runs for the journal: a debugger may have such a run instead. */
  readonly kept: RunKeeping = {
    enabled: () => this.#parts.journal?.enabled ?? false,
    run: async (request, signal) => {
      const recorded = await this.run(request, signal, true);
      const { report, origin } = recorded;
      if (!origin || !this.#parts.journal) return report;
      await this.#keep(recorded);
      return { ...report, entry: origin.id };
    },
    ended: (origin) => this.#parts.journal?.keep(origin, null),
  };

  /** Runs the script of a tag, or a condition, that no other run causes. Rejects like `record`. */
  async sample(nested: NestedScript): Promise<SampledRun> {
    const { body, context, origin, signal } = nested;
    const request = { body, context, dryRun: false, script: origin?.script ?? undefined };
    const recorded = await this.run(request, signal, true, nested);
    const keep = () => this.#keep(recorded);
    return { report: recorded.report, origin: recorded.origin, keep, isFull: recorded.problem === null };
  }

  /**
   * Runs a body, and records what it sees.
   * @param isOptional whether a debugger may have the run instead, which is then not recorded in full
   * @param nested the script of a tag or a condition that it is
   */
  async run(
    { body, script, context, dryRun }: RecordRequest,
    signal?: AbortSignal,
    isOptional = false,
    nested?: NestedScript,
  ): Promise<RecordedOutcome> {
    const { tree, tags, settings, version } = this.#parts;
    const recorder = new RunRecorder(this.#seeds.next(), tags, isOptional);
    const { run, trace, secrets } = tree.root({ dryRun, script, ownApi: (api) => recorder.api(api), nested });
    const known = () => [...this.#parts.secrets(), ...recorder.secrets, ...secrets.values];
    const own = (scripts: ScriptEvaluator) => nested?.calls(scripts) ?? tags.session({ dryRun, scripts });
    const callsOf = (scripts: ScriptEvaluator) => recorder.outer(tracedCalls(recorder.tags(own(scripts)), trace));
    const { bodyBytes: _, ...limits } = limitsOf(settings.get(), false);
    if (nested?.scriptMs !== undefined) limits.scriptMs = Math.min(limits.scriptMs, nested.scriptMs);
    const { consoleDropped, ...ended } = await run.execute(
      { ...nested, body, context, recorded: recorder },
      callsOf,
      signal,
    );
    for (const values of recorder.finish(ended.status === 'ok' || ended.status === 'error')) secrets.see(values);
    const report: RunReport = { ...ended, ...trace.report(consoleDropped), dryRun };
    function* unmasked(): Steps<UnmaskedRun> {
      const content = {
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
      } as const;
      const { masked, roomOfUnmasked: room } = recorder;
      const texts = secrets.unread.map(bytesOfLongText);
      const bodies = [...recorder.bodies, ...texts.map(({ bytes }) => bytes)];
      return { content, bodies, unread: texts.map(({ charset }) => charset), secrets: known(), masked, room };
    }
    const isLong =
      recorder.hasUnmasked ||
      secrets.unread.length > 0 ||
      secrets.areMany ||
      recorder.length > SHORT ||
      lengthOfRest(report, body) > SHORT;
    const problem = recorder.problem ?? (secrets.isUnknown ? UNKNOWN_SECRETS : null);
    return { report, unmasked, isLong, problem, origin: run.origin };
  }

  /** Stores a run; resolves when other runs may continue. */
  async #keep({ unmasked, isLong, problem, origin }: RecordedOutcome): Promise<void> {
    const { journal } = this.#parts;
    if (!origin || !journal) return;
    if (problem !== null) journal.keep(origin, null);
    else if (!isLong) journal.keep(origin, textOf(maskedContent(atOnce(unmasked()))));
    else
      await journal.keepLong(
        origin,
        recordedInThread(unmasked, null).then(({ packed }) => packed),
      );
  }

  /** A run, which is also stored in the journal: the content of a short one, and the wanted form of a long one. */
  async #recorded(request: RecordRequest, wanted: 'content' | 'gzip' | 'text', signal?: AbortSignal) {
    const { report, unmasked, isLong, problem, origin } = await this.run(request, signal);
    const { journal } = this.#parts;
    const none = { report, content: null, file: null, length: 0 };
    if (problem !== null) {
      if (origin) journal?.keep(origin, null);
      return { ...none, problem };
    }
    if (!isLong) {
      const content = maskedContent(atOnce(unmasked()));
      const text = textOf(content);
      if (origin) journal?.keep(origin, text);
      return { ...none, content, length: text?.length ?? 0, problem: null };
    }
    const made = await recordedInThread(unmasked, wanted);
    if (origin) void journal?.keepLong(origin, Promise.resolve(made.packed));
    return { ...none, ...made };
  }
}

function fileOf(report: RunReport, { text, bytes }: { text: string; bytes: number }): RecordOutcome {
  if (bytes <= MAX_CAPSULE_BYTES) return { report, capsule: text, problem: null };
  const [size, most] = [bytes, MAX_CAPSULE_BYTES].map((count) => grouped(count));
  return { report, capsule: null, problem: `it has ${size} bytes, more than ${most}` };
}

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

const textOf = (content: CapsuleContent | null): string | null => content && JSON.stringify(content);

/** About the characters of what a report has besides the calls. */
function lengthOfRest({ result, console: entries, nested = [] }: RunReport, body: string): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a report is JSON
  const parts = [result, entries, nested] as unknown as Json;
  return (
    body.length +
    (nested.length === 0 && entries.length === 0 ? lengthOfJson(result, SHORT) : lengthOfJson(parts, SHORT))
  );
}
