import type { ScriptRevision } from '#domain/run/script';

/** The changes of a save in a few words; `before` is the previous version, if any. */
export function revisionText(revision: ScriptRevision, before: ScriptRevision | undefined): string {
  if (!before) return 'First version';
  const parts = revision.changed.map((field) => {
    if (field === 'name') return `renamed from “${before.name}”`;
    if (field === 'group') return `moved from “${before.group}”`;
    return field === 'body' ? sizeChange(revision.bytes - before.bytes) : 'description';
  });
  // The text first: it matters most.
  const text = parts.toReversed().join(', ');
  return text === '' ? 'Nothing changed' : `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

function sizeChange(bytes: number): string {
  if (bytes === 0) return 'text, same length';
  return `text, ${bytes > 0 ? '+' : '−'}${Math.abs(bytes).toLocaleString('en')} bytes`;
}
