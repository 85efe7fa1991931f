/**
 * Starts to load the editor. The first call moves the links of a template into the page, which the build puts there
 * (`src-renderer/build/preload-editor.ts`). The dev server has none.
 */
export function preloadEditorFiles(): void {
  const template = document.querySelector<HTMLTemplateElement>('#editor-files');
  if (template) document.head.append(template.content);
}
