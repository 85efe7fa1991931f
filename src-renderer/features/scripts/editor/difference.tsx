import { useEffect, useRef } from 'react';
import { monaco } from './monaco.ts';

export interface Compared {
  text: string;
  /** The accessible name of a side. */
  label: string;
}

interface Props {
  left: Compared;
  right: Compared;
  className: string | undefined;
}

let kept: { host: HTMLDivElement; editor: monaco.editor.IStandaloneDiffEditor } | null = null;

/**
 * The one diff editor of the page. It is never disposed of: Monaco would keep creating widgets of other editors with
 * services that end with it, and the next problem (Alt+F8) could not be shown any more.
 */
function sharedEditor(): NonNullable<typeof kept> {
  if (kept) return kept;
  const host = document.createElement('div');
  host.style.height = '100%';
  const editor = monaco.editor.createDiffEditor(host, {
    automaticLayout: true,
    readOnly: true,
    // Side by side even in a small window: that is its purpose.
    useInlineViewWhenSpaceIsLimited: false,
    scrollBeyondLastLine: false,
    renderOverviewRuler: false,
    glyphMargin: false,
    lineNumbersMinChars: 3,
    minimap: { enabled: false },
    fontSize: 13,
    lineHeight: 20,
  });
  kept = { host, editor };
  return kept;
}

/** Two texts side by side with their differences; F7 and Shift+F7 move between them. One at a time. */
export function Difference({ left, right, className }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { host } = sharedEditor();
    place.current?.append(host);
    return () => host.remove();
  }, []);
  useEffect(() => {
    // Plain text names: JavaScript files would be checked together with the open scripts.
    const original = monaco.editor.createModel(left.text, 'javascript');
    const modified = monaco.editor.createModel(right.text, 'javascript');
    const { editor } = sharedEditor();
    editor.setModel({ original, modified });
    return () => {
      editor.setModel(null);
      original.dispose();
      modified.dispose();
    };
  }, [left.text, right.text]);
  useEffect(() => {
    const { editor } = sharedEditor();
    editor.getOriginalEditor().updateOptions({ ariaLabel: left.label });
    editor.getModifiedEditor().updateOptions({ ariaLabel: right.label });
  }, [left.label, right.label]);
  return <div ref={place} className={className} />;
}
