import type { StandardLibraries } from '../globals/types.ts';
import { apiValueManager } from './api-value-manager.ts';
import { takeRandom } from './host-call.ts';
import { addKind } from './kinds.ts';
import { hasOwn, keys, own, PrimitiveUint8Array, put, putHidden, setPrototypeOf } from './primordials.ts';

/** The bundler puts them around the guest (build/guest-source.ts). */
declare const standardLibraries: StandardLibraries;

type Library = keyof StandardLibraries;
type Exports = Record<string, unknown>;

const realm = globalThis as unknown as Exports;
const LEFT_BY_CORE_JS = '__core-js_shared__';
let api: object | null = null;
/** The libraries that ran; null is one that is running, and may read the global that it is going to be. */
const ran: { [Name in Library]?: Exports | null } = {};

/**
 * Adds the globals that not every script uses; each is created when it is read first. A fresh realm costs no more with
 * them than with an ApiValueManager of its own. The standard globals come from libraries, which run with the prototypes
 * as the script left them: a script that poisons these gets broken globals. They share nothing with the rest of the
 * guest.
 */
export function addLazyGlobals(): void {
  setPrototypeOf(realm, LazyGlobals.prototype);
}

/**
 * The prototype of the global object. Written out, because the engine creates the accessors of a class from a template:
 * 6 µs less for each realm than by calls.
 */
class LazyGlobals {
  get ApiValueManager(): unknown {
    api ??= apiValueManager();
    settle('ApiValueManager', api);
    return api;
  }
  set ApiValueManager(value: unknown) {
    put(realm, 'ApiValueManager', value);
  }
  get atob(): unknown {
    return exported('base64', 'atob');
  }
  set atob(value: unknown) {
    put(realm, 'atob', value);
  }
  get btoa(): unknown {
    return exported('base64', 'btoa');
  }
  set btoa(value: unknown) {
    put(realm, 'btoa', value);
  }
  get TextEncoder(): unknown {
    return exported('encoding', 'TextEncoder');
  }
  set TextEncoder(value: unknown) {
    put(realm, 'TextEncoder', value);
  }
  get TextDecoder(): unknown {
    return exported('encoding', 'TextDecoder');
  }
  set TextDecoder(value: unknown) {
    put(realm, 'TextDecoder', value);
  }
  get URL(): unknown {
    return exported('url', 'URL');
  }
  set URL(value: unknown) {
    put(realm, 'URL', value);
  }
  get URLSearchParams(): unknown {
    return exported('url', 'URLSearchParams');
  }
  set URLSearchParams(value: unknown) {
    put(realm, 'URLSearchParams', value);
  }
  get structuredClone(): unknown {
    return exported('clone', 'structuredClone');
  }
  set structuredClone(value: unknown) {
    put(realm, 'structuredClone', value);
  }
  get crypto(): unknown {
    return exported('crypto', 'crypto');
  }
  set crypto(value: unknown) {
    put(realm, 'crypto', value);
  }
}

function exported(library: Library, name: string): unknown {
  let exports = own(ran, library);
  if (exports === undefined) exports = run(library);
  return exports === null ? undefined : exports[name];
}

/** Runs a library, and makes its exports own members of the global object. */
function run(library: Library): Exports {
  put(ran, library, null);
  try {
    const exports = load(library) as Exports;
    delete realm[LEFT_BY_CORE_JS];
    const names = keys(exports);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      const value = exports[name];
      if (typeof value === 'function') addKind(own(value as { prototype?: unknown }, 'prototype'), name);
      settle(name, value);
    }
    put(ran, library, exports);
    return exports;
  } finally {
    // It threw: the next use tries again.
    if (own(ran, library) === null) delete ran[library];
  }
}

function load(library: Library): object {
  if (library !== 'crypto') return standardLibraries[library]();
  const { createCrypto } = standardLibraries.crypto();
  return { crypto: createCrypto((count) => new PrimitiveUint8Array(takeRandom(count))) };
}

/** Makes it an own member of the global object, so that the accessor is used once. */
function settle(name: string, value: unknown): void {
  // The script may have its own, or have frozen the global object: then the accessor stays in use.
  if (hasOwn(realm, name)) return;
  try {
    putHidden(realm, name, value);
  } catch {}
}
