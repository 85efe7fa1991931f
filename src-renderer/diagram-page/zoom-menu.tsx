import {
  Button,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '../ui/fluent.ts';
import { ChevronDownRegular } from '../ui/icons.ts';
import { type PageZoom, nextZoom } from './page-zoom.ts';

const OFFERED = [0.5, 0.75, 1, 1.5, 2, 3] as const;
const percent = (scale: number): string => `${Math.round(scale * 100)} %`;

/** The zoom of a page, and its choices. */
export function ZoomMenu({ view: { zoom, scale, setZoom } }: { view: PageZoom }) {
  return (
    <Menu
      checkedValues={{ zoom: [String(zoom)] }}
      onCheckedValueChange={(_event, { checkedItems: [chosen] }) => {
        if (chosen !== undefined) setZoom(chosen === 'fit' ? 'fit' : Number(chosen));
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Button
          size="small"
          appearance="subtle"
          icon={<ChevronDownRegular />}
          iconPosition="after"
          aria-label={`Zoom: ${percent(scale)}${zoom === 'fit' ? ', fits the width' : ''}`}
          title="Zoom (Ctrl and the wheel, Ctrl+=, Ctrl+-, Ctrl+0)"
        >
          {percent(scale)}
        </Button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList hasCheckmarks>
          <MenuItemRadio name="zoom" value="fit" secondaryContent="Ctrl+0">
            Fit the width
          </MenuItemRadio>
          {OFFERED.map((offered) => (
            <MenuItemRadio key={offered} name="zoom" value={String(offered)}>
              {percent(offered)}
            </MenuItemRadio>
          ))}
          <MenuDivider />
          <MenuItem secondaryContent="Ctrl+=" onClick={() => setZoom(nextZoom(scale, 1))}>
            Zoom in
          </MenuItem>
          <MenuItem secondaryContent="Ctrl+-" onClick={() => setZoom(nextZoom(scale, -1))}>
            Zoom out
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
