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

interface SharedEditor {
  host: HTMLDivElement;
  editor: monaco.editor.IStandaloneDiffEditor;
  original: monaco.editor.ITextModel;
  modified: monaco.editor.ITextModel;
}

let kept: SharedEditor | null = null;

/**
 * The one diff editor of the page. It is never disposed of: Monaco would keep creating widgets of other editors with
 * services that end with it, and the next problem (Alt+F8) could no longer be shown. Its models stay too: Monaco
 * reports an error when one is disposed of while it compares them.
 */
function sharedEditor(): SharedEditor {
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
  // Plain text names: JavaScript files would be checked together with the open scripts.
  const [original, modified] = [
    monaco.editor.createModel('', 'javascript'),
    monaco.editor.createModel('', 'javascript'),
  ];
  editor.setModel({ original, modified });
  kept = { host, editor, original, modified };
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
    const { original, modified } = sharedEditor();
    original.setValue(left.text);
    modified.setValue(right.text);
    return () => {
      original.setValue('');
      modified.setValue('');
    };
  }, [left.text, right.text]);
  useEffect(() => {
    const { editor } = sharedEditor();
    editor.getOriginalEditor().updateOptions({ ariaLabel: left.label });
    editor.getModifiedEditor().updateOptions({ ariaLabel: right.label });
  }, [left.label, right.label]);
  return <div ref={place} className={className} />;
}
