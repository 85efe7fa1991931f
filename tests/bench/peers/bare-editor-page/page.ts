import { monaco } from '../../../../src-renderer/features/scripts/editor/monaco.ts';

/** Monaco with the language of scripts, and the text that the bench sets. */
const host = document.querySelector<HTMLElement>('#editor');
if (!host) throw new Error('the page has no place for the editor');
const value = localStorage.getItem('text') ?? 'TagValueManager\n';
monaco.editor.create(host, { value, language: 'javascript', automaticLayout: true, minimap: { enabled: false } });
