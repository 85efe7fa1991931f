import type { Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { openDiagram } from '../steps.ts';

export interface DiagramsWindow {
  readonly workbench: BrowserWorkbench;
  readonly window: WorkbenchPage;
  /** Opens a Diagram in the window. */
  open(name: string): Promise<Page>;
}

/** A workbench and a window with the view of Diagrams, for all tests of the calling `describe`. */
export function diagramsWindow(): DiagramsWindow {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    window = await workbench.open({ view: 'diagrams', reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });
  return {
    get workbench() {
      return workbench;
    },
    get window() {
      return window;
    },
    open: async (name) => {
      await openDiagram(window.page, name);
      return window.page;
    },
  };
}
