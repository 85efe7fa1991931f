declare module 'virtual:guest-source' {
  /** The guest as one script, with the libraries of the standard globals; see build/guest-source.ts. */
  const source: string;
  export default source;
  /** The part that is ours. */
  export const ownSource: string;
}
