import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { SECRET_LENGTH } from '#domain/mock/api-secret';
import type { SecretUsage } from '#domain/tag/usage';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { counted, jsonLine, listedMoment, table } from '../text.ts';
import { readText } from '../input.ts';
import type { Io } from '../io.ts';
import { secretUsageText } from '../usage-text.ts';

/** The command group `secrets`. */
export function addSecrets(program: Command, context: CommandContext): void {
  const secrets = program
    .command('secrets')
    .description('Lists, sets and deletes the secrets that scripts use as {{secret:NAME}}.');
  for (const add of [addSecretsList, addSecretsSet, addSecretsDelete]) add(secrets, context);
}

function addSecretsList(secrets: Command, context: CommandContext): void {
  const command = secrets.command('list').description('Lists the names of the secrets. Values are never shown.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const { secrets: listed } = await inSession(context, options, (client) => client.secrets.list());
    if (options.json) return context.io.out(jsonLine(listed));
    const rows = listed.map(({ name, changedAt, readable }) => [
      name,
      listedMoment(changedAt),
      readable ? 'readable' : 'encrypted with another key: set it again',
    ]);
    context.io.out(table([['NAME', 'CHANGED (UTC)', 'STATE'], ...rows]));
    context.io.err(`${counted(rows.length, 'secret')}\n`);
  });
}

function addSecretsSet(secrets: Command, context: CommandContext): void {
  const command = secrets
    .command('set')
    .description(
      'Sets a secret, which scripts use as {{secret:NAME}}. The value is read from a prompt or from standard input, so ' +
        'it stays out of the shell history.',
    )
    .argument('<name>', 'starts with a letter, then letters, digits, _ . or -');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const typed = await promptHidden(io, `Value of ${name}: `);
    const text = typed ?? (await readText(io, '-', { bytes: SECRET_LENGTH.max * 4, of: 'a secret' }));
    // The line break that echo and editors add is not part of it.
    const value = text.replace(/\r?\n$/, '');
    await inSession(context, options, (client) => client.secrets.set({ name, value }));
    if (options.json) return io.out(jsonLine({ name }));
    io.out(`${name} is set; scripts write it as {{secret:${name}}}\n`);
  });
  command.addHelpText('after', '\nExample:\n  tagwright secrets set ERP_KEY < key.txt');
}

/** Reads input without echo; null if there is no terminal. Ctrl+C ends the process as usual. */
async function promptHidden(io: Io, question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  io.err(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.once('SIGINT', () => {
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    io.err('\n');
  }
}

function addSecretsDelete(secrets: Command, context: CommandContext): void {
  const command = secrets
    .command('delete')
    .description('Deletes a secret, and lists the remaining references to it.')
    .argument('<name>', 'its name');
  withJson(withWorkspace(command)).action(async (name: string, options: WorkspaceOption & JsonOption) => {
    const { io } = context;
    const usage = await inSession(context, options, async (client) => {
      const found = await client.secrets.usage({ name });
      await client.secrets.delete({ name });
      return found;
    });
    io.out(options.json ? jsonLine({ name, usage }) : `${name} is deleted\n`);
    if (isNamed(usage)) io.err(`{{secret:${name}}} is still named here:\n${secretUsageText(usage)}`);
  });
}

const isNamed = ({ scripts, drafts, mocks, settings }: SecretUsage): boolean =>
  scripts.length + drafts.length + mocks.length + settings.length > 0;
