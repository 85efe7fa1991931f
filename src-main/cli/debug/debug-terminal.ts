import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunReport } from '#domain/run/run';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import type { InstanceClient } from '../../host/instance-client.ts';
import { messageOf } from '../../platform/errors.ts';
import { usage } from '../input.ts';
import type { Io } from '../io.ts';
import { printable } from '../../platform/report/printable.ts';

/** The commands that continue the run, with their requests. */
const STEPS = new Map([
  ['c', 'continue'],
  ['s', 'stepIn'],
  ['n', 'next'],
  ['o', 'stepOut'],
] as const);

export const COMMANDS_HELP = `  c                 continue
  n                 step over
  s                 step into; before a call of an API, pause at the call
  o                 step out
  u LINE            run to a line
  p EXPR            print the value of an expression, or assign: p x = 5
  m NUMBER [START]  list the members of a value by its number
  v                 list variables
  w                 list frames (where); "f NUMBER" selects one
  l                 list the lines around this one
  t                 list the tags used so far, with their values now
  b LINE [if EXPR]  set a breakpoint; "b" lists them, "d LINE" deletes one
  a STATUS [BODY]   answer the call of an API at which the run is paused
  r                 restart
  q                 end the run
  h                 this list
`;

/** The bodies of the responses that the terminal uses. */
interface Responses {
  launch: object;
  setExceptionBreakpoints: object;
  configurationDone: object;
  continue: object;
  stepIn: object;
  next: object;
  stepOut: object;
  pause: object;
  restart: object;
  disconnect: object;
  source: DebugProtocol.SourceResponse['body'];
  setBreakpoints: DebugProtocol.SetBreakpointsResponse['body'];
  stackTrace: DebugProtocol.StackTraceResponse['body'];
  scopes: DebugProtocol.ScopesResponse['body'];
  variables: DebugProtocol.VariablesResponse['body'];
  evaluate: DebugProtocol.EvaluateResponse['body'];
  'tagwright/runToLine': object;
  'tagwright/api': { call: { operation: string; arguments: Json } | null };
  'tagwright/tags': { tags: UsedTag[] };
}

interface UsedTag {
  access: string;
  path: string;
  line: number | null;
  value: Json;
  quality: string;
  now: { value: Json; quality: string } | null;
}

/** The bodies of the events that the terminal shows. */
interface EventBodies {
  output: DebugProtocol.OutputEvent['body'];
  stopped: DebugProtocol.StoppedEvent['body'];
  'tagwright/report': { report: RunReport };
}

function eventBody<E extends keyof EventBodies>(_event: E, body: Json | undefined): EventBodies[E] {
  const typed: EventBodies[E] = JSON.parse(JSON.stringify(body ?? {}));
  return typed;
}

interface Line {
  line: number;
  condition?: string;
}

/** The debugger in a terminal: prints what happens, and reads commands at each pause. */
export class DebugTerminal {
  readonly #io: Io;
  readonly #client: InstanceClient;
  #breakpoints: Line[];
  #session = '';
  #frames: DebugProtocol.StackFrame[] = [];
  #frame = 0;
  #texts = new Map<string, string>();
  #source: Record<string, string> = {};
  /** The text that runs. */
  body = '';

  constructor(io: Io, client: InstanceClient, lines: readonly number[]) {
    this.#io = io;
    this.#client = client;
    this.#breakpoints = lines.map((line) => ({ line }));
  }

  /** Returns the report; null if the run was ended by a command or by the end of the commands. */
  async run(launch: JsonObject, filters: string[]): Promise<RunReport | null> {
    const end = new AbortController();
    const stop = this.#io.onInterrupt(() => {
      this.#ask('pause').catch(() => end.abort());
    });
    const commands = this.#io.lines()[Symbol.asyncIterator]();
    let report: RunReport | null = null;
    try {
      for await (const message of await this.#client.debug.open({}, { signal: end.signal })) {
        if (message.type === 'session') {
          this.#session = message.session;
          await this.#launch(launch, filters);
          continue;
        }
        const { event, body } = message;
        if (event === 'output') this.#output(eventBody(event, body));
        if (event === 'tagwright/report') ({ report } = eventBody(event, body));
        if (event === 'terminated') return report;
        if (event !== 'stopped') continue;
        await this.#showPause(eventBody(event, body));
        if (!(await this.#prompt(commands))) return null;
      }
      return report;
    } finally {
      await this.#ask('disconnect', { terminateDebuggee: true }).catch(() => undefined);
      end.abort();
      stop();
      await commands.return?.();
    }
  }

  async #launch(launch: JsonObject, filters: string[]): Promise<void> {
    await this.#ask('launch', launch);
    const { source, script } = launch;
    if (isJsonObject(source) && typeof source['path'] === 'string') this.#source = { path: source['path'] };
    else if (typeof script === 'string') this.#source = { name: script };
    this.body = (await this.#ask('source', { source: { ...this.#source } })).content;
    await this.#ask('setExceptionBreakpoints', { filters });
    for (const { line, verified, wanted } of await this.#sendBreakpoints()) {
      if (!verified) this.#io.err(`No statement follows line ${wanted}: its breakpoint is never reached.\n`);
      else if (line !== wanted) this.#io.err(`Line ${wanted} has no statement: pausing at line ${line}.\n`);
    }
    await this.#ask('configurationDone');
  }

  /** The body of a response; throws the reason if the request was refused. */
  async #ask<C extends keyof Responses>(command: C, given: JsonObject = {}): Promise<Responses[C]> {
    const { success, message, body } = await this.#client.debug.send({
      session: this.#session,
      command,
      arguments: given,
    });
    if (!success) throw usage(message ?? `${command} was refused.`);
    const typed: Responses[C] = JSON.parse(JSON.stringify(body ?? {}));
    return typed;
  }

  #output({ output, line }: EventBodies['output']): void {
    this.#io.out(`${line === undefined ? '' : `${line}: `}${printable(output.trimEnd())}\n`);
  }

  async #showPause({ description = '', text = description }: EventBodies['stopped']): Promise<void> {
    const { stackFrames } = await this.#ask('stackTrace', { threadId: 1 });
    this.#frames = stackFrames;
    this.#frame = 0;
    const [first] = this.#frames;
    this.#io.out(`Paused in ${printable(first?.name ?? '')} line ${first?.line ?? '?'} (${printable(text)})\n`);
    const { call } = await this.#ask('tagwright/api');
    if (call) this.#io.out(`  ${printable(JSON.stringify([call.operation, call.arguments]))}\n`);
    await this.#list(0);
  }

  /** Reads commands until one continues the run; false if one ends it, or there are no more. */
  async #prompt(commands: AsyncIterator<string>): Promise<boolean> {
    for (;;) {
      this.#io.err('> ');
      const next = await commands.next();
      if (next.done === true) return false;
      const [, name = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(next.value) ?? [];
      if (name === 'q') return false;
      try {
        if (await this.#command(name, rest)) return true;
      } catch (thrown) {
        this.#io.err(`${printable(messageOf(thrown))}\n`);
      }
    }
  }

  /** Whether the run continues. */
  async #command(name: string, rest: string): Promise<boolean> {
    const step = [...STEPS].find(([key]) => key === name)?.[1];
    if (step !== undefined) {
      await this.#ask(step, { threadId: 1 });
      return true;
    }
    if (name === 'u') {
      await this.#ask('tagwright/runToLine', { source: { ...this.#source }, line: lineOf(rest) });
      return true;
    }
    if (name === 'r') {
      await this.#ask('restart');
      return true;
    }
    await this.#answer(name, rest);
    return false;
  }

  async #answer(name: string, rest: string): Promise<void> {
    switch (name) {
      case '':
        return;
      case 'p': {
        const { result, variablesReference } = await this.#ask('evaluate', { ...this.#frameId, expression: rest });
        this.#io.out(`${valueText(result, variablesReference)}\n`);
        return;
      }
      case 'm': {
        const [reference, start = 0] = rest.split(/\s+/).map(Number);
        await this.#members({ variablesReference: reference ?? 0, start });
        return;
      }
      case 'v':
        await this.#scopes();
        return;
      case 'w':
        for (const [index, { name: of, line }] of this.#frames.entries()) {
          this.#io.out(`${index === this.#frame ? '*' : ' '} ${index} ${printable(of)} line ${line}\n`);
        }
        return;
      case 'f':
        if (this.#frames[Number(rest)] === undefined) throw usage(`There is no frame ${rest}. "w" lists them.`);
        this.#frame = Number(rest);
        await this.#list(0);
        return;
      case 'l':
        await this.#list(5);
        return;
      case 't':
        await this.#tags();
        return;
      case 'a':
        await this.#answerCall(rest);
        return;
      case 'b':
      case 'd':
        await this.#changeBreakpoints(name, rest);
        return;
      default:
        this.#io.err(COMMANDS_HELP);
    }
  }

  get #frameId(): JsonObject {
    return { frameId: this.#frames[this.#frame]?.id ?? 0 };
  }

  async #scopes(): Promise<void> {
    const { scopes } = await this.#ask('scopes', this.#frameId);
    for (const { name, variablesReference } of scopes) {
      this.#io.out(`${printable(name)}\n`);
      await this.#members({ variablesReference });
    }
  }

  async #members(page: JsonObject): Promise<void> {
    const { variables } = await this.#ask('variables', { count: 100, ...page });
    for (const { name, value, variablesReference } of variables) {
      this.#io.out(`  ${printable(name)} = ${valueText(value, variablesReference)}\n`);
    }
  }

  async #tags(): Promise<void> {
    const { tags } = await this.#ask('tagwright/tags', this.#frameId);
    for (const { access, path, line, value, quality, now } of tags) {
      const current = now ? `, now ${JSON.stringify(now.value)} ${now.quality}` : '';
      const text = `${path}: ${access} ${JSON.stringify(value)} ${quality} in line ${line ?? '?'}`;
      this.#io.out(`  ${printable(text + current)}\n`);
    }
  }

  async #answerCall(rest: string): Promise<void> {
    const [, status = '', body = ''] = /^(\S*)\s*(.*)$/.exec(rest) ?? [];
    await this.#ask('tagwright/api', { answer: { status: Number(status), body } });
    this.#io.out('The call gets this response when the run continues.\n');
  }

  /** The current line, with some around it. */
  async #list(around: number): Promise<void> {
    const { line = 1, source = {} } = this.#frames[this.#frame] ?? {};
    const text = await this.#textOf(source);
    for (const [index, one] of text.split(/\r\n|[\n\r\u2028\u2029]/).entries()) {
      if (Math.abs(index + 1 - line) > around) continue;
      this.#io.out(`${index + 1 === line ? '>' : ' '} ${String(index + 1).padStart(4)}  ${printable(one)}\n`);
    }
  }

  async #textOf({ path = '', sourceReference = 0 }: DebugProtocol.Source): Promise<string> {
    const key = `${sourceReference} ${path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const { content } = await this.#ask('source', { sourceReference, source: { path } });
    this.#texts.set(key, content);
    return content;
  }

  async #changeBreakpoints(name: string, rest: string): Promise<void> {
    if (rest !== '') {
      const [, lineText = '', condition] = /^(\S*)(?:\s+if\s+(.+))?$/.exec(rest) ?? [];
      const line = lineOf(lineText);
      const others = this.#breakpoints.filter((one) => one.line !== line);
      const added = name === 'b' ? [{ line, ...(condition !== undefined && { condition }) }] : [];
      this.#breakpoints = [...others, ...added].toSorted((a, b) => a.line - b.line);
    }
    for (const { line, verified, wanted, condition } of await this.#sendBreakpoints()) {
      const place = verified ? `line ${line}` : `line ${wanted} is after the last statement`;
      this.#io.out(`  ${place}${condition === undefined ? '' : ` if ${printable(condition)}`}\n`);
    }
  }

  async #sendBreakpoints() {
    const wanted = this.#breakpoints.map((one) => ({ ...one }));
    const { breakpoints } = await this.#ask('setBreakpoints', { source: { ...this.#source }, breakpoints: wanted });
    return breakpoints.map(({ line = 0, verified }, index) => ({
      line,
      verified,
      wanted: wanted[index]?.line ?? 0,
      condition: wanted[index]?.condition,
    }));
  }
}

function lineOf(text: string): number {
  const line = Number(text);
  if (Number.isInteger(line) && line > 0) return line;
  throw usage(`"${printable(text)}" is not the number of a line.`);
}

const valueText = (text: string, reference: number): string =>
  `${printable(text)}${reference === 0 ? '' : `  #${reference}`}`;
