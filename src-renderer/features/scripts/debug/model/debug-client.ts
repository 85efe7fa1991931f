import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunContext } from '#domain/run/run';
import type { Quality } from '#domain/tag/quality';
import type { Json } from '#domain/text/json';

/** A request of the Debug Adapter Protocol: its arguments, and the body of its response. */
interface DapExchange<Arguments, Body = unknown> {
  arguments: Arguments;
  body: Body;
}

export interface LaunchRequest {
  /** Absent if the tag has the text. */
  body?: string;
  context: RunContext;
  dryRun: boolean;
  /** The script of the library whose text it is; absent for one that was never saved. */
  scriptId?: number;
  /** Runs this test. */
  testId?: number;
  /** Runs what this tag reads. */
  tag?: string;
  /** Its name for people, if it was never saved. */
  source?: { name: string };
  stopOnEntry: boolean;
}

/** The last read or write of a tag at a line of the paused run. */
export interface UsedTag {
  path: string;
  diagram: string;
  location: string;
  line: number | null;
  access: 'read' | 'write';
  /** What the script got or wrote. */
  value: Json;
  quality: Quality;
  /** RFC 3339 in UTC. */
  at: string;
}

/** A call of an API before which the run is paused. */
export interface PendingApiCall {
  operation: string;
  arguments: Json[];
}

/** A response that a person gives in place of the remote server. */
export interface HandAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The requests that the window sends. */
export interface DebugRequests {
  initialize: DapExchange<DebugProtocol.InitializeRequestArguments & { supportsStopState: boolean }>;
  launch: DapExchange<LaunchRequest>;
  setBreakpoints: DapExchange<DebugProtocol.SetBreakpointsArguments, { breakpoints: DebugProtocol.Breakpoint[] }>;
  setExceptionBreakpoints: DapExchange<DebugProtocol.SetExceptionBreakpointsArguments>;
  configurationDone: DapExchange<DebugProtocol.ConfigurationDoneArguments>;
  stackTrace: DapExchange<DebugProtocol.StackTraceArguments, { stackFrames: DebugProtocol.StackFrame[] }>;
  scopes: DapExchange<DebugProtocol.ScopesArguments, { scopes: DebugProtocol.Scope[] }>;
  variables: DapExchange<DebugProtocol.VariablesArguments, { variables: DebugProtocol.Variable[] }>;
  evaluate: DapExchange<DebugProtocol.EvaluateArguments, DebugProtocol.EvaluateResponse['body']>;
  setVariable: DapExchange<DebugProtocol.SetVariableArguments, DebugProtocol.SetVariableResponse['body']>;
  completions: DapExchange<DebugProtocol.CompletionsArguments, { targets: DebugProtocol.CompletionItem[] }>;
  source: DapExchange<DebugProtocol.SourceArguments, { content: string }>;
  continue: DapExchange<DebugProtocol.ContinueArguments>;
  next: DapExchange<DebugProtocol.NextArguments>;
  stepIn: DapExchange<DebugProtocol.StepInArguments>;
  stepOut: DapExchange<DebugProtocol.StepOutArguments>;
  pause: DapExchange<DebugProtocol.PauseArguments>;
  restart: DapExchange<DebugProtocol.RestartArguments>;
  terminate: DapExchange<DebugProtocol.TerminateArguments>;
  'tagwright/runToLine': DapExchange<{ source: DebugProtocol.Source; line: number }>;
  'tagwright/tags': DapExchange<{ frameId?: number }, { tags: UsedTag[] }>;
  'tagwright/api': DapExchange<
    { pause?: boolean; answer?: HandAnswer },
    { pause: boolean; call: PendingApiCall | null }
  >;
  disconnect: DapExchange<DebugProtocol.DisconnectArguments>;
}

export type DebugRequestName = keyof DebugRequests;

/** The id of the session, which comes first, or an event of the protocol. */
export type SessionMessage = { type: 'session'; session: string } | DebugProtocol.Event;

/** Debug sessions in main, over the Debug Adapter Protocol. */
export interface DebugClient {
  /** Opens a session, or attaches to that one again. The stream ends when `signal` aborts; the session continues. */
  open(session: string | null, signal: AbortSignal): Promise<AsyncIterable<SessionMessage>>;
  /** Resolves to the body of the response; rejects with its message. */
  send<C extends DebugRequestName>(
    session: string,
    command: C,
    args: DebugRequests[C]['arguments'],
  ): Promise<DebugRequests[C]['body']>;
}
