declare module 'virtual:guest-source' {
  /** The guest as one script, with the libraries of the standard globals; see build/guest-source.ts. */
  const source: string;
  export default source;
  /** The same for debugged runs: with the debugger. */
  export const debugSource: string;
  /** The part that is ours. */
  export const ownSource: string;
}
