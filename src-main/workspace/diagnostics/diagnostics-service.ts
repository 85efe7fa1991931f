import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CheckResult, Diagnosis, DiagnosisStep, SupportFile } from '#domain/workspace/diagnosis';
import { worstOf } from '#domain/workspace/diagnosis';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { hostRuntime } from '../../platform/files/paths.ts';
import { examineFacts } from '../../storage/workspace/examination/examine-in-process.ts';
import { lockState } from '../../storage/workspace/instance-lock.ts';
import type { Check, RunningInstance, CheckInput } from './check.ts';
import { CLOCK_CHECKS } from './clock-checks.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { DISK_CHECKS } from './disk-checks.ts';
import { FILE_CHECKS } from './file-checks.ts';
import { HOST_CHECKS } from './host-checks.ts';
import { HUB_CHECKS } from './hub-check.ts';
import { LEFTOVER_CHECKS } from './leftover-checks.ts';
import { LOG_CHECKS } from './log-check.ts';
import { PORT_CHECKS } from './port-checks.ts';
import { SETTING_CHECKS } from './setting-checks.ts';
import { supportFile } from './support-file.ts';
import { VERSION_CHECKS } from './version-checks.ts';

/** Every check, in the order of execution and display; the slowest comes last. */
export const CHECKS: readonly Check[] = [
  ...VERSION_CHECKS,
  ...PORT_CHECKS,
  ...FILE_CHECKS,
  ...HOST_CHECKS,
  ...HUB_CHECKS,
  ...DISK_CHECKS,
  ...CLOCK_CHECKS,
  ...SETTING_CHECKS,
  ...LEFTOVER_CHECKS,
  ...LOG_CHECKS,
  ...DATABASE_CHECKS,
];

export interface DiagnosticsParts {
  /** The folder of the workspace, which may be missing or damaged. */
  workspace: string;
  /** The folder of the product. */
  root: string;
  version: string;
  /** This process, if it is the instance that holds the workspace. */
  instance: RunningInstance | null;
  /** Whether another process holds the workspace and does not respond. */
  silent?: boolean;
  /** Values that are masked anywhere in a support file. */
  secrets?: () => readonly string[];
  checks?: readonly Check[];
  clock?: Clock;
}

/**
 * Checks the installation and its workspace, for the command line and the page Diagnostics. It opens what it needs for
 * reading, and does not change, migrate, lock or repair anything. Methods are named after the procedures of the
 * contract.
 */
export class DiagnosticsService {
  readonly #parts: DiagnosticsParts;
  readonly #clock: Clock;
  /** By whether every page is checked. */
  readonly #inProgress = new Map<boolean, SharedDiagnosis>();
  #last: { diagnosis: Diagnosis; facts: CheckInput['facts'] } | null = null;

  constructor(parts: DiagnosticsParts) {
    this.#parts = { ...parts, workspace: resolve(parts.workspace) };
    this.#clock = parts.clock ?? systemClock;
  }

  /**
   * The progress of a diagnosis; the last step is complete. A check that fails is a result, too. Concurrent readers
   * share one diagnosis; it ends when the signals of all of them have aborted.
   */
  async *run({ full = false }: { full?: boolean }, signal: AbortSignal): AsyncGenerator<DiagnosisStep> {
    let inProgress = this.#inProgress.get(full);
    if (!inProgress) {
      const made = new SharedDiagnosis((shared) => this.#make(full, shared));
      inProgress = made;
      this.#inProgress.set(full, made);
      const forget = () => void (this.#inProgress.get(full) === made && this.#inProgress.delete(full));
      made.abandoned.addEventListener('abort', forget);
      made.ended.then(forget, forget);
    }
    yield* inProgress.steps(signal);
  }

  /** A text file for support, without secrets and without names and values of the plant. */
  async support(): Promise<SupportFile> {
    if (this.#last === null) for await (const _ of this.run({}, new AbortController().signal));
    if (this.#last === null) throw new TagwrightError('UNAVAILABLE', 'The checks did not end. Try again.');
    const { workspace, root, secrets = () => [] } = this.#parts;
    return supportFile({ ...this.#last, workspace, root, secrets: secrets() });
  }

  async #make(full: boolean, shared: SharedDiagnosis): Promise<Diagnosis> {
    const { version, workspace, checks = CHECKS } = this.#parts;
    const signal = shared.abandoned;
    const input = await this.#scene(full, signal);
    for (const check of checks) {
      shared.reportProgress(check.title);
      const result = await resultOf(check, input, (doing) => shared.reportProgress(doing));
      signal.throwIfAborted();
      shared.found(result);
    }
    const results = shared.results;
    const diagnosis: Diagnosis = {
      format: 1,
      madeAt: this.#clock.iso(),
      version,
      workspace,
      full,
      state: worstOf(results),
      checks: [...results],
    };
    this.#last = { diagnosis, facts: input.facts };
    return diagnosis;
  }

  async #scene(full: boolean, signal: AbortSignal): Promise<CheckInput> {
    const { workspace, root, version, instance, silent = false } = this.#parts;
    const lock = lockState(workspace);
    const node = nodeOf(root);
    const file = join(workspace, 'workspace.db');
    const facts = !existsSync(file)
      ? null
      : node === null
        ? new TagwrightError('UNAVAILABLE', 'The Node of Tagwright is missing.')
        : await examineFacts(file, { held: lock.held, nodeBinary: node, root, signal }).catch(errorOf);
    signal.throwIfAborted();
    return { workspace, root, version, full, signal, now: this.#clock.now(), instance, lock, silent, node, facts };
  }
}

/** A diagnosis in progress, for any number of readers. */
class SharedDiagnosis {
  readonly results: CheckResult[] = [];
  /** Settles with the diagnosis. */
  readonly ended: Promise<Diagnosis>;
  readonly #abandon = new AbortController();
  #doing = 'Reading the workspace';
  #over = false;
  #readers = 0;
  #changed = Promise.withResolvers<void>();

  constructor(make: (shared: SharedDiagnosis) => Promise<Diagnosis>) {
    this.ended = make(this).then(
      (diagnosis) => {
        this.#end('Done');
        return diagnosis;
      },
      (thrown: unknown) => {
        this.#end('Failed');
        throw thrown;
      },
    );
  }

  /** Aborts when its last reader has left before the end. */
  get abandoned(): AbortSignal {
    return this.#abandon.signal;
  }

  reportProgress(doing: string): void {
    this.#doing = doing;
    this.#wake();
  }

  found(result: CheckResult): void {
    this.results.push(result);
    this.#wake();
  }

  /** The results so far, then new ones; a slow reader gets only the latest progress. */
  async *steps(signal: AbortSignal): AsyncGenerator<DiagnosisStep> {
    const left = Promise.withResolvers<void>();
    const leave = () => left.resolve();
    signal.addEventListener('abort', leave, { once: true });
    this.#readers += 1;
    let seen = 0;
    try {
      while (!signal.aborted) {
        const [changed, isLast] = [this.#changed.promise, this.#over];
        const checks = this.results.slice(seen);
        seen = this.results.length;
        // Rejects with the cause of the failure.
        const diagnosis = isLast ? await this.ended : null;
        yield { doing: this.#doing, checks, diagnosis };
        if (isLast) return;
        await Promise.race([changed, left.promise]);
      }
    } finally {
      signal.removeEventListener('abort', leave);
      this.#readers -= 1;
      if (this.#readers === 0 && !this.#over) this.#abandon.abort();
    }
  }

  #end(doing: string): void {
    this.#over = true;
    this.reportProgress(doing);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** A check that throws has no result; the others continue. */
async function resultOf(
  check: Check,
  input: CheckInput,
  reportProgress: (doing: string) => void,
): Promise<CheckResult> {
  const { id, group, title, run } = check;
  try {
    const { state, detail, fix = null } = await run(input, reportProgress);
    return { id, group, title, state, detail, fix };
  } catch (thrown) {
    return { id, group, title, state: 'not-checked', detail: `the check failed: ${messageOf(thrown)}`, fix: null };
  }
}

function nodeOf(root: string): string | null {
  try {
    return hostRuntime(root).node;
  } catch {
    return null;
  }
}

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
