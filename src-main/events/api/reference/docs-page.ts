import { createHash } from 'node:crypto';
import { openApiDocument } from './openapi.ts';
import { PROBLEMS } from '../problem.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
code, pre { font-family: ui-monospace, Consolas, monospace; font-size: 0.9em; }
pre { background: var(--soft); padding: 0.8rem; overflow-x: auto; border-radius: 4px; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; }
h3 code { font-size: 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); }
:target { background: #fc05; }
`;

/** The reference as a page. */
export interface DocsPage {
  /** The page with examples for this address, such as `http://127.0.0.1:4860`. */
  htmlFor(address: string): string;
  /** The content security policy that only allows its style. */
  policy: string;
}

/** The reference as one page without scripts or external content, generated from the OpenAPI document. */
export function docsPage(version: string, base = ''): DocsPage {
  const { info, paths, components } = openApiDocument(version, base);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isOperation(operation) && method !== 'head' && method !== 'options'
        ? [operationSection(method.toUpperCase(), path, operation)]
        : [],
    ),
  );
  const problems = Object.entries(PROBLEMS).map(
    ([name, { status, title }]) =>
      `<tr id="problem-${name}"><td>${status}</td><td><code>${name}</code></td><td>${text(title)}</td></tr>`,
  );
  const htmlFor = (address: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text(info.title)} <small>${text(version)}</small></h1>
<p>${prose(info.description)} <a href="openapi.json">The same as OpenAPI 3.1</a>.</p>
<pre>curl "${text(address)}/api/events?limit=500"
curl -X PUT -H "Content-Type: application/json" -d "{\\"Active\\": false}" ${text(address)}/api/events/42</pre>
<p>HEAD and OPTIONS work on every path. ${base === '' ? 'Where the setting <code>events.apiKey</code> is not empty, every call needs the key' : 'Every call needs a key of the gateway'}
as <code>X-API-Key: KEY</code> or <code>Authorization: Bearer KEY</code>.</p>
${operations.join('\n')}
<section><h2>The event</h2>
${table(['Member', 'Type', 'Meaning'], propertiesOf(components.schemas.AggregationEvent))}
</section>
<section><h2>Problems</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457) with <code>type</code>, <code>title</code>,
<code>status</code> and a <code>detail</code> that says what to send instead.</p>
<table><thead><tr><th>Status</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${problems.join('')}</tbody></table>
</section>
</main>
</body>
</html>
`;
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return {
    htmlFor,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

interface OperationText {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; description: string; schema: object }[];
  responses: Record<string, { description: string }>;
}

function isOperation(value: unknown): value is OperationText {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

function operationSection(method: string, path: string, operation: OperationText): string {
  const parameters = (operation.parameters ?? []).map(({ name, in: place, description, schema }) => [
    `<code>${text(name)}</code>`,
    text(place),
    text(typeOf(schema)),
    prose(description),
  ]);
  const responses = Object.entries(operation.responses).map(([status, { description }]) => [
    status,
    prose(description),
  ]);
  return `<section id="${text(operation.operationId)}">
<h3><code>${method} ${text(path)}</code> ${text(operation.summary)}</h3>
<p>${prose(operation.description)}</p>
${parameters.length > 0 ? table(['Parameter', 'In', 'Type', 'Meaning'], parameters) : ''}
${table(['Status', 'Means'], responses)}
</section>`;
}

function propertiesOf(schema: object): string[][] {
  const properties: unknown = 'properties' in schema ? schema.properties : {};
  return Object.entries(Object(properties)).map(([name, property]) => [
    `<code>${text(name)}</code>`,
    text(typeOf(Object(property))),
    prose(String(Object(property).description ?? '')),
  ]);
}

function typeOf(schema: object): string {
  const { type = '', format = '', enum: values }: { type?: string; format?: string; enum?: readonly string[] } = schema;
  if (values) return values.join(' | ');
  return format === '' ? type : `${type}, ${format}`;
}

function table(heads: string[], rows: string[][]): string {
  const body = rows.map((row) => rowOf('td', row)).join('');
  return `<table><thead>${rowOf('th', heads)}</thead><tbody>${body}</tbody></table>`;
}

function rowOf(tag: 'th' | 'td', cells: string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Text with `code` in it. */
function prose(value: string): string {
  return text(value).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
