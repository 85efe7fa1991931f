import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Mock, MockRoute, MockTrial } from '#domain/mock/mock';
import { MAX_ANSWERS, MOCK_METHODS, answersOf, nextAnswer, routeOf } from '#domain/mock/mock';
import { isInFolder, problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { isJsonObject, type JsonObject } from '#domain/text/json';
import type { ApiMode } from '#domain/mock/api-call';
import { API_MODES } from '#domain/mock/api-call';
import { grouped } from '#domain/text/grouped';
import type { CommandContext, JsonOption, WorkspaceOption } from '../context.ts';
import { inSession, withJson, withWorkspace } from '../context.ts';
import { printable } from '../../platform/report/printable.ts';
import { cell, counted, jsonLine, table } from '../text.ts';
import type { InstanceClient } from '../../host/instance-client.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { PLAIN, placeText } from '../../platform/plain-words.ts';
import { MAX_FILE_BYTES, addMocksImport } from './mock-import.ts';
import { oneOf, parseJson, readText, usage } from '../input.ts';
import { EXIT } from '../exit-codes.ts';
import { putExport } from '../output.ts';

/** The command group `mocks`. */
export function addMocks(program: Command, context: CommandContext): void {
  const mocks = program
    .command('mocks')
    .description('Lists, edits, tries, imports, exports and deletes mocks, and sets where API calls go.');
  for (const add of [
    addMocksList,
    addMocksShow,
    addMocksAdd,
    addMocksEdit,
    addMocksEnable,
    addMocksDisable,
    addMocksTry,
    addMocksImport,
    addMocksExport,
    addMocksDelete,
    addMocksRestart,
    addMocksMode,
  ])
    add(mocks, context);
}

function addMocksList(mocks: Command, context: CommandContext): void {
  const command = mocks.command('list').description('Lists the mocks in matching order.');
  withJson(withWorkspace(command)).action(async (options: WorkspaceOption & JsonOption) => {
    const listed = await inSession(context, options, (client) => client.mocks.list());
    if (options.json) return context.io.out(jsonLine(listed));
    // Without folders, the table is as it was before there were any.
    const folders = listed.mocks.some(({ folder }) => folder !== undefined);
    const rows = listed.mocks.map((mock) => rowOf(mock, folders));
    const head = ['ID', 'PRIORITY', 'HITS', 'REQUEST', 'ANSWER', ...(folders ? ['FOLDER'] : []), 'NAME'];
    if (rows.length > 0) context.io.out(table([head, ...rows]));
    const recording = listed.record ? `, live calls are recorded${inFolder(listed.recordFolder)}` : '';
    context.io.err(`${counted(rows.length, 'mock')}, mode ${listed.mode}${recording}\n`);
  });
}

/** Where recorded mocks go, as the end of a sentence. */
const inFolder = (folder = ''): string => (folder === '' ? '' : ` in the folder ${printable(folder)}`);

function rowOf(mock: Mock, folders: boolean): string[] {
  const { id, priority, hits, name, folder = '', enabled, request } = mock;
  return [
    String(id),
    String(priority),
    String(hits),
    `${request.method} ${cell(request.url)}`,
    enabled ? answerText(mock) : 'off',
    ...(folders ? [cell(folder)] : []),
    cell(name),
  ];
}

/** `500, 200 (next: 2)` */
function answerText(mock: Mock): string {
  const answers = answersOf(mock).map(({ fault, status, delayMs }) => {
    return `${fault ?? status}${delayMs > 0 ? ` after ${delayMs} ms` : ''}`;
  });
  if (answers.length === 1) return answers.join();
  const shown = answers.length > 5 ? [...answers.slice(0, 4), `… (${answers.length})`] : answers;
  return `${shown.join(', ')} (next: ${nextAnswer(mock, mock.position) + 1})`;
}

function addMocksShow(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('show')
    .description('Prints a mock as JSON, as "mocks add" and "mocks edit" read it.')
    .argument('<id>', 'id of the mock');
  withJson(withWorkspace(command)).action(async (id: string, options: WorkspaceOption & JsonOption) => {
    const [mock] = await inSession(context, options, (client) => mocksOf(client, [idOf(id)]));
    context.io.out(options.json ? jsonLine(mock) : `${JSON.stringify(mock && routeOf(mock), null, 2)}\n`);
  });
}

/** Maximum size of a file with one mock. */
const MAX_MOCK_BYTES = MAX_FILE_BYTES;
const EXAMPLE =
  '{"name":"Order","request":{"url":"https://erp.example/orders/*"},"answer":{"body":{"kind":"json","json":{}}}}';

function addMocksAdd(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('add')
    .summary('adds a mock from a JSON file')
    .description(`Adds a mock from a JSON file; omitted members have their defaults: ${EXAMPLE}`)
    .argument('<file>', 'file with the mock, or - for standard input');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const text = await readText(context.io, file, { bytes: MAX_MOCK_BYTES, of: 'a mock' });
    const route = await parseRoute(mockIn(text));
    const saved = await inSession(context, options, (client) => client.mocks.save(route));
    context.io.out(options.json ? jsonLine(saved) : `Added ${titleOf(saved)}\n`);
  });
}

function addMocksEdit(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('edit')
    .description(
      'Changes a mock: the members in the JSON file replace those of the mock; request and answer are merged by member.',
    )
    .argument('<id>', 'id of the mock')
    .argument('<file>', 'file with the changed members, or - for standard input');
  withJson(withWorkspace(command)).action(async (id: string, file: string, options: WorkspaceOption & JsonOption) => {
    const text = await readText(context.io, file, { bytes: MAX_MOCK_BYTES, of: 'a mock' });
    const changes = mockIn(text);
    const saved = await inSession(context, options, async (client) => {
      const [mock] = await mocksOf(client, [idOf(id)]);
      const base = routeOf(mock);
      const { request = {}, answer = {} } = changes;
      const { sequence, folder, ...rest } = { ...base, ...changes };
      const route = await parseRoute({
        ...rest,
        // Null removes the sequence, and takes the mock out of its folder.
        ...(sequence !== null && sequence !== undefined && { sequence }),
        ...(folder !== null && folder !== undefined && { folder }),
        request: isJsonObject(request) ? { ...base.request, ...request } : request,
        answer: isJsonObject(answer) ? { ...base.answer, ...answer } : answer,
      });
      return client.mocks.save({ ...route, id: mock.id, base });
    });
    context.io.out(options.json ? jsonLine(saved) : `Changed ${titleOf(saved)}\n`);
  });
}

function addMocksEnable(mocks: Command, context: CommandContext): void {
  addSwitch(mocks, context, {
    name: 'enable',
    enabled: true,
    description: 'Enables mocks, so that they respond again.',
  });
}

function addMocksDisable(mocks: Command, context: CommandContext): void {
  addSwitch(mocks, context, {
    name: 'disable',
    enabled: false,
    description: 'Disables mocks: they stay, but do not respond.',
  });
}

interface Switch {
  name: string;
  enabled: boolean;
  description: string;
}

interface SwitchOptions extends WorkspaceOption, JsonOption {
  folder?: string;
}

function addSwitch(mocks: Command, context: CommandContext, { name, enabled, description }: Switch): void {
  const command = mocks
    .command(name)
    .description(description)
    .argument('[id...]', 'ids of mocks')
    .option('--folder <folder>', 'instead of ids: all mocks in a folder and its subfolders, such as ERP/Orders');
  withJson(withWorkspace(command)).action(async (ids: string[], options: SwitchOptions) => {
    const { folder } = options;
    if ((ids.length === 0) === (folder === undefined)) throw usage('Enter the ids of mocks, or --folder.');
    const saved = await inSession(context, options, async (client) => {
      const chosen = folder === undefined ? await mocksOf(client, ids.map(idOf)) : await mocksIn(client, folder);
      await client.mocks.update({ changes: chosen.map(({ id }) => ({ id, enabled })) });
      return chosen.map((mock): Mock => ({ ...mock, enabled }));
    });
    if (options.json) return context.io.out(jsonLine(saved));
    for (const mock of saved) context.io.out(`${titleOf(mock)} is ${enabled ? 'enabled' : 'disabled'}\n`);
  });
}

const METHODS = MOCK_METHODS.filter((method) => method !== 'ANY');

interface TryMockOptions extends WorkspaceOption, JsonOption {
  header: string[];
  body?: string;
  bodyFile?: string;
  response?: string;
}

function addMocksTry(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('try')
    .description(
      'Shows which mock responds to a request, and its response. Nothing is sent. Exits with 1 if none responds.',
    )
    .argument('<method>', `${METHODS.join(', ')}; case is ignored`)
    .argument('<url>', 'the URL, as in a script')
    .option(
      '--header <name:value>',
      'a header of the request; may be repeated',
      (one, all: string[]) => [...all, one],
      [],
    )
    .option('--body <text>', 'the body of the request')
    .option('--body-file <file>', 'a file with the body, or - for standard input')
    .option('--response <number>', 'which response of a sequence, from 1; by default the next one');
  withJson(withWorkspace(command)).action(async (name: string, url: string, options: TryMockOptions) => {
    const { io } = context;
    const method = METHODS.find((one) => one === name.toUpperCase());
    if (!method) throw usage(`"${name}" is not a method. Enter one of: ${METHODS.join(', ')}.`);
    const { body, bodyFile, response } = options;
    if (body !== undefined && bodyFile !== undefined) throw usage('Enter either --body or --body-file.');
    const read = bodyFile === undefined ? null : await readText(io, bodyFile, { bytes: MAX_FILE_BYTES, of: 'a body' });
    const request = { method, url, headers: options.header.map(headerOf), body: body ?? read, ...responseOf(response) };
    const trial = await inSession(context, options, (client) => client.mocks.try(request));
    io.out(options.json ? jsonLine(trial) : trialText(trial));
    if (trial.error) context.exit(EXIT.refused);
  });
}

function responseOf(text: string | undefined): { response?: number } {
  if (text === undefined) return {};
  const response = Number(text);
  if (Number.isInteger(response) && response >= 1 && response <= MAX_ANSWERS) return { response };
  throw usage(`--response must be a number from 1 to ${MAX_ANSWERS}, not "${text}".`);
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw usage(`"${text}" is not a header. Write --header 'Accept: application/json'.`);
}

function trialText({ mock, sequence, answer, error }: MockTrial): string {
  const of = sequence ? `, response ${sequence.response} of ${sequence.count}` : '';
  const by = mock ? `mock "${cell(mock.name)}" (${mock.id ?? 'new'})${of}` : '';
  if (error) return `${by === '' ? '' : `${by}: `}${error.name}: ${printable(error.message)}\n`;
  if (!answer) return `${by}\n`;
  const headers = answer.headers.map(([name, value]) => `${printable(name)}: ${printable(value)}\n`).join('');
  const body = answer.text ?? (answer.bytes === 0 ? '' : `(${grouped(answer.bytes)} bytes)`);
  return `${by}\n${answer.status}\n${headers}${body === '' ? '' : `\n${printable(body)}\n`}`;
}

/** The mocks of these ids, in that order, each once. Throws NOT_FOUND if one is missing. */
async function mocksOf(client: InstanceClient, ids: readonly number[]): Promise<[Mock, ...Mock[]]> {
  const byId = new Map((await client.mocks.list()).mocks.map((mock) => [mock.id, mock]));
  const [first, ...others] = [...new Set(ids)].map((id) => {
    const mock = byId.get(id);
    if (mock) return mock;
    throw new TagwrightError('NOT_FOUND', `There is no mock ${id}. Run "tagwright mocks list" to see the ids.`);
  });
  if (!first) throw usage('Enter the ids of mocks.');
  return [first, ...others];
}

/** The mocks in a folder and its folders. Throws NOT_FOUND if there are none. */
async function mocksIn(client: InstanceClient, text: string): Promise<Mock[]> {
  const folder = tidyFolder(text);
  const found = (await client.mocks.list()).mocks.filter((mock) => isInFolder(mock.folder, folder));
  if (found.length > 0) return found;
  throw new TagwrightError('NOT_FOUND', `There is no folder "${cell(text)}". Run "tagwright mocks list" to see all.`);
}

const titleOf = ({ id, name }: Mock): string => `mock "${cell(name)}" (${id})`;

/** Members that only the workspace sets: JSON of "mocks list" has them. */
const GIVEN = new Set(['id', 'hits', 'lastHitAt', 'position']);

function mockIn(text: string): JsonObject {
  const value = parseJson(text, 'The mock');
  if (!isJsonObject(value)) {
    throw usage(`The file must contain one mock, such as ${EXAMPLE}. To add several, use "mocks import".`);
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !GIVEN.has(name)));
}

async function parseRoute(value: object): Promise<MockRoute> {
  const { mockRoute } = await import('#contract/texts/mock-route');
  const parsed = mockRoute().strict().safeParse(value, PLAIN);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${placeText(path) || 'the mock'}: ${message}`);
  throw usage(`This is not a mock. ${issues.join('. ')}. "tagwright mocks show ID" prints one as an example.`);
}

function addMocksExport(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('export')
    .description('Writes all mocks to a JSON file that "mocks import" reads. An existing file is replaced.')
    .argument('<file>', 'the file, or - for standard output');
  withJson(withWorkspace(command)).action(async (file: string, options: WorkspaceOption & JsonOption) => {
    const exported = await inSession(context, options, (client) => client.mocks.export());
    await putExport(context.io, exported, { ...options, file, what: 'mock' });
  });
}

function addMocksRestart(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('restart')
    .description('Restarts response sequences, for all mocks or the given ids: the next call gets the first response.')
    .argument('[id...]', 'ids of mocks; by default, all of them');
  withJson(withWorkspace(command)).action(async (ids: string[], options: WorkspaceOption & JsonOption) => {
    const named = ids.length === 0 ? null : ids.map(idOf);
    const { count } = await inSession(context, options, (client) => client.mocks.restartSequences({ ids: named }));
    context.io.out(
      options.json
        ? jsonLine({ count })
        : `${counted(count, 'sequence')} restarted
`,
    );
  });
}

function addMocksDelete(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('delete')
    .description('Deletes mocks by the ids that "mocks list" shows, or all of them with --all.')
    .argument('[id...]', 'ids of mocks')
    .option('--all', 'every mock');
  withJson(withWorkspace(command)).action(
    async (ids: string[], options: WorkspaceOption & JsonOption & { all?: boolean }) => {
      if ((ids.length === 0) === (options.all === undefined)) throw usage('Enter the ids of mocks, or --all.');
      const named = ids.map(idOf);
      const { count } = await inSession(context, options, (client) =>
        client.mocks.delete({ ids: options.all ? null : named }),
      );
      context.io.out(options.json ? jsonLine({ count }) : `${counted(count, 'mock')} deleted\n`);
    },
  );
}

function idOf(text: string): number {
  const id = Number(text);
  if (Number.isInteger(id) && id > 0) return id;
  throw usage(`"${text}" is not the id of a mock. Run "tagwright mocks list" to see the ids.`);
}

interface ModeOptions extends WorkspaceOption, JsonOption {
  record?: boolean;
  folder?: string;
}

/** Also accepted in place of a mode: the same as `--record`. */
const RECORD = 'record';

const MEANING: Readonly<Record<ApiMode, string>> = {
  live: 'API calls are sent to the remote servers, without mocks',
  mockFirst: 'a mock responds if one matches; other API calls are sent to the remote servers',
  offline: 'only mocks respond; no API call leaves this machine',
};

function addMocksMode(mocks: Command, context: CommandContext): void {
  const command = mocks
    .command('mode')
    .description('Shows or sets where API calls go: live, mockFirst or offline.')
    .addArgument(
      oneOf(new Argument('[mode]', 'the mode to set, in any case; record is the same as --record'), [
        ...API_MODES,
        RECORD,
      ]),
    )
    .option('--record', 'record live calls as mocks from now on')
    .option('--no-record', 'stop recording')
    .option('--folder <folder>', 'folder for recorded mocks, such as ERP/Orders; "" for none');
  withJson(withWorkspace(command)).action(async (given: ApiMode | typeof RECORD | undefined, options: ModeOptions) => {
    const mode = given === RECORD ? undefined : given;
    if (given === RECORD && options.record === false) throw usage('Give either record or --no-record, not both.');
    const record = given === RECORD ? true : options.record;
    const wanted = options.folder === undefined ? undefined : tidyFolder(options.folder);
    const problem = wanted === undefined || wanted === '' ? null : problemOfFolder(wanted);
    if (problem !== null) throw usage(`--folder: ${problem}.`);
    const settings = await inSession(context, options, async (client) => {
      if (mode === undefined && record === undefined && wanted === undefined) return client.settings.get();
      if (wanted !== undefined) await checkRecordFolder(client);
      return client.settings.update({
        ...(mode !== undefined && { 'api.mode': mode }),
        ...(record !== undefined && { 'api.record': record }),
        ...(wanted !== undefined && { 'api.recordFolder': wanted }),
      });
    });
    const { 'api.mode': now, 'api.record': recording, 'api.recordFolder': folder } = settings;
    if (wanted !== undefined && !recording) {
      context.io.err('Nothing is recorded yet. Start it with "tagwright mocks mode --record".\n');
    }
    if (mode !== undefined && record === undefined && recording) {
      context.io.err(
        `Recording continues: live calls become mocks${inFolder(folder)}. Stop it with "tagwright mocks mode --no-record".\n`,
      );
    }
    if (options.json) return context.io.out(jsonLine({ mode: now, record: recording, ...(folder && { folder }) }));
    context.io.out(`${now}: ${MEANING[now]}${recording ? `; live calls become mocks${inFolder(folder)}` : ''}\n`);
  });
}

/** An instance of an earlier version would record without a folder. */
async function checkRecordFolder(client: InstanceClient): Promise<void> {
  if (Object.hasOwn(await client.settings.get(), 'api.recordFolder')) return;
  throw new TagwrightError(
    'UNAVAILABLE',
    'Nothing was changed: the instance that holds this workspace runs an earlier version, which has no folder for recorded mocks. Restart it, or omit --folder.',
  );
}
