import guestSource, { debugSource } from 'virtual:guest-source';
import { setFlagsFromString } from 'node:v8';
import { HOST_GLOBAL } from '../guest/bridge.ts';
import type { IsolateClasses, IsolatedVm } from './addon.ts';
import { BodyCompiler } from './body-check.ts';

/**
 * An isolate is replaced after this many realms: what they leave behind makes new realms slower (0.25 ms in a young
 * isolate, 0.45 ms in an old one) and the process larger. A new isolate costs 1.5 ms. With new objects collected every
 * 4 MB, a run takes 276 µs of its host; with 80 realms 280, with 96 308: its heap then reaches 22 MB, and the engine
 * collects all of it.
 */
const REALMS_PER_ISOLATE = 88;
/** Above this, an idle isolate is replaced at once, so that the next run has its full memory. */
const KEEP_HEAP_BYTES = 24 * 1024 * 1024;
/** A shorter run cannot have filled that much. */
const LOOK_AFTER_MS = 5;
/**
 * Stack of a script, in KB. The engine gives itself and every isolate 984; the rest is for the host, which responds to
 * calls from a script that has almost used up its stack.
 */
const STACK_KB = 900;
/**
 * How many MB of new objects an isolate of scripts creates before it collects them. For a limit of 128 MB, isolated-vm
 * would collect them every 0.7 MB: with 4 MB, a fresh realm takes a tenth less and a script that creates many objects a
 * fifth, and both may hold as much as before.
 */
const NEW_OBJECTS_MB = 4;
/** Total length of the compiled bodies to keep, in characters. */
const MAX_BODY_CHARACTERS = 2_000_000;

/** A realm that waits for its run. It is used once. */
export interface Realm {
  context: IsolatedVm.Context;
  /** Receives the requests of the guest; null before and after the run. */
  respond: ((request: unknown, text: unknown) => string | ArrayBuffer) | null;
}

/** Fresh realms, created ahead of time, and the compiled bodies that run in them. */
export class Realms {
  readonly #ivm: IsolateClasses;
  /** Compiled bodies, least recently used first; the script belongs to the current isolate, or is null. */
  readonly #bodies = new Map<string, IsolatedVm.Script | null>();
  #memoryMb: number;
  #isolate: IsolatedVm.Isolate;
  #guest: IsolatedVm.Script;
  #compiler: BodyCompiler;
  #guestCache: IsolatedVm.ExternalCopy<ArrayBuffer> | undefined;
  #ahead: Realm | null = null;
  #made = 0;
  #takenAt = 0;
  #characters = 0;

  readonly #source: string;

  /** @param forDebug whether the runs are debugged */
  constructor(ivm: IsolateClasses, memoryMb: number, forDebug = false) {
    this.#ivm = ivm;
    this.#source = forDebug ? debugSource : guestSource;
    this.#memoryMb = memoryMb;
    setFlagsFromString(`--stack-size=${STACK_KB}`);
    setFlagsFromString(`--min-semi-space-size=${NEW_OBJECTS_MB}`);
    setFlagsFromString(`--max-semi-space-size=${NEW_OBJECTS_MB}`);
    [this.#isolate, this.#guest] = this.#open();
    this.#compiler = new BodyCompiler(this.#isolate);
    this.prepare();
  }

  /** Whether the isolate ran out of memory; it is then unusable. */
  get lost(): boolean {
    return this.#isolate.isDisposed;
  }

  /** Ensures that the next run has this memory limit. */
  limitMemory(memoryMb: number): void {
    if (memoryMb === this.#memoryMb) return;
    this.#memoryMb = memoryMb;
    this.#replaceIsolate();
  }

  /** Creates the next realm now, while no run waits. */
  prepare(): void {
    this.#ahead ??= this.#make();
  }

  take(): Realm {
    const realm = this.#ahead ?? this.#make();
    this.#ahead = null;
    this.#takenAt = performance.now();
    return realm;
  }

  /**
   * Releases a realm after its run, and the isolate if it is old or large. The isolate of a run that threw is replaced
   * before anything else enters it: rejections that were created while the first one was read are still in there, and
   * the next call of any kind would read them, outside of every time limit.
   */
  release(realm: Realm, threw: boolean): void {
    realm.respond = null;
    if (threw) {
      this.#replaceIsolate();
      return;
    }
    realm.context.release();
    const large = performance.now() - this.#takenAt > LOOK_AFTER_MS && this.#isLarge();
    if (large || this.#made >= REALMS_PER_ISOLATE) this.#replaceIsolate();
  }

  #isLarge(): boolean {
    const heap = this.#isolate.getHeapStatisticsSync();
    return heap.total_heap_size + heap.externally_allocated_size > KEEP_HEAP_BYTES;
  }

  /** The compiled body. Throws BodyError. */
  compile(body: string, counter: string | null = null): IsolatedVm.Script {
    // The same text may also be compiled without its counter.
    const key = counter === null ? body : `${counter}\0${body}`;
    const kept = this.#bodies.get(key);
    const script = kept ?? this.#compiler.compile(body, kept === null, counter);
    if (!this.#bodies.delete(key)) this.#characters += key.length;
    this.#bodies.set(key, script);
    while (this.#characters > MAX_BODY_CHARACTERS) this.#forgetOldest();
    return script;
  }

  #forgetOldest(): void {
    const [oldest] = this.#bodies.keys();
    if (oldest === undefined) return;
    this.#bodies.delete(oldest);
    this.#characters -= oldest.length;
  }

  #replaceIsolate(): void {
    for (const body of this.#bodies.keys()) this.#bodies.set(body, null);
    this.#ahead = null;
    this.#made = 0;
    this.#isolate.dispose();
    [this.#isolate, this.#guest] = this.#open();
    this.#compiler = new BodyCompiler(this.#isolate);
  }

  #open(): [IsolatedVm.Isolate, IsolatedVm.Script] {
    const isolate = new this.#ivm.Isolate({
      memoryLimit: this.#memoryMb,
      // The engine has lost control of the isolate: main replaces a process that ends.
      onCatastrophicError: () => process.abort(),
    });
    const cached = this.#guestCache;
    const guest = isolate.compileScriptSync(this.#source, {
      filename: 'tagwright',
      ...(cached === undefined ? { produceCachedData: true } : { cachedData: cached }),
    });
    this.#guestCache ??= (guest as { cachedData?: IsolatedVm.ExternalCopy<ArrayBuffer> }).cachedData;
    return [isolate, guest];
  }

  /**
   * Responds to the guest, and never throws: the stack of such an error names paths of the installation. A failure in here
   * leaves the pipe in an undefined state, so the process ends.
   */
  #respond(realm: Realm, request: unknown, text: unknown): unknown {
    try {
      const response = realm.respond === null ? '' : realm.respond(request, text);
      if (typeof response === 'string') return response;
      const moved = new this.#ivm.ExternalCopy(response, { transferOut: true });
      return moved.copyInto({ release: true, transferIn: true });
    } catch (thrown) {
      console.error(thrown);
      return process.exit(1);
    }
  }

  #make(): Realm {
    this.#made += 1;
    const context = this.#isolate.createContextSync();
    const realm: Realm = { context, respond: null };
    const host = new this.#ivm.Callback((request: unknown, text: unknown) => this.#respond(realm, request, text));
    context.global.setSync(HOST_GLOBAL, host);
    this.#guest.runSync(context);
    return realm;
  }
}
