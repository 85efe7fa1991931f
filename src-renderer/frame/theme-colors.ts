import type { Theme } from '../ui/fluent.ts';

/** Texts have a contrast of at least 7:1 with every surface behind them (WCAG 2.2, 1.4.6); Fluent's have 4.5:1. */
export const LIGHT_COLORS: Partial<Theme> = {
  colorNeutralForeground3: '#474747',
  colorNeutralForeground4: '#474747',
  colorStrokeFocus2: '#0f548c',
  ...brandTexts('#0d4a7a'),
  colorBrandBackground: '#0f548c',
  colorBrandBackgroundHover: '#0e4775',
  colorBrandBackgroundSelected: '#0e4775',
  colorBrandBackgroundPressed: '#0a2e4a',
  ...statusTexts({ success: '#0a520a', danger: '#920a15', warning: '#7d3206' }),
};

export const DARK_COLORS: Partial<Theme> = {
  colorNeutralForeground3: '#cccccc',
  colorNeutralForeground4: '#cccccc',
  colorStrokeFocus2: '#96c6fa',
  ...brandTexts('#96c6fa'),
  colorBrandBackground: '#0f548c',
  colorBrandBackgroundHover: '#10589a',
  colorBrandBackgroundSelected: '#0e4775',
  ...statusTexts({ success: '#8ed08e', danger: '#f5a3a9', warning: '#fab387' }),
};

function brandTexts(color: string): Partial<Theme> {
  return {
    colorBrandForeground1: color,
    colorBrandForeground2: color,
    colorBrandForegroundLink: color,
    colorBrandForegroundLinkHover: color,
    colorCompoundBrandForeground1: color,
    colorCompoundBrandForeground1Hover: color,
    colorNeutralForeground2BrandHover: color,
    colorNeutralForeground2BrandSelected: color,
    colorNeutralForeground3BrandHover: color,
    colorNeutralForeground3BrandSelected: color,
  };
}

function statusTexts({ success, danger, warning }: { success: string; danger: string; warning: string }) {
  return {
    colorStatusSuccessForeground1: success,
    colorPaletteGreenForeground1: success,
    colorStatusDangerForeground1: danger,
    colorPaletteRedForeground1: danger,
    colorStatusWarningForeground1: warning,
    colorStatusWarningForeground3: warning,
    colorPaletteYellowForeground2: warning,
    colorPaletteDarkOrangeForeground1: warning,
  } satisfies Partial<Theme>;
}
