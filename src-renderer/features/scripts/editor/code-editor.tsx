import { useEffect, useMemo, useRef, useState } from 'react';
import type { Coverage } from '#domain/run/coverage';
import type { EditorOptions } from '../../../frame/editor-options.ts';
import { editorOptions, lineHeightOf } from '../../../frame/editor-options.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { AfterPaint } from '../../../support/painted.ts';
import { useStore } from '../../../support/store.ts';
import { useEditorDebug } from '../debug/editor/use-editor-debug.tsx';
import { shownStep } from '../capsules/shown-step.ts';
import type { Doc } from '../model/script-document.ts';
import { NO_CAPSULE } from '../model/capsules.ts';
import { shownRun } from '../model/live.ts';
import type { RunValueNotes } from '../model/runs.ts';
import { coverageOf } from '../model/script-tests.ts';
import { useScripts } from '../scripts-context.ts';
import { CoverageMarks } from './coverage-marks.ts';
import { MONACO_THEMES, monaco } from './monaco.ts';
import { RunMarks, StepMark } from './run-marks.ts';
import { RunValues, type ValuesSource } from './run-values.ts';
import { useShownValues } from './use-shown-values.ts';
import { registerTagLanguage } from './language/tag-language.ts';
import { TypeChecker } from './language/type-checker.ts';
import styles from './editor.module.css';

/** One editor for all tabs: it changes its text with the tab; each text keeps its undo steps and its cursor. */
export function CodeEditor({ doc, active }: { doc: Doc; active: boolean }) {
  const { client, theme, statusTexts, commands, notify, show } = useWorkbench();
  const { model: scripts, runs, live, tests, formats, capsules, editor: handle } = useScripts();
  const host = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState<TextEditor | null>(null);
  const shownTheme = useStore(theme);
  const docs = useStore(scripts.store, (state) => state.docs);
  const run = useStore(runs.store, (all) => all.get(doc.editor));
  const liveRun = useStore(live.store, (all) => all.get(doc.editor));
  const shown = shownRun(run, liveRun);
  const shownFormats = useStore(formats);
  const capsule = useStore(capsules.store, (all) => all.get(doc.editor) ?? NO_CAPSULE);
  const isReplaySeen = useStore(capsules.isSeen);
  const step = useMemo(
    () => (isReplaySeen ? shownStep(capsule, doc.text.body) : null),
    [isReplaySeen, capsule, doc.text.body],
  );
  const stepLine = step?.line ?? null;
  const ranNoted = run?.last?.values ? run.last : null;
  const noted = step?.ended ?? ranNoted;
  const isStale = noted !== null && noted.body !== doc.text.body;
  const testsState = useStore(tests.store);
  const coverage = useMemo(
    () => coverageOf(testsState, doc.scriptId, doc.text.body),
    [testsState, doc.scriptId, doc.text.body],
  );

  useEffect(() => {
    if (!host.current) return undefined;
    // A key is painted before the other panes show what it changed.
    const afterPaint = new AfterPaint();
    const stopListening = afterPaint.beforeInput(window);
    const created = new TextEditor(host.current, (key, body) => {
      const document = scripts.documentOf(key);
      if (!document || document.doc.text.body === body) return;
      scripts.store.hold(() => document.edit({ body }), afterPaint.add);
    });
    const unregister = registerTagLanguage(client);
    setEditing(created);
    handle.set({
      focus: () => created.editor.focus(),
      goTo: (...place) => created.goTo(...place),
      line: () => created.editor.getPosition()?.lineNumber ?? null,
      selected: () => created.selected(),
    });
    const unsize = editorOptions.subscribe(() => created.editor.updateOptions(monacoOptions(editorOptions.get())));
    const unfollow = scripts.onStaleDiagnostics((key) => created.check(key));
    const unplace = created.onPlace((text) => {
      statusTexts.hold(() => statusTexts.update((all) => ({ ...all, scripts: text })), afterPaint.add);
    });
    const removeCommands = commands.add(() => [
      {
        id: 'editor.commands',
        section: 'Editor',
        title: 'All commands of the editor',
        run: () => created.trigger('editor.action.quickCommand'),
      },
      {
        id: 'editor.find',
        section: 'Editor',
        title: 'Find and replace',
        run: () => created.trigger('editor.action.startFindReplaceAction'),
      },
      {
        id: 'editor.symbols',
        section: 'Editor',
        title: 'Go to symbol in the script',
        run: () => created.trigger('editor.action.quickOutline'),
      },
      {
        id: 'editor.references',
        section: 'Editor',
        title: 'References in all scripts',
        keys: 'Alt+Shift+F12',
        run: () => {
          const name = created.name();
          if (name === null) notify({ intent: 'info', title: 'Put the cursor on a name to find its references' });
          else show('search', `references:${name}`);
        },
      },
      {
        id: 'editor.format',
        section: 'Editor',
        title: 'Format the script',
        run: () => created.trigger('editor.action.formatDocument'),
      },
    ]);
    return () => {
      removeCommands();
      unplace();
      unfollow();
      unsize();
      statusTexts.update(({ scripts: _place, ...others }) => others);
      handle.set(null);
      unregister();
      stopListening();
      afterPaint.now();
      created.dispose();
      setEditing(null);
    };
  }, [client, scripts, handle, statusTexts, commands, notify, show]);

  useEffect(() => monaco.editor.setTheme(MONACO_THEMES[shownTheme]), [shownTheme]);
  useEffect(() => {
    editing?.show(doc.editor, doc.text.body, doc.replaced);
  }, [editing, doc]);
  useEffect(() => editing?.keepOnly(new Set([...docs.values()].map(({ editor }) => editor))), [editing, docs]);
  useEffect(() => {
    editing?.mark(doc.editor, { last: step?.ended ?? shown, noted, formats: shownFormats });
  }, [editing, doc, shown, step, noted, shownFormats]);
  useEffect(() => {
    editing?.cover(doc.editor, coverage, ranNoted?.values ?? null);
  }, [editing, doc, coverage, ranNoted]);
  useEffect(() => {
    editing?.markStep(doc.editor, stepLine);
  }, [editing, doc.editor, stepLine]);
  useShownValues(editing?.editor ?? null, noted !== null, () => {
    if (step) capsules.stopStepping(doc.editor);
    else runs.hideValues(doc.editor);
  });

  const debugging = useEditorDebug(editing?.editor ?? null, doc, active);

  return (
    <>
      <div
        ref={host}
        className={styles.code}
        data-pane-focus
        {...(noted && { 'data-values': isStale ? 'stale' : 'shown' })}
      />
      {debugging}
    </>
  );
}

function monacoOptions(options: EditorOptions): monaco.editor.IEditorOptions {
  const { fontSize, wordWrap } = options;
  return { fontSize, lineHeight: lineHeightOf(options), wordWrap: wordWrap ? 'on' : 'off' };
}

interface EditorText {
  model: monaco.editor.ITextModel;
  place: monaco.editor.ICodeEditorViewState | null;
  replaced: number;
}

/** The editor and the texts of the open scripts. */
class TextEditor {
  readonly editor: monaco.editor.IStandaloneCodeEditor;
  readonly #texts = new Map<string, EditorText>();
  readonly #checker = new TypeChecker();
  readonly #marks = new RunMarks();
  readonly #values = new RunValues();
  readonly #coverage = new CoverageMarks();
  readonly #step: StepMark;
  readonly #edited: (key: string, body: string) => void;
  #current: string | null = null;
  /** The position to show as soon as its text is loaded. */
  #goal: { key: string; line: number; column: number; length: number } | null = null;

  constructor(host: HTMLElement, edited: (key: string, body: string) => void) {
    this.#edited = edited;
    this.editor = monaco.editor.create(host, {
      model: null,
      automaticLayout: true,
      ariaLabel: 'Body of the script',
      fontFamily: "'Cascadia Code', Consolas, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', monospace",
      ...monacoOptions(editorOptions.get()),
      lineNumbersMinChars: 3,
      glyphMargin: true,
      folding: true,
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      smoothScrolling: false,
      padding: { top: 6, bottom: 6 },
      renderLineHighlight: 'all',
      // Not dimmed: its line number must stay readable.
      renderFinalNewline: 'on',
      fixedOverflowWidgets: true,
      quickSuggestions: { other: true, comments: false, strings: true },
      wordBasedSuggestions: 'off',
      suggest: { showWords: false, preview: false, insertMode: 'replace' },
      stickyScroll: { enabled: false },
      tabSize: 2,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
      overviewRulerBorder: false,
      hideCursorInOverviewRuler: true,
      unicodeHighlight: { ambiguousCharacters: false },
      accessibilityPageSize: 100,
      wrappingIndent: 'indent',
    });
    this.#step = new StepMark(this.editor);
  }

  show(key: string, body: string, replaced: number): void {
    const text = this.#text(key, body, replaced);
    if (text.replaced !== replaced) {
      text.replaced = replaced;
      if (text.model.getValue() !== body) {
        text.model.pushStackElement();
        text.model.pushEditOperations([], [{ range: text.model.getFullModelRange(), text: body }], () => null);
        text.model.pushStackElement();
      }
    }
    if (this.#current === key) return;
    const before = this.#current === null ? undefined : this.#texts.get(this.#current);
    if (before) before.place = this.editor.saveViewState();
    this.#current = key;
    this.editor.setModel(text.model);
    if (text.place) this.editor.restoreViewState(text.place);
    if (this.#goal?.key === key) this.goTo(this.#goal.line, this.#goal.column, key, this.#goal.length);
    this.#goal = null;
    this.#checker.check(text.model);
  }

  goTo(line: number, column: number, key = this.#current, length = 0): void {
    if (key !== this.#current) {
      this.#goal = key === null ? null : { key, line, column, length };
      return;
    }
    const model = this.editor.getModel();
    if (!model) return;
    const start = model.validatePosition({ lineNumber: line, column });
    const end = model.getPositionAt(model.getOffsetAt(start) + length);
    this.editor.setSelection(monaco.Range.fromPositions(start, end));
    this.editor.revealPositionInCenterIfOutsideViewport(start);
    this.editor.focus();
  }

  /** Checks the types of a text. Only the visible one: a text is also checked when it is shown. */
  check(key: string): void {
    const text = this.#texts.get(key);
    if (text && key === this.#current) this.#checker.check(text.model);
  }

  /** Shows the values of the last run in the text. */
  mark(key: string, source: ValuesSource): void {
    const text = this.#texts.get(key);
    if (!text) return;
    this.#marks.show(text.model, source.last);
    this.#values.show(text.model, source);
  }

  /** Shows which lines the tests of the text have run, or the run of *Show values*. */
  cover(key: string, coverage: Coverage | null, noted: RunValueNotes | null): void {
    const text = this.#texts.get(key);
    if (text) this.#coverage.show(text.model, coverage, noted);
  }

  /** Marks the line of the current step of a replay. */
  markStep(key: string, line: number | null): void {
    this.#step.show(key === this.#current ? line : null);
  }

  /** Disposes of the texts of closed scripts. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const [key, { model }] of this.#texts) {
      if (keys.has(key)) continue;
      if (this.#current === key) {
        this.editor.setModel(null);
        this.#current = null;
      }
      model.dispose();
      this.#texts.delete(key);
    }
  }

  selected(): string {
    const selection = this.editor.getSelection();
    if (!selection || selection.startLineNumber !== selection.endLineNumber) return '';
    return this.editor.getModel()?.getValueInRange(selection) ?? '';
  }

  /** The name at the cursor. */
  name(): string | null {
    const position = this.editor.getPosition();
    return (position && this.editor.getModel()?.getWordAtPosition(position)?.word) ?? null;
  }

  trigger(action: string): void {
    this.editor.focus();
    this.editor.trigger('palette', action, null);
  }

  onPlace(listener: (text: string) => void): () => void {
    const show = () => {
      const position = this.editor.getPosition();
      if (position) listener(`Ln ${position.lineNumber}, Col ${position.column}`);
    };
    const listeners = [this.editor.onDidChangeCursorPosition(show), this.editor.onDidChangeModel(show)];
    return () => {
      for (const one of listeners) one.dispose();
    };
  }

  dispose(): void {
    this.editor.dispose();
    for (const { model } of this.#texts.values()) model.dispose();
    this.#texts.clear();
    this.#checker.dispose();
  }

  #text(key: string, body: string, replaced: number): EditorText {
    const known = this.#texts.get(key);
    if (known) return known;
    const model = monaco.editor.createModel(body, 'javascript', monaco.Uri.parse(`file:///scripts/${key}.js`));
    model.updateOptions({ tabSize: 2, insertSpaces: true });
    model.onDidChangeContent(() => {
      this.#edited(key, model.getValue());
      this.#values.changed(model);
    });
    const text: EditorText = { model, place: null, replaced };
    this.#texts.set(key, text);
    return text;
  }
}
