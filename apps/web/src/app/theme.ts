import { store, useStore } from './store.ts';

/** `system`: as the system has it. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'coffer-theme';

const stored = (): Theme => {
  const wished = localStorage.getItem(KEY);
  return wished === 'light' || wished === 'dark' ? wished : 'system';
};

const theme = store<Theme>(stored());

/** Applies the theme that was chosen in this browser. */
export function applyTheme(): void {
  const wished = theme.get();
  if (wished === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = wished;
}

export function setTheme(next: Theme): void {
  if (next === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  theme.set(next);
  applyTheme();
}

export const useTheme = (): Theme => useStore(theme);

export const isDark = (wished: Theme): boolean =>
  wished === 'dark' || (wished === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
