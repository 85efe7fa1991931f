import type { RunError } from '#domain/run';
import { ASK, type Ask, type GuestStart } from '../guest/bridge.ts';
import { FROM_HOST, TO_HOST, type RunRequest } from '../protocol/messages.ts';
import { BodyError } from './body-check.ts';
import type { BlockingPipe } from './pipe.ts';
import type { Realm, Realms } from './realms.ts';

const TIMED_OUT = 'Script execution timed out.';

export interface HostRunEnd {
  /** The RunEnd as JSON. */
  json: string;
  /** Whether the host can take another run. */
  usable: boolean;
  /** The realm it ran in, if it came that far; to be released. */
  realm: Realm | null;
}

/** Runs one body in a fresh realm. Whatever the body does, this returns, or main kills the process. */
export function run(request: RunRequest, realms: Realms, pipe: BlockingPipe): HostRunEnd {
  realms.limitMemory(request.limits.memoryMb);
  let script;
  try {
    script = realms.compile(request.body);
  } catch (thrown) {
    if (realms.lost) return { json: ended('memory', 0), usable: false, realm: null };
    if (!(thrown instanceof BodyError)) throw thrown;
    return { json: failed(thrown.runError, 0), usable: true, realm: null };
  }
  const realm = realms.take();
  const conversation = new Conversation(request, pipe);
  realm.answer = (ask, text) => conversation.answer(ask, text);
  let thrown: unknown = null;
  try {
    script.runSync(realm.context, { timeout: Math.max(1, Math.ceil(request.limits.scriptMs)) });
  } catch (caught) {
    thrown = caught ?? new Error('undefined was thrown');
  }
  return conversation.end(thrown, realms.lost, realm);
}

/** What guest and main say to each other in one run. */
class Conversation {
  readonly #request: RunRequest;
  readonly #pipe: BlockingPipe;
  /** Of the last call; one alone, so that a host holds no more of them than the script does. */
  #image: ArrayBuffer | null = null;
  #dropped = 0;
  #entries = 0;
  #settled: string | null = null;

  constructor(request: RunRequest, pipe: BlockingPipe) {
    this.#request = request;
    this.#pipe = pipe;
  }

  answer(ask: Ask, text: string): string | ArrayBuffer {
    switch (ask) {
      case ASK.begin:
        return JSON.stringify(this.#start());
      case ASK.call:
        return this.#call(text);
      case ASK.image:
        return this.#takeImage();
      case ASK.console:
        this.#console(text);
        return '';
      case ASK.consoleDropped:
        this.#dropped = Number(text);
        this.#pipe.write(FROM_HOST.consoleDropped, text);
        return '';
      case ASK.returned:
        this.#settled ??= this.#returned(text);
        return '';
      case ASK.threw:
        this.#settled ??= `{"status":"error","error":${text}`;
        return '';
      default:
        throw new Error('the guest asked for something unknown');
    }
  }

  end(thrown: unknown, lost: boolean, realm: Realm): HostRunEnd {
    realm.answer = null;
    if (lost) return { json: ended('memory', this.#dropped), usable: false, realm };
    const message = thrown instanceof Error ? thrown.message : '';
    if (message === TIMED_OUT) return { json: ended('timeout', this.#dropped), usable: false, realm };
    if (thrown !== null) this.#console(`3a promise was rejected and nothing handled it: ${describe(thrown)}`);
    if (this.#settled !== null) return { json: `${this.#settled},"dropped":${this.#dropped}}`, usable: true, realm };
    return { json: failed(neverSettled(), this.#dropped), usable: true, realm };
  }

  #start(): GuestStart {
    const { context, limits } = this.#request;
    return { ...context, consoleEntries: limits.consoleEntries, resultBytes: limits.resultBytes };
  }

  #call(text: string): string {
    this.#pipe.write(FROM_HOST.call, text);
    this.#image = this.#pipe.readBytes(TO_HOST.image);
    const { type, text: answer } = this.#pipe.read();
    if (type !== TO_HOST.answer) throw new Error(`main sent a frame of type ${type} in place of an answer`);
    return answer;
  }

  #takeImage(): ArrayBuffer {
    const image = this.#image ?? new ArrayBuffer(0);
    this.#image = null;
    return image;
  }

  #console(text: string): void {
    if (this.#entries >= this.#request.limits.consoleEntries) {
      this.#dropped += 1;
      return;
    }
    this.#entries += 1;
    this.#pipe.write(FROM_HOST.console, text);
  }

  #returned(result: string): string {
    const { resultBytes } = this.#request.limits;
    // The guest counted characters; only here it is known how many bytes they take.
    if (result.length * 3 > resultBytes && Buffer.byteLength(result) > resultBytes) {
      const limit = `${resultBytes / 1024 / 1024} MB (setting limits.resultMb)`;
      return `{"status":"error","error":${JSON.stringify(plainError('ResultError', `the result is over ${limit}`))}`;
    }
    return `{"status":"ok","result":${result}`;
  }
}

function neverSettled(): RunError {
  return plainError(
    'Error',
    'the script never finished: it awaits a promise that nothing settles (a script has no timers or outside events)',
  );
}

function plainError(name: string, message: string): RunError {
  return { name, message, line: null, column: null, stack: [] };
}

function failed(error: RunError, dropped: number): string {
  return `{"status":"error","error":${JSON.stringify(error)},"dropped":${dropped}}`;
}

function ended(status: 'timeout' | 'memory', dropped: number): string {
  return `{"status":"${status}","dropped":${dropped}}`;
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}`.slice(0, 1_000) : 'a value that is not an Error';
}
