import type { Command } from 'commander';
import { TagwrightError } from '../../platform/errors.ts';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { interruptible } from '../commands/run.ts';
import { EXIT } from '../exit-codes.ts';
import { readCapsuleFile, usage, receivedCapsule } from '../input.ts';
import { jsonLine } from '../text.ts';
import { comparisonText } from './compare-text.ts';

/** The command `compare`. */
export function addCompare(program: Command, context: CommandContext): void {
  const command = program
    .command('compare')
    .summary('compares two recorded runs')
    .description(
      'Compares two recorded runs, each a capsule or a run of the journal: the first difference in input (context, reads, ' +
        'responses of APIs), in path (executed lines) and in output (writes, console, result), and all reads, writes and ' +
        'API calls side by side. Exits with 0 if they are equal, 1 if they differ, and 2 if a capsule cannot be read.',
    )
    .argument('<before>', 'a capsule, - for standard input, or run:ID')
    .argument('<after>', 'another one')
    .option('--all', 'also list exchanges that do not differ');
  withJson(withWorkspace(command)).action(
    async (before: string, after: string, options: WorkspaceOption & JsonOption & { all?: boolean }) => {
      if (before === '-' && after === '-') throw usage('Only one of the two can be standard input.');
      const first = await capsuleOf(context, before, options);
      const second = await capsuleOf(context, after, options);
      const { readCapsule, compareFiles } = await import('../../replay.ts');
      const [one, other] = [named(before, () => readCapsule(first)), named(after, () => readCapsule(second))];
      const compared = await interruptible(context, 'comparison', (signal) => compareFiles(one, other, signal));
      const names: [string, string] = [before, after];
      context.io.out(
        options.json ? jsonLine(compared) : comparisonText(compared, names, options.all ?? false, context.io),
      );
      if (!compared.equal) context.exit(EXIT.refused);
    },
  );
  command.addHelpText(
    'after',
    `
Examples:
  tagwright compare good.capsule.json bad.capsule.json
  tagwright compare run:1234 run:1240 --all
  tagwright compare good.capsule.json run:1240 --json`,
  );
}

async function capsuleOf(context: CommandContext, text: string, options: WorkspaceOption): Promise<Buffer> {
  const [, number] = /^run:(\d{1,15})$/.exec(text) ?? [];
  if (number === undefined) return readCapsuleFile(context.io, text);
  const id = Number(number);
  const { capsule, problem } = await inSession(context, options, (client) =>
    client.journal.capsule({ id, gzip: true }),
  );
  if (capsule !== null) return receivedCapsule(capsule);
  throw new TagwrightError('CONFLICT', `Run ${id} has no capsule: ${problem ?? 'it was not recorded'}.`);
}

/** An error of one of the two says which. */
function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof TagwrightError)) throw thrown;
    throw new TagwrightError(thrown.code, `${name}: ${thrown.message}`);
  }
}
