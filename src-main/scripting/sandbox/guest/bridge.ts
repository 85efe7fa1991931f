/**
 * What the guest and the child agree on. The child sets HOST_GLOBAL before it runs the guest, which takes it away
 * and leaves START_GLOBAL; the wrapper of a body calls that, and it takes itself away before the body runs.
 */
export const HOST_GLOBAL = '__tagwrightHost';
export const START_GLOBAL = '__tagwrightStart';

/** The name under which a body is compiled; frames of it are the author's. */
export const SCRIPT_NAME = 'script';

/** What the guest may ask of the child. All but `begin`, `call` and `image` answer with empty text. */
export const ASK = {
  /** Answers with a GuestStart as JSON. */
  begin: 0,
  /** `[method, line or null, ...arguments]` as JSON; answers with a CallAnswer as JSON. */
  call: 1,
  /** A level digit and the text of an entry. */
  console: 2,
  /** How many console entries were left out so far. */
  consoleDropped: 3,
  /** The result of the body as JSON. */
  returned: 4,
  /** What the body threw, a RunError as JSON. */
  threw: 5,
  /** Answers with the bytes of the image that the last call brought, once. */
  image: 6,
} as const;

export type Ask = (typeof ASK)[keyof typeof ASK];

/** The one function that leads out of the isolate. Text only, in both directions, but for the bytes of images. */
export interface Host {
  (ask: typeof ASK.image, text: string): ArrayBuffer;
  (ask: Exclude<Ask, typeof ASK.image>, text: string): string;
}

/** The function that the wrapper of a body calls, with the body. */
export type Start = (body: () => Promise<unknown>) => void;

/** What a run tells its guest. */
export interface GuestStart {
  tagName: string;
  tagScopeDiagram: string | null;
  tagScopeLocation: string | null;
  tagValue?: unknown;
  consoleEntries: number;
  resultBytes: number;
}
