const page = (title: string, text: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - Tagwright</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
  code { font: 0.95em ui-monospace, monospace; }
</style>
<h1>${title}</h1>
${text}
</html>
`;

const NEW_LINK = '<p>Run <code>npx tagwright open</code> (or <code>npm start</code>) to get a new link.</p>';

/** What a browser shows instead of the workbench; none of it comes from the request. */
export const PAGES = {
  usedLink: page(
    'This link cannot be used',
    `<p>The link was already used, has expired, or belongs to an earlier start of Tagwright. A link opens one browser window.</p>${NEW_LINK}`,
  ),
  noSession: page(
    'Open Tagwright by its link',
    `<p>This browser has no session, or its session has ended. A link from Tagwright opens one.</p>${NEW_LINK}`,
  ),
  rebuilt: page(
    'Tagwright was built anew',
    '<p>This instance still runs what was built before. Stop it and start it again: nothing is lost, and what was typed comes back.</p>',
  ),
  notFound: page('Not found', '<p>There is nothing at this address. <a href="/">Open the workbench</a>.</p>'),
} as const;
