import type { DebugProtocol } from '@vscode/debugprotocol';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { type Json, parseJson } from '#domain/text/json';
import { TagwrightError } from '../../platform/errors.ts';
import type { ArgumentsOf } from './dap-arguments.ts';
import type { TagReader } from './debug-launch.ts';
import type { DebugSession, SessionFrame, SessionPause } from './debug-session.ts';
import type { DebugSources } from './debug-sources.ts';
import { DebugVariables } from './debug-variables.ts';
import { shown, type TagAccess } from './tag-accesses.ts';

/** Frames of one pause; the number of a frame has the number of its pause before these digits. */
const FRAMES = 10_000;
const PAUSES = 100_000;
/** Frames that are sent with a stop. */
const MOST_FRAMES = 200;
/** Tags of one response, whose values are read. */
const MOST_TAGS = 200;
/** Levels of prototypes whose members complete an expression. */
const MOST_PROTOTYPES = 3;

const ROOT = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u;
const MEMBER =
  /(?:(?:(?<optional>\?\.)|\.)(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)|\[(?:(?<number>\d+)|(?<quoted>'[^'\\]*'|"[^"\\]*"))\])/gu;

const GLOBALS =
  'TagValueManager ApiValueManager tagName tagScopeDiagram tagScopeLocation tagValue console Array Boolean Date Error ' +
  'JSON Map Math Number Object Promise RegExp Set String Symbol undefined parseFloat parseInt isNaN';

/** What a person sees of a paused run: frames, variables, values and tags. */
export class DebugInspection {
  readonly #sources: DebugSources;
  readonly #tags: TagReader;
  readonly #session: () => DebugSession | null;
  readonly #variables = new DebugVariables();
  #pause: SessionPause | null = null;
  #number = 0;

  constructor(sources: DebugSources, tags: TagReader, session: () => DebugSession | null) {
    this.#sources = sources;
    this.#tags = tags;
    this.#session = session;
  }

  begin(pause: SessionPause): void {
    this.#pause = pause;
    this.#number = (this.#number + 1) % PAUSES;
  }

  end(): void {
    this.#pause = null;
    this.#variables.forget();
  }

  stackTrace({ startFrame = 0, levels = 0 }: ArgumentsOf<'stackTrace'>): DebugProtocol.StackTraceResponse['body'] {
    const { frames } = this.#paused();
    const end = levels === 0 ? frames.length : startFrame + levels;
    const [root] = this.#session()?.runs ?? [];
    return {
      totalFrames: frames.length,
      stackFrames: frames.slice(startFrame, end).map(({ name, line, column, run, evaluates }, index) => {
        const origin = this.#sources.originOf(run, run === root);
        return {
          id: this.#number * FRAMES + startFrame + index + 1,
          name: name ?? origin.name,
          line,
          column,
          source: this.#sources.describe(origin, run.source),
          ...(!evaluates && { presentationHint: 'subtle' as const }),
        };
      }),
    };
  }

  /** What a window shows first, as `stackTrace`, `scopes` and `variables` would respond: a step then needs no request. */
  async stopState(): Promise<object> {
    const stack = this.stackTrace({ levels: MOST_FRAMES });
    const [top] = this.#paused().frames;
    if (!top?.run.canInspect) return stack;
    return { ...stack, ...(await this.#variables.first(top.run, top.index)) };
  }

  async scopes(frameId: number): Promise<DebugProtocol.ScopesResponse['body']> {
    const { run, index } = this.#frame(frameId);
    return { scopes: await this.#variables.scopes(run, index) };
  }

  async variables(given: ArgumentsOf<'variables'>): Promise<DebugProtocol.VariablesResponse['body']> {
    const { variablesReference, filter, start, count } = given;
    return {
      variables: await this.#variables.list({
        variablesReference,
        ...(filter !== undefined && { filter }),
        ...(start !== undefined && { start }),
        ...(count !== undefined && { count }),
      }),
    };
  }

  async evaluate(expression: string, frameId?: number): Promise<DebugProtocol.EvaluateResponse['body']> {
    const { run, index } = this.#frame(frameId);
    const value = await run.evaluate(index, expression);
    const { value: result, ...others } = this.#variables.describe(run, value, `(${expression})`);
    return { ...others, result };
  }

  /** The value of a name or of a chain of members, for a hover: runs no code of the script. */
  async peek(expression: string, frameId?: number): Promise<DebugProtocol.EvaluateResponse['body']> {
    const path = pathOf(expression);
    if (path === null) throw new TagwrightError('BAD_REQUEST', 'Only names and members are shown here.');
    const { run, index } = this.#frame(frameId);
    const value = await run.peek(index, path);
    const { value: result, ...others } = this.#variables.describe(run, value, `(${expression})`);
    return { ...others, result };
  }

  async setVariable(reference: number, name: string, text: string): Promise<DebugProtocol.SetVariableResponse['body']> {
    return this.#variables.set(reference, name, text);
  }

  async setExpression(expression: string, value: string, frameId?: number) {
    const { result, ...others } = await this.evaluate(`${expression} = (${value})`, frameId);
    return { ...others, value: result };
  }

  /** Names that complete the text before the column, which counts from 1. */
  async completions(
    text: string,
    column: number,
    frameId?: number,
  ): Promise<DebugProtocol.CompletionsResponse['body']> {
    const { run, index } = this.#frame(frameId);
    const before = text.slice(0, column - 1);
    const [, object, part = ''] = /(?:([\w$.[\]]+)\.)?([\w$]*)$/.exec(before) ?? [];
    const names = new Set<string>();
    if (object === undefined) {
      for (const scope of run.scopesOf(index)) for (const name of scope.names) names.add(name);
      for (const name of GLOBALS.split(' ')) names.add(name);
    } else {
      const path = pathOf(object);
      let ref = path === null ? 0 : (await run.peek(index, path)).ref;
      for (let level = 0; level < MOST_PROTOTYPES && ref !== 0; level += 1) {
        const members = await run.members(ref, 0, 1_000);
        for (const { name } of members) if (/^[A-Za-z_$][\w$]*$/.test(name)) names.add(name);
        ref = members.find(({ name }) => name === '[[Prototype]]')?.ref ?? 0;
      }
    }
    const start = before.length - part.length;
    const targets = [...names]
      .filter((name) => name.toLowerCase().startsWith(part.toLowerCase()))
      .slice(0, 200)
      .map((label) => ({ label, start: start + 1, length: part.length }));
    return { targets };
  }

  /** What the run has read and written, with the values now: all, or those at most `around` lines from the line. */
  async tags({ frameId, line, around = 0 }: ArgumentsOf<'tagwright/tags'>): Promise<{ tags: Json[] }> {
    const session = this.#session();
    const run = this.#pause === null ? session?.runs.at(-1) : this.#frameOf(frameId).run;
    const all = run === undefined ? [] : (session?.accessesOf(run)?.list() ?? []);
    const near = all.filter((one) => line === undefined || (one.line !== null && Math.abs(one.line - line) <= around));
    const latest = near.slice(-MOST_TAGS);
    const now = await this.#readNow(latest);
    return {
      tags: latest.map(({ scope, ...access }) => {
        const current = now.get(keyOf({ scope, path: access.path })) ?? null;
        return { ...access, ...scope, now: current };
      }),
    };
  }

  /** The call of an API before which the run is paused. */
  waitingCall(): Json {
    const { reason, title = '' } = this.#pause ?? {};
    if (reason !== 'api call') return null;
    try {
      const call = parseJson(`[${title}]`);
      const [operation = null, args = []] = Array.isArray(call) ? call : [];
      return { operation, arguments: args };
    } catch {
      // Long arguments are cut off.
      return { operation: title, arguments: [] };
    }
  }

  async #readNow(accesses: readonly TagAccess[]): Promise<Map<string, Json>> {
    const byScope = Map.groupBy(accesses, ({ scope }) => JSON.stringify(scope));
    const now = new Map<string, Json>();
    for (const some of byScope.values()) {
      const paths = [...new Set(some.map(({ path }) => path))];
      const scope = some[0]?.scope ?? DEFAULT_SCOPE;
      for (const read of await this.#tags.get(paths, scope)) {
        now.set(keyOf({ scope, path: read.path }), { value: shown(read.value), quality: read.quality });
      }
    }
    return now;
  }

  #paused(): SessionPause {
    if (this.#pause) return this.#pause;
    throw new TagwrightError('CONFLICT', 'The run is not paused.');
  }

  #frameOf(frameId: number | undefined): SessionFrame {
    const { frames } = this.#paused();
    const [first] = frames;
    const found = frameId === undefined ? first : frames[frameId - this.#number * FRAMES - 1];
    if (found === undefined) throw new TagwrightError('NOT_FOUND', 'This frame no longer exists.');
    return found;
  }

  /** A frame that can be asked. */
  #frame(frameId: number | undefined): SessionFrame {
    const found = this.#frameOf(frameId);
    if (found.run.canInspect) return found;
    throw new TagwrightError(
      'CONFLICT',
      'The script host did not report the variables of this frame. Continue to its script first.',
    );
  }
}

/**
 * The parts of a chain of members: a name, then each member after a period; `?.` alone ends at nothing. Null for any other
 * expression.
 */
function pathOf(expression: string): [string, ...string[]] | null {
  const [root] = ROOT.exec(expression.trim()) ?? [];
  if (root === undefined) return null;
  const path: [string, ...string[]] = [root];
  const rest = expression.trim().slice(root.length);
  let end = 0;
  for (const { 0: text, index, groups } of rest.matchAll(MEMBER)) {
    if (index !== end) return null;
    end += text.length;
    const { optional, name, number, quoted } = groups ?? {};
    if (optional !== undefined) path.push('?.');
    path.push(`.${name ?? number ?? quoted?.slice(1, -1) ?? ''}`);
  }
  return end === rest.length ? path : null;
}

const keyOf = ({ scope, path }: Pick<TagAccess, 'scope' | 'path'>): string =>
  JSON.stringify([path, scope.diagram, scope.location]);
