import type { Command } from 'commander';
import { causesOf } from '#domain/tag/problem';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { counted, jsonLine, printable, table } from '../text.ts';
import { type ScopeOptions, scopesOf, withScopes } from './scopes.ts';

/** `tags problems`: the tags with a bad quality, by their causes. */
export function addTagProblems(tags: Command, context: CommandContext): void {
  const command = tags
    .command('problems')
    .description('Lists the tags with a bad quality by their causes. Exits with 1 if there is one.');
  withJson(withScopes(withWorkspace(command))).action(async (options: WorkspaceOption & ScopeOptions & JsonOption) => {
    const { io } = context;
    const { problems, total, read } = await inSession(context, options, (client) => client.tags.bad(scopesOf(options)));
    if (options.json) io.out(jsonLine({ problems, total, read }));
    else {
      for (const { text, problems: of } of causesOf(problems)) {
        io.out(`${printable(text)} (${counted(of.length, 'tag')})\n`);
        io.out(
          table(
            of.map(({ path, kind, quality }) => [printable(path), kind, quality]),
            '  ',
          ),
        );
      }
      if (problems.length < total) io.err(`${counted(total - problems.length, 'more tag')} not listed\n`);
      io.err(`${counted(total, 'tag')} of ${read.toLocaleString('en')} with a bad quality\n`);
    }
    if (total > 0) context.exit(EXIT.refused);
  });
}
