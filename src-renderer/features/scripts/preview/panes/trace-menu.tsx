import type { NestedRun } from '#domain/run/run';
import { problemOfTagPath } from '#domain/tag/tag-path';
import { useCopy } from '../../../../frame/use-copy.ts';
import { whyEntry } from '../../../../frame/why/why-button.tsx';
import type { WhySubject } from '../../../../frame/why/use-why.ts';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { wholeValue } from '../../../../support/shown-value.ts';
import { type MenuEntry, RowMenu } from '../../../../ui/lists/row-menu.tsx';
import type { TraceItem } from '../../model/trace.ts';
import { useScripts } from '../../scripts-context.ts';
import { useOpenNested } from './trace-rows.tsx';

/** A row of a trace, and where its menu opens. */
export interface TraceMenuPlace {
  x: number;
  y: number;
  item: TraceItem;
  /** The nested run that it belongs to; null for the script in the editor. */
  owner: NestedRun | null;
}

/** The menu of a row of a trace. */
export function TraceMenu({ place: { item, owner, ...at }, onClose }: { place: TraceMenuPlace; onClose: () => void }) {
  const { show, explain } = useWorkbench();
  const { editor } = useScripts();
  const open = useOpenNested();
  const copy = useCopy();
  const { line } = item;
  const tag = tagOf(item);
  const subject = subjectOf(item);
  const copied = copiedOf(item);
  const entries: MenuEntry[] = [
    ...(line === null
      ? []
      : [
          {
            title: `Go to line ${line}`,
            run: () => (owner ? void open(owner, line) : editor.get()?.goTo(line, 1)),
          },
        ]),
    ...(tag === null ? [] : [{ title: 'Show the tag', run: () => show('tags', tag) }]),
    ...(tag === null ? [] : [{ title: 'Copy the path', run: () => void copy(tag, 'Path copied') }]),
    ...(copied === null
      ? []
      : [
          {
            title: `Copy the ${copied.what}`,
            run: () => void copy(copied.text, copied.what === 'URL' ? 'URL copied' : 'Value copied'),
          },
        ]),
    ...(subject ? [whyEntry(subject, explain)] : []),
  ];
  return entries.length === 0 ? null : <RowMenu at={at} entries={entries} onClose={onClose} />;
}

/** What *Why?* explains in a row: its call, if the log has it, or its tag in the scope of the row. */
export function subjectOf(item: TraceItem): WhySubject | null {
  if (item.what === 'call') return item.logged === undefined ? null : { thing: `call:${item.logged}` };
  const tag = tagOf(item);
  if (tag === null) return null;
  const { diagram, location } = item.what === 'read' || item.what === 'write' ? item : {};
  const isScoped = diagram !== undefined && location !== undefined && diagram + location !== '';
  return { thing: `tag:${tag}`, ...(isScoped && { scope: { diagram, location } }) };
}

/** A script can name invalid paths. */
function tagOf(item: TraceItem): string | null {
  if (item.what === 'run') return item.run.tag;
  if (item.what === 'call' || (item.what === 'rejected' && item.access === 'call')) return null;
  return problemOfTagPath(item.path) === null ? item.path : null;
}

function copiedOf(item: TraceItem): { what: 'URL' | 'value'; text: string } | null {
  if (item.what === 'call') return { what: 'URL', text: item.url };
  if (item.what === 'read' || item.what === 'write') return { what: 'value', text: wholeValue(item.value) };
  return null;
}
