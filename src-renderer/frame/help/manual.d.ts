declare module 'virtual:manual' {
  interface ManualPage {
    title: string;
    /** In the order of the page; the first one is its title. */
    headings: readonly { id: string; text: string; level: number }[];
    /** The page as HTML, made from its Markdown during the build. */
    load: () => Promise<{ default: string }>;
  }
  /** The pages of the manual by name, as `plant/tags`; see build/manual.ts. */
  const pages: Readonly<Record<string, ManualPage>>;
  export default pages;
}
