import { bodyOf } from '#domain/run/capsule';
import type { ReplayReport, ReplayWithValues } from '#domain/run/replay';
import { type NotedRunParts, runWithNotes } from '../values/noted-run.ts';
import type { ReadCapsule } from './capsule-file.ts';
import { replayCapsule, type ReplayParts } from './replay-capsule.ts';

/**
 * A replay whose body notes what its variables become; with `steps`, also the order of what it executes. Its hosts must be
 * for debugged bodies.
 */
export async function replayWithValues(
  read: ReadCapsule,
  edited: string | null,
  steps: boolean,
  parts: ReplayParts,
  signal?: AbortSignal,
): Promise<ReplayWithValues> {
  let replay: ReplayReport | null = null;
  const run: NotedRunParts['run'] = async (_request, debugging) => {
    replay = await replayCapsule(read, edited, { ...parts, debugging }, signal);
    return replay.report;
  };
  const { context, report } = read.capsule;
  const request = { body: edited ?? bodyOf(read.capsule), context, dryRun: report.dryRun };
  const { report: _, ...notes } = await runWithNotes(request, { runner: parts.runner, run, mask: () => null, steps });
  replay ??= await replayCapsule(read, edited, parts, signal);
  return { ...replay, values: notes.parts.length === 0 ? null : notes };
}
