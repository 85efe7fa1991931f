import { TabList as FluentTabList, type TabListProps } from '@fluentui/react-tabs';
import { useEffect, useRef } from 'react';

/** Fluent's tab list, whose focus follows a selection by a shortcut: a focused tab is the selected one. */
export function TabList(props: TabListProps) {
  const list = useRef<HTMLElement>(null);
  const { selectedValue } = props;
  useEffect(() => {
    if (!list.current?.contains(document.activeElement)) return;
    // Fluent sets aria-selected only after this.
    const tabs = list.current.querySelectorAll<HTMLButtonElement>('[role="tab"]');
    [...tabs].find(({ value }) => value === selectedValue)?.focus();
  }, [selectedValue]);
  const keep = (element: HTMLElement | null) => {
    list.current = element;
  };
  return <FluentTabList ref={keep} {...props} />;
}
