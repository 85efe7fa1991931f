import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import type { Plugin } from 'vite';

const ID = 'virtual:manual';
const RESOLVED = `\0${ID}`;
const DOCS = resolve(import.meta.dirname, '../../docs');

interface ManualPage {
  title: string;
  headings: { id: string; text: string; level: number }[];
  html: string;
}

/**
 * Serves the manual as modules, so that the page shows it offline and needs no Markdown parser: `virtual:manual` has the
 * titles and headings of all pages, `virtual:manual/plant/tags` the HTML of docs/plant/tags.md. Pictures are omitted: they
 * show the window that the reader is in.
 */
export function manual(): Plugin {
  return {
    name: 'tagwright:manual',
    resolveId: (id) => (id === ID || id.startsWith(`${ID}/`) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(RESOLVED)) return null;
      const names = globSync('**/*.md', { cwd: DOCS }).map((file) => nameOf(join(DOCS, file)));
      if (id !== RESOLVED) {
        const name = id.slice(RESOLVED.length + 1);
        this.addWatchFile(fileOf(name));
        return `export default ${JSON.stringify(pageOf(name).html)};`;
      }
      const entries = names.toSorted().map((name) => {
        this.addWatchFile(fileOf(name));
        const { title, headings } = pageOf(name);
        const load = `() => import(${JSON.stringify(`${ID}/${name}`)})`;
        return `${JSON.stringify(name)}: { title: ${JSON.stringify(title)}, headings: ${JSON.stringify(headings)}, load: ${load} }`;
      });
      return `export default { ${entries.join(',\n')} };`;
    },
  };
}

/** `plant/tags` for docs/plant/tags.md */
const nameOf = (file: string): string => relative(DOCS, file).replaceAll('\\', '/').replace(/\.md$/, '');
const fileOf = (name: string): string => join(DOCS, `${name}.md`);

function pageOf(name: string): ManualPage {
  const marked = new Marked(gfmHeadingId());
  marked.use({
    renderer: {
      image: () => '',
      tablecell({ header, tokens, align }) {
        const text = this.parser.parseInline(tokens);
        // An empty header is read out as a name of the column.
        const tag = header && text !== '' ? 'th' : 'td';
        return `<${tag}${align === null ? '' : ` align="${align}"`}>${text}</${tag}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (href.startsWith('http')) return `<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`;
        const place = placeOf(name, href);
        if (place === null) return text;
        // Readers of the window know no files.
        const shown = /^[\w-]+\.md$/.test(text) ? titleOf(place.split('#')[0] ?? '') : text;
        return `<a href="#" data-place="${place}">${shown}</a>`;
      },
    },
  });
  const html = marked.parse(readFileSync(fileOf(name), 'utf8'), { async: false });
  const headings = getHeadingList().map(({ id, raw, level }) => ({ id, text: raw.replaceAll('`', ''), level }));
  return { title: titleOf(name), headings, html };
}

/** The first heading of a page. */
function titleOf(name: string): string {
  return /^# (.*)$/m.exec(readFileSync(fileOf(name), 'utf8'))?.[1] ?? name;
}

/** The place in the manual to which a link of a page leads; null if it leads to another file of the project. */
function placeOf(name: string, href: string): string | null {
  const [path = '', heading] = href.split('#');
  const target = path === '' ? fileOf(name) : resolve(dirname(fileOf(name)), path);
  if (!target.startsWith(DOCS) || !target.endsWith('.md')) return null;
  return nameOf(target) + (heading === undefined ? '' : `#${heading}`);
}
