/** A text as code in Markdown, whatever it has. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}javascript\n${text}\n${fence}`;
}
