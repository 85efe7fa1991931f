import { remember, remembered } from '../support/local-storage.ts';
import { Store } from '../support/store.ts';
import { teamsHighContrastTheme, webDarkTheme, webLightTheme } from '../ui/fluent.ts';
import type { Theme } from '../ui/fluent.ts';
import { DARK_COLORS, LIGHT_COLORS } from './theme-colors.ts';

export type ThemeName = 'light' | 'dark' | 'high-contrast';
export type ThemeChoice = 'system' | ThemeName;
export const THEME_CHOICES: readonly ThemeChoice[] = ['system', 'light', 'dark', 'high-contrast'];
export const THEME_NAMES: Readonly<Record<ThemeChoice, string>> = {
  system: 'Follow the system',
  light: 'Light',
  dark: 'Dark',
  'high-contrast': 'High contrast',
};

const FONTS = {
  fontFamilyBase:
    "'Segoe UI Variable Text', 'Segoe UI', system-ui, -apple-system, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "'Cascadia Code', Consolas, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', monospace",
};

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  light: { ...webLightTheme, ...LIGHT_COLORS, ...FONTS },
  dark: { ...webDarkTheme, ...DARK_COLORS, ...FONTS },
  'high-contrast': { ...teamsHighContrastTheme, ...FONTS },
};

/** The selected theme, stored in the browser, and the resulting theme, which may depend on the system. */
export class ThemeSwitch {
  readonly choice: Store<ThemeChoice>;
  readonly shown: Store<ThemeName>;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #contrast = matchMedia('(forced-colors: active), (prefers-contrast: more)');

  constructor() {
    const kept = remembered<ThemeChoice>('theme', 'system');
    this.choice = new Store(THEME_CHOICES.includes(kept) ? kept : 'system');
    this.shown = new Store(this.#follow());
    const follow = () => this.shown.set(this.#follow());
    this.choice.subscribe(follow);
    this.#dark.addEventListener('change', follow);
    this.#contrast.addEventListener('change', follow);
  }

  choose(choice: ThemeChoice): void {
    remember('theme', choice);
    this.choice.set(choice);
  }

  #follow(): ThemeName {
    const choice = this.choice.get();
    if (choice !== 'system') return choice;
    if (this.#contrast.matches) return 'high-contrast';
    return this.#dark.matches ? 'dark' : 'light';
  }
}
