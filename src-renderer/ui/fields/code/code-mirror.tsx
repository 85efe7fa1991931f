import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, simplifySelection } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorSelection, EditorState, StateEffect, StateField } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText, Decoration, type DecorationSet } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { CodeLanguage, CompleteTags } from './languages.ts';
import { faultOfJson, languageOf } from './languages.ts';
import { type Selection, selectors } from './selection.ts';
import type { Place } from './place.ts';
import styles from './code.module.css';

export interface CodeMirrorProps {
  name?: string;
  language: CodeLanguage;
  value: string;
  rows: number;
  placeholder: string;
  readOnly: boolean;
  'aria-label'?: string;
  labelledBy: string | undefined;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
  /** The marked place, in characters; -1 for none. */
  from: number;
  to: number;
  /** The focus of the field that this one replaces, once. */
  takeFocus: () => Selection | null;
  /** Called when a focused field is replaced. */
  giveFocus: (selection: Selection) => void;
  completeTags?: CompleteTags;
  onChange: (text: string) => void;
}

// Ctrl+Enter and Escape are for the form or the dialog around it, also while text is selected.
const KEYS = [...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap].filter(
  ({ key, run }) => key !== 'Mod-Enter' && run !== simplifySelection,
);

/** The editor of `CodeField`: CodeMirror, which is loaded with the first such field. */
export function CodeMirror(props: CodeMirrorProps) {
  const { language, value, invalid, from, to, labelledBy, readOnly, placeholder } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const current = useRef(props);
  const attributes = JSON.stringify(attributesOf(props));
  const [shape] = useState(() => new Compartment());

  useLayoutEffect(() => {
    current.current = props;
  });

  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: current.current.value,
        extensions: [
          extensionsOf(current),
          shape.of([]),
          EditorView.updateListener.of((update) => {
            const text = update.state.doc.toString();
            // Synchronously, so that the next key never meets an older text of the form.
            if (update.docChanged && text !== current.current.value) flushSync(() => current.current.onChange(text));
          }),
        ],
      }),
    });
    view.current = editor;
    selectors.set(editor.contentDOM, (wanted) => {
      editor.dispatch({ selection: EditorSelection.single(wanted.from, wanted.to), scrollIntoView: true });
    });
    const taken = current.current.takeFocus();
    if (taken) {
      editor.dispatch({ selection: EditorSelection.single(taken.from, taken.to) });
      editor.focus();
    }
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [shape]);

  useLayoutEffect(() => {
    view.current?.dispatch({ effects: shape.reconfigure(shapeOf(attributes, readOnly, placeholder)) });
  }, [shape, attributes, readOnly, placeholder]);

  useLayoutEffect(() => {
    const { current: editor } = view;
    const changes = editor && changesTo(editor.state.doc.toString(), value);
    if (changes) editor.dispatch({ changes });
  }, [value]);

  useLayoutEffect(() => {
    const named = from === -1 ? null : { from, to };
    const place = named ?? (invalid && language === 'json' ? faultOfJson(value) : null);
    view.current?.dispatch({ effects: showMark.of(place) });
  }, [from, to, invalid, language, value]);

  // A browser focuses only its own fields when their label is clicked.
  useEffect(() => {
    const label = labelledBy === undefined ? null : document.getElementById(labelledBy);
    const focus = () => view.current?.focus();
    label?.addEventListener('click', focus);
    return () => label?.removeEventListener('click', focus);
  }, [labelledBy]);

  return <div ref={host} className={styles.code} data-invalid={props.invalid} data-read-only={props.readOnly} />;
}

/** What never changes while the field is there. */
function extensionsOf(current: RefObject<CodeMirrorProps>): Extension {
  const { language } = current.current;
  return [
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    syntaxHighlighting(classHighlighter),
    EditorView.lineWrapping,
    EditorState.tabSize.of(2),
    keymap.of(KEYS),
    marks,
    languageOf(language, (text) => current.current.completeTags?.(text) ?? Promise.resolve([])),
  ];
}

function shapeOf(attributes: string, readOnly: boolean, placeholder: string): Extension {
  const named: Record<string, string> = JSON.parse(attributes);
  return [EditorView.contentAttributes.of(named), EditorState.readOnly.of(readOnly), placeholderText(placeholder)];
}

function attributesOf(props: CodeMirrorProps): Record<string, string> {
  const { rows, placeholder, readOnly, labelledBy, describedBy, invalid, required } = props;
  const given: Record<string, string | undefined> = {
    name: props.name,
    'aria-label': props['aria-label'],
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    'aria-invalid': String(invalid),
    'aria-required': required ? 'true' : undefined,
    'aria-readonly': readOnly ? 'true' : undefined,
    'aria-placeholder': placeholder === '' ? undefined : placeholder,
    dir: 'ltr',
    style: `min-height: ${rows * 18 + 8}px`,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
  );
}

/** The smallest change that makes one text another: the selection and the undo steps of the rest stay. */
function changesTo(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < shorter - same && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: same, to: before.length - end, insert: after.slice(same, after.length - end) };
}

/** Marks a place, or none. */
const showMark = StateEffect.define<Place | null>();

const MARK = Decoration.mark({ class: 'code-problem' });

/** The marked place. It moves with the text until it is marked again. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(showMark)) continue;
      const { from, to } = effect.value ?? { from: 0, to: 0 };
      const end = Math.min(to, transaction.newDoc.length);
      next = from >= end ? Decoration.none : Decoration.set([MARK.range(from, end)]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
