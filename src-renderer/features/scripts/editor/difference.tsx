import { useEffect, useRef } from 'react';
import { monaco } from './monaco.ts';

export interface Compared {
  text: string;
  /** What it is called for those who cannot see which side it stands on. */
  label: string;
}

interface Props {
  left: Compared;
  right: Compared;
  className: string | undefined;
}

/** Two texts side by side, with what differs; F7 and Shift+F7 lead from difference to difference. */
export function Difference({ left, right, className }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneDiffEditor | null>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const created = monaco.editor.createDiffEditor(host.current, {
      automaticLayout: true,
      readOnly: true,
      // Beside each other also in a small window: that is what it is for.
      useInlineViewWhenSpaceIsLimited: false,
      scrollBeyondLastLine: false,
      renderOverviewRuler: false,
      glyphMargin: false,
      lineNumbersMinChars: 3,
      minimap: { enabled: false },
      fontSize: 13,
      lineHeight: 20,
    });
    editor.current = created;
    return () => {
      created.dispose();
      editor.current = null;
    };
  }, []);
  useEffect(() => {
    // Plain names: as JavaScript files they would be checked beside the open scripts.
    const original = monaco.editor.createModel(left.text, 'javascript');
    const modified = monaco.editor.createModel(right.text, 'javascript');
    editor.current?.setModel({ original, modified });
    return () => {
      editor.current?.setModel(null);
      original.dispose();
      modified.dispose();
    };
  }, [left.text, right.text]);
  useEffect(() => {
    editor.current?.getOriginalEditor().updateOptions({ ariaLabel: left.label });
    editor.current?.getModifiedEditor().updateOptions({ ariaLabel: right.label });
  }, [left.label, right.label]);
  return <div ref={host} className={className} />;
}
