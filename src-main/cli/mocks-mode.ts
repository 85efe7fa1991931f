import type { Command } from 'commander';
import { Argument } from 'commander';
import type { ApiMode } from '#domain/mock/api-call';
import { API_MODES } from '#domain/mock/api-call';
import type { CommandContext, JsonOption, WorkspaceOption } from './context.ts';
import { inSession, withJson, withWorkspace } from './context.ts';
import { jsonLine } from './text.ts';

interface ModeOptions extends WorkspaceOption, JsonOption {
  record?: boolean;
}

const MEANING: Readonly<Record<ApiMode, string>> = {
  live: 'API calls go to their far ends; mocks are not asked',
  mockFirst: 'a mock answers where one fits; other API calls go to their far ends',
  offline: 'mocks answer; no API call leaves this machine',
};

export function addMocksMode(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('mode')
    .description('Shows or sets what answers API calls: live, mockFirst or offline.')
    .addArgument(new Argument('[mode]', 'the mode to set').choices(API_MODES))
    .option('--record', 'from now on live calls become mocks')
    .option('--no-record', 'no longer');
  withJson(withWorkspace(command)).action(async (mode: ApiMode | undefined, options: ModeOptions) => {
    const { record } = options;
    const settings = await inSession(context, options, (client) =>
      mode === undefined && record === undefined
        ? client.settings.get()
        : client.settings.update({
            ...(mode !== undefined && { 'api.mode': mode }),
            ...(record !== undefined && { 'api.record': record }),
          }),
    );
    const { 'api.mode': now, 'api.record': recording } = settings;
    if (options.json) return context.io.out(jsonLine({ mode: now, record: recording }));
    context.io.out(`${now}: ${MEANING[now]}${recording ? '; live calls become mocks' : ''}\n`);
  });
}
