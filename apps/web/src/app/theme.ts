const KEY = 'coffer-theme';
const wished = (): string | null => localStorage.getItem(KEY);

/** Applies the theme that was chosen here; without a choice, the system's. */
export function applyTheme(): void {
  const theme = wished();
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

export const isDark = (): boolean =>
  (document.documentElement.dataset['theme'] ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

/** Returns whether it is dark now. */
export function toggleTheme(): boolean {
  const next = isDark() ? 'light' : 'dark';
  localStorage.setItem(KEY, next);
  document.documentElement.dataset['theme'] = next;
  return next === 'dark';
}
