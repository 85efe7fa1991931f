import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugRequestName } from './debug-client.ts';

interface SentStop {
  stackFrames: DebugProtocol.StackFrame[];
  scopes?: DebugProtocol.Scope[];
  variables?: { variablesReference: number; variables: DebugProtocol.Variable[] }[];
}

/**
 * What main sends with a stop: the frames, and the scopes and variables of the first one. Each answers one request: later
 * ones ask main, because another window may have changed a value.
 */
export class StopState {
  #sent: SentStop | null = null;
  #variables = new Map<number, DebugProtocol.Variable[]>();

  /** Replaces all; returns the frames, or null if main sent none. */
  set(sent: unknown): readonly DebugProtocol.StackFrame[] | null {
    this.clear();
    if (typeof sent !== 'object' || sent === null || !('stackFrames' in sent)) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- main sends its own responses
    this.#sent = sent as SentStop;
    for (const { variablesReference, variables } of this.#sent.variables ?? []) {
      this.#variables.set(variablesReference, variables);
    }
    return this.#sent.stackFrames;
  }

  clear(): void {
    this.#sent = null;
    this.#variables.clear();
  }

  /** The response to a request; null if main must be asked. */
  take(command: DebugRequestName, args: object): object | null {
    const given: Partial<DebugProtocol.ScopesArguments & DebugProtocol.VariablesArguments> = args;
    if (command === 'scopes') return this.#scopes(given.frameId);
    return command === 'variables' ? this.#page(given) : null;
  }

  #scopes(frameId: number | undefined): { scopes: DebugProtocol.Scope[] } | null {
    const { scopes, stackFrames } = this.#sent ?? {};
    if (!scopes || frameId !== stackFrames?.[0]?.id) return null;
    delete this.#sent?.scopes;
    return { scopes };
  }

  #page({ variablesReference = 0, start = 0, filter = 'named' }: Partial<DebugProtocol.VariablesArguments>) {
    const variables = this.#variables.get(variablesReference);
    if (!variables || start !== 0 || filter !== 'named') return null;
    this.#variables.delete(variablesReference);
    return { variables };
  }
}
