import {
  type ComboboxProps,
  type DropdownProps,
  Combobox as PlainCombobox,
  Dropdown as PlainDropdown,
} from '@fluentui/react-combobox';
import { type MenuProps, Menu as PlainMenu } from '@fluentui/react-menu';
import { type PopoverProps, Popover as PlainPopover } from '@fluentui/react-popover';
import { type TooltipProps, Tooltip as PlainTooltip } from '@fluentui/react-tooltip';
import { type ReactNode, useCallback, useState } from 'react';

/** Headers and footers inside a landmark are none. */
const LANDMARKS = ['[role="dialog"], [role="alertdialog"]', 'main', 'nav, aside, footer'];

/**
 * The landmark or the dialog around an element. Fluent mounts lists, menus and tooltips at the end of the page, where
 * people who go from landmark to landmark do not find them.
 */
function landmarkAround(element: Element): HTMLElement {
  for (const landmark of LANDMARKS) {
    const around = element.closest<HTMLElement>(landmark);
    if (around) return around;
  }
  return element.ownerDocument.body;
}

/** The landmark around the element that the callback gets. */
function useLandmark(): [mountNode: HTMLElement | null, ref: (element: HTMLElement | null) => void] {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element) setLandmark(landmarkAround(element));
  }, []);
  return [landmark, ref];
}

/** A text field with a list of suggestions, which is in the same landmark. */
export function Combobox(props: ComboboxProps) {
  const [mountNode, ref] = useLandmark();
  return <PlainCombobox {...props} ref={ref} mountNode={mountNode} />;
}

/** A choice from a list, which is in the same landmark. */
export function Dropdown(props: DropdownProps) {
  const [mountNode, ref] = useLandmark();
  return <PlainDropdown {...props} ref={ref} mountNode={mountNode} />;
}

/** A menu in the landmark that it is rendered in. */
export function Menu(props: MenuProps) {
  return <InLandmark open={props.open}>{(mountNode) => <PlainMenu {...props} mountNode={mountNode} />}</InLandmark>;
}

/** A popover in the landmark that it is rendered in. */
export function Popover(props: PopoverProps) {
  return <InLandmark open={props.open}>{(mountNode) => <PlainPopover {...props} mountNode={mountNode} />}</InLandmark>;
}

interface InLandmarkProps {
  open: boolean | undefined;
  children: (mountNode: HTMLElement | null) => ReactNode;
}

/** Finds the landmark with an element of its own, because a menu has none where it is rendered. */
function InLandmark({ open, children }: InLandmarkProps) {
  const [mountNode, ref] = useLandmark();
  return (
    <>
      {/* One that opens at once must not move later: it would lose the focus. */}
      {open === true && mountNode === null ? null : children(mountNode)}
      <span ref={ref} hidden />
    </>
  );
}

/** A tooltip, in the landmark of the element that it explains. */
export function Tooltip({ onVisibleChange, ...props }: TooltipProps) {
  const [mountNode, setMountNode] = useState<HTMLElement | null>(null);
  return (
    <PlainTooltip
      {...props}
      mountNode={mountNode}
      onVisibleChange={(event, data) => {
        onVisibleChange?.(event, data);
        const target = event?.target;
        if (data.visible && target instanceof Element) setMountNode(landmarkAround(target));
      }}
    />
  );
}
