declare module 'core-js-pure/actual/url/index.js' {
  export default URL;
}

declare module 'core-js-pure/actual/url-search-params/index.js' {
  export default URLSearchParams;
}

declare module 'core-js-pure/modules/*';

declare module 'core-js-pure/internals/path.js' {
  /** What the imported modules define. */
  const path: { structuredClone: typeof structuredClone };
  export default path;
}
