import { FluentProvider, RendererProvider, createDOMRenderer } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { THEMES } from './theme.ts';
import type { ThemeName } from './theme.ts';

/**
 * The styles of Fluent stand before all others, whichever view is opened first: what a view says of a field holds over
 * what Fluent says, and does not depend on what was loaded before.
 */
const FIRST = createDOMRenderer(document, {
  ...(document.head.firstElementChild instanceof HTMLElement && { insertionPoint: document.head.firstElementChild }),
});

/** What is drawn in a theme. */
export function Themed({ theme, children }: { theme: ThemeName; children: ReactNode }) {
  return (
    <RendererProvider renderer={FIRST} targetDocument={document}>
      <FluentProvider
        theme={THEMES[theme]}
        data-theme={theme}
        style={{ colorScheme: theme === 'light' ? 'light' : 'dark' }}
      >
        {children}
      </FluentProvider>
    </RendererProvider>
  );
}
