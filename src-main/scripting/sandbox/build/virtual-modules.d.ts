declare module 'virtual:guest-source' {
  /** The guest as one script; see build/guest-source.ts. */
  const source: string;
  export default source;
}
