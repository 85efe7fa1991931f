import * as monaco from 'monaco-editor/editor';
// oxlint-disable-next-line import/default -- the bundler makes the default export
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
import 'monaco-editor/languages/definitions/javascript/register';
import * as ts from 'monaco-editor/languages/features/typescript/register';
// oxlint-disable-next-line import/default, import/no-named-as-default -- the bundler makes the default export
import TypeScriptWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker';
import typings from '../../../../resources/typings/tagwright.d.ts?raw';

/** Monaco, set up for script bodies: workers, compiler options, the typings of the script API, themes. */

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    label === 'typescript' || label === 'javascript' ? new TypeScriptWorker() : new EditorWorker(),
};

// Every body is its own module, so that the variables of one script are not visible in another.
const FORCE_MODULES = 3;

ts.javascriptDefaults.setCompilerOptions({
  allowJs: true,
  checkJs: true,
  noEmit: true,
  allowNonTsExtensions: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleDetection: FORCE_MODULES,
  lib: ['es2023'],
  types: [],
  strict: true,
  noImplicitAny: false,
  // Caught values can be used like errors, as scripts commonly do.
  useUnknownInCatchVariables: false,
});
// TypeChecker makes the semantic checks, because it allows `return` in a body.
ts.javascriptDefaults.setDiagnosticsOptions({ noSemanticValidation: true, noSuggestionDiagnostics: true });
ts.javascriptDefaults.setEagerModelSync(true);
ts.javascriptDefaults.setExtraLibs([{ content: typings, filePath: 'file:///ambient/tagwright.d.ts' }]);

// 7:1 also on the line of an error, and on a changed part of a changed line.
const ON_DARK = [
  { token: 'comment', foreground: 'a6d996' },
  { token: 'keyword', foreground: 'a6d0f5' },
  { token: 'number', foreground: 'c5dbba' },
  { token: 'string', foreground: 'edc4b6' },
  { token: 'type', foreground: '6fdcc8' },
];
monaco.editor.defineTheme('tagwright-light', {
  base: 'vs',
  inherit: true,
  rules: [
    { token: 'number', foreground: '064a37' },
    { token: 'type', foreground: '004f4f' },
    { token: 'comment', foreground: '004d00' },
    { token: 'string', foreground: '85070f' },
    { token: 'keyword', foreground: '0000c0' },
  ],
  colors: {
    'editor.background': '#ffffff',
    'editorLineNumber.foreground': '#525252',
    'diffEditor.removedLineBackground': '#ff000014',
    'diffEditor.removedTextBackground': '#ff000017',
  },
});
monaco.editor.defineTheme('tagwright-dark', {
  base: 'vs-dark',
  inherit: true,
  rules: ON_DARK,
  colors: {
    'editor.background': '#292929',
    'editorLineNumber.foreground': '#b8b8b8',
    'diffEditor.removedLineBackground': '#ff000029',
    'diffEditor.removedTextBackground': '#ff000029',
    'diffEditor.insertedLineBackground': '#005a2040',
    'diffEditor.insertedTextBackground': '#005a2040',
  },
});
monaco.editor.defineTheme('tagwright-high-contrast', {
  base: 'hc-black',
  inherit: true,
  rules: ON_DARK,
  colors: {},
});

export const MONACO_THEMES = {
  light: 'tagwright-light',
  dark: 'tagwright-dark',
  'high-contrast': 'tagwright-high-contrast',
} as const;

export { monaco, ts };
