import { randomBytes } from 'node:crypto';
import { type Capsule, CAPSULE_FORMAT, CAPSULE_VERSION, MAX_CAPSULE_BYTES } from '#domain/run/capsule';
import type { RunOrigin } from '#domain/run/journal';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import type { Settings } from '#domain/workspace/settings';
import type { RunKeeping, RunTags } from '../runs/run-service.ts';
import { tracedCalls } from '../runs/run-trace.ts';
import { limitsOf, type RunTree } from '../runs/run-tree.ts';
import type { RunJournal } from '../journal/run-journal.ts';
import { capsuleText } from './capsule-file.ts';
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

export interface RecordOutcome {
  report: RunReport;
  /** The text of the capsule; null if there is none. */
  capsule: string | null;
  /** Why there is no capsule. */
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
  /** What becomes the capsule, masked; null with the `problem` if it would be too large. */
  content: () => Omit<Capsule, 'hash'> | null;
  problem: string | null;
  /** The run for the journal. */
  origin: RunOrigin | null;
}

/** Runs scripts like `RunService`, and records what they see. */
export class CapsuleRecorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /**
   * Runs a body to its end, with a clock and random numbers that a replay repeats. Aborting the signal cancels the run,
   * which is recorded too. Rejects only with UNAVAILABLE, if no script host is available.
   */
  async record(request: RecordRequest, signal?: AbortSignal): Promise<RecordOutcome> {
    const { report, content, problem, origin } = await this.run(request, signal);
    const capsule = content();
    if (origin) void this.#parts.journal?.keep(origin, capsule);
    if (capsule === null) return refused(report, problem ?? 'it was not recorded');
    const text = capsuleText(capsule);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MAX_CAPSULE_BYTES) return { report, capsule: text, problem: null };
    return refused(
      report,
      `it has ${bytes.toLocaleString('en')} bytes, more than ${MAX_CAPSULE_BYTES.toLocaleString('en')}`,
    );
  }

  /** Runs for the journal: a debugger may have such a run instead. */
  readonly kept: RunKeeping = {
    enabled: () => this.#parts.journal?.enabled ?? false,
    run: async (request, signal) => {
      const { report, content, origin } = await this.run(request, signal, true);
      if (!origin) return report;
      void this.#parts.journal?.keep(origin, content());
      return { ...report, entry: origin.id };
    },
    ended: (origin) => void this.#parts.journal?.keep(origin, null),
  };

  /**
   * The same, without the text of the capsule.
   * @param isOptional whether a debugger may have the run instead, which is then not recorded in full
   */
  async run(
    { body, script, context, dryRun }: RecordRequest,
    signal?: AbortSignal,
    isOptional = false,
  ): Promise<RecordedOutcome> {
    const { tree, tags, settings, version } = this.#parts;
    const recorder = new RunRecorder(randomBytes(32).toString('hex'), tags, isOptional);
    const { run, trace } = tree.root({ dryRun, script, ownApi: (api) => recorder.api(api) });
    const callsOf = (scripts: ScriptEvaluator) =>
      recorder.outer(tracedCalls(recorder.tags(tags.session({ dryRun, scripts })), trace));
    const { bodyBytes: _, ...limits } = limitsOf(settings.get(), false);
    const { consoleDropped, ...ended } = await run.execute({ body, context, recorded: recorder }, callsOf, signal);
    recorder.finish(ended.status === 'ok' || ended.status === 'error');
    const report: RunReport = { ...ended, ...trace.report(consoleDropped), dryRun };
    const content = () => {
      if (recorder.problem !== null) return null;
      const mask = this.#parts.maskOf([...this.#parts.secrets(), ...recorder.secrets]);
      return maskedCapsule(capsuleOf(), mask, recorder.masked);
    };
    const capsuleOf = (): Omit<Capsule, 'hash' | 'masked'> => ({
      format: CAPSULE_FORMAT,
      version: CAPSULE_VERSION,
      product: version,
      script: { name: script?.name ?? null, version: script?.version ?? null, body: body.split('\n') },
      context,
      limits,
      environment: recorder.environment(Date.parse(report.timing.startedAt)),
      tags: recorder.tagsSeen,
      calls: recorder.calls,
      report,
    });
    return { report, content, problem: recorder.problem, origin: run.origin };
  }
}

const refused = (report: RunReport, problem: string): RecordOutcome => ({ report, capsule: null, problem });
