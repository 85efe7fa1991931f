/** Colors that are distinguishable on light and dark, also for most color-blind people; further series use dashes. */
export const PLOT_COLORS = {
  light: ['#0f6cbd', '#b4540a', '#0b7a55', '#8a3ffc', '#b3135f', '#5c5c00'],
  dark: ['#62abf5', '#f2a365', '#4cc38a', '#be95ff', '#ff7eb6', '#d2d200'],
} as const;
