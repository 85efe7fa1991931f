import { type ReactNode, useInsertionEffect } from 'react';
import { FluentProvider, RendererProvider, createDOMRenderer } from '../ui/fluent.ts';
import { THEMES } from './theme.ts';
import type { ThemeName } from './theme.ts';

/**
 * The Fluent styles come before all others, whichever view is opened first, so that the styles of a view override them
 * independently of the load order.
 */
const FIRST = createDOMRenderer(document, {
  ...(document.head.firstElementChild instanceof HTMLElement && { insertionPoint: document.head.firstElementChild }),
});

/** Renders its children in a theme, and gives it to the page: dialogs and menus are not among the children. */
export function Themed({ theme, children }: { theme: ThemeName; children: ReactNode }) {
  // Before layout effects, which draw with its colors.
  useInsertionEffect(() => {
    const { dataset, style } = document.documentElement;
    dataset['theme'] = theme;
    style.colorScheme = theme === 'light' ? 'light' : 'dark';
  }, [theme]);
  return (
    <RendererProvider renderer={FIRST} targetDocument={document}>
      <FluentProvider theme={THEMES[theme]}>{children}</FluentProvider>
    </RendererProvider>
  );
}
