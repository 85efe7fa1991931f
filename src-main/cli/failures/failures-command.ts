import type { Command } from 'commander';
import type { Capsule } from '#domain/run/capsule';
import { type FailureOutcome, type FailureProgress, OUTCOMES } from '#domain/run/failures';
import { roundedDuration } from '#domain/text/duration';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import { cancellable, interruptible, scriptOf, sourceOf, type SourceOptions, withSource } from '../commands/run.ts';
import type { CommandContext } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { readCapsuleFile, receivedCapsule, usage } from '../input.ts';
import { checkTarget, saveFile } from '../output.ts';
import { printable } from '../../platform/report/printable.ts';
import { counted, jsonLine } from '../text.ts';
import { failuresJUnit, failuresText } from './failures-text.ts';

interface FailuresOptions extends SourceOptions {
  capsule?: string;
  all?: boolean;
  everyCall?: boolean;
  junit?: string;
  failOn?: string;
  cell?: string;
  to?: string;
}

/** Between two messages about the progress. */
const PROGRESS_MS = 2_000;
/** A longer time is announced. */
const LONG_MS = 10_000;

export function addFailures(program: Command, context: CommandContext): void {
  const command = withSource(
    program
      .command('failures')
      .summary('tries what a script does when its reads, writes and API calls fail')
      .description(
        'Runs a script once without saving anything, then replays this run once for each failure of each of its calls: missing ' +
          'tags, bad qualities, rejected writes, failed API calls. Lists what the script then does, the riskiest outcome first: ' +
          'it writes anyway, hangs, returns or throws. Nothing is written, and no API is called. Ctrl+C cancels.',
      ),
  )
    .option('--capsule <file>', 'try the recorded run of this capsule instead of a script')
    .option('--all', 'also list the outcomes without risk')
    .option('--every-call', 'of more than 1,000 calls, try the first 1,000, also if calls are alike')
    .option('--junit <file>', 'also write the outcomes as JUnit XML')
    .option('--fail-on <outcomes>', `exit with 1 if there is one of these: ${OUTCOMES.join(', ')}`)
    .option('--cell <number>', 'with --to: the outcome with this number in the list')
    .option('--to <file>', 'with --cell: write the replay of this outcome as a capsule');
  withJson(withWorkspace(command)).action(async (file: string | undefined, options: FailuresOptions) => {
    const { io } = context;
    const failing = outcomesOf(options.failOn);
    const cell = cellOf(options);
    for (const target of [options.junit, options.to]) if (target !== undefined) await checkTarget(target);
    const { capsule, name } = await recordedRun(context, file, options);
    const { failuresOfCapsule, failedCapsule, capsuleText } = await import('../../replay.ts');
    const matrix = await interruptible(context, 'replays', (signal) =>
      failuresOfCapsule(capsule, { everyCall: options.everyCall ?? false, onProgress: progressOf(context) }, signal),
    );
    io.out(options.json ? jsonLine(matrix) : failuresText(matrix, name, options.all ?? false, io));
    for (const warning of matrix.warnings) io.err(`${printable(warning)}\n`);
    if (options.junit !== undefined) await saveFile(options.junit, await failuresJUnit(matrix, name, failing));
    if (cell !== null && options.to !== undefined) {
      const wanted = matrix.cells[cell - 1];
      const site = wanted && matrix.sites[wanted.site];
      if (!site) throw usage(`There is no outcome ${cell}: the list has ${counted(matrix.cells.length, 'outcome')}.`);
      const failed = await interruptible(context, 'replays', (signal) =>
        failedCapsule(capsule, site, wanted.failure, signal),
      );
      if (!failed) throw new TagwrightError('INTERNAL', 'The outcome was not found in the recorded run.');
      await saveFile(options.to, capsuleText(failed), { onlyOwner: true });
      io.err(`Written to ${printable(options.to)}\n`);
    }
    if (matrix.cells.some(({ outcome }) => failing.has(outcome))) context.exit(EXIT.refused);
  });
  command.addHelpText(
    'after',
    `
Examples:
  tagwright failures --script "Line 1/Start an order" --context "Order 4720"
  tagwright failures store.js --tag-value 12 --fail-on writes,hangs --junit failures.xml
  tagwright failures --capsule store.capsule.json --all
  tagwright failures --capsule store.capsule.json --cell 1 --to failed.capsule.json`,
  );
}

function outcomesOf(text: string | undefined): ReadonlySet<FailureOutcome> {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  return new Set(
    names.map((name) => {
      const outcome = OUTCOMES.find((one) => one === name);
      if (!outcome)
        throw usage(`--fail-on has "${name}". Use one or more of ${OUTCOMES.join(', ')}, separated by commas.`);
      return outcome;
    }),
  );
}

function cellOf({ cell, to }: FailuresOptions): number | null {
  if ((cell === undefined) !== (to === undefined)) throw usage('Use --cell and --to together.');
  if (cell === undefined) return null;
  if (!/^[1-9]\d{0,6}$/.test(cell)) throw usage('--cell is the number of an outcome in the list, from 1.');
  return Number(cell);
}

/** A capsule of the run, recorded now or before, and the name of its script. */
async function recordedRun(
  context: CommandContext,
  file: string | undefined,
  options: FailuresOptions,
): Promise<{ capsule: Capsule; name: string }> {
  if (options.capsule !== undefined) {
    if (file !== undefined || options.script !== undefined) {
      throw usage('Use only one of a file, --script and --capsule.');
    }
    const bytes = await readCapsuleFile(context.io, options.capsule);
    const { readCapsule } = await import('../../replay.ts');
    const { capsule } = readCapsule(bytes);
    return { capsule, name: capsule.script.name ?? options.capsule };
  }
  const source = await sourceOf(context, file, options, 'failures');
  const { text, name } = await inSession(context, { ...options, runsScripts: true }, async (client) => {
    const { script, context: runContext } = await source(client);
    const run = { body: script.body, context: runContext, dryRun: true, ...scriptOf(script) };
    const { capsule, problem } = await cancellable(context, client, (key) =>
      client.capsules.record({ ...run, gzip: true, key }),
    );
    if (capsule === null)
      throw new TagwrightError('CONFLICT', `The run was not recorded: ${problem ?? 'it has no capsule'}.`);
    return { text: capsule, name: script.name };
  });
  const { readCapsule } = await import('../../replay.ts');
  return { capsule: readCapsule(receivedCapsule(text)).capsule, name };
}

/** Prints how long it will take, if that is long, and the progress from time to time. */
function progressOf({ io }: CommandContext): (progress: FailureProgress) => void {
  let next = performance.now() + PROGRESS_MS;
  return ({ done, of, leftMs }) => {
    if (done === 0 && leftMs >= LONG_MS) {
      io.err(`Trying ${counted(of, 'failure')}, about ${roundedDuration(leftMs)}. Ctrl+C cancels.\n`);
    }
    if (done === 0 || done === of || performance.now() < next) return;
    next = performance.now() + PROGRESS_MS;
    io.err(`Tried ${grouped(done)} of ${counted(of, 'failure')}\n`);
  };
}
