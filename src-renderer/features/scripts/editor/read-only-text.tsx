import { useEffect, useRef } from 'react';
import { monaco } from './monaco.ts';

interface Props {
  text: string;
  /** Highlighted and scrolled to, from 1; null for none. */
  line: number | null;
  /** Its accessible name. */
  label: string;
  className: string | undefined;
}

interface ReadOnlyEditor {
  host: HTMLDivElement;
  editor: monaco.editor.IStandaloneCodeEditor;
  model: monaco.editor.ITextModel;
}

let kept: ReadOnlyEditor | null = null;

/** The one editor of texts that are only read. It stays, as that of differences does. */
function sharedEditor(): ReadOnlyEditor {
  if (kept) return kept;
  const host = document.createElement('div');
  host.style.height = '100%';
  // A plain text name: a JavaScript file would be checked together with the open scripts.
  const model = monaco.editor.createModel('', 'javascript');
  const editor = monaco.editor.create(host, {
    model,
    automaticLayout: true,
    readOnly: true,
    scrollBeyondLastLine: false,
    glyphMargin: false,
    lineNumbersMinChars: 3,
    minimap: { enabled: false },
    fontSize: 13,
    lineHeight: 20,
    renderLineHighlight: 'none',
    // Tab leaves it.
    tabFocusMode: true,
  });
  kept = { host, editor, model };
  return kept;
}

/** The text of a script that cannot be changed, with one line highlighted. One at a time. */
export function ReadOnlyText({ text, line, label, className }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { host, editor, model } = sharedEditor();
    place.current?.append(host);
    model.setValue(text);
    editor.updateOptions({ ariaLabel: label });
    const marked = line === null ? null : Math.min(line, model.getLineCount());
    const marks = editor.createDecorationsCollection(
      marked === null
        ? []
        : [{ range: new monaco.Range(marked, 1, marked, 1), options: { isWholeLine: true, className: 'shown-line' } }],
    );
    if (marked !== null) {
      editor.setPosition({ lineNumber: marked, column: 1 });
      editor.revealLineInCenter(marked);
    }
    editor.focus();
    return () => {
      marks.clear();
      model.setValue('');
      host.remove();
    };
  }, [text, line, label]);
  return <div ref={place} className={className} />;
}
