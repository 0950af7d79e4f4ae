import type { Locator, Page } from 'playwright-core';

/** The field with this label. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/** What is left in the address and the storage of a page. */
export const kept = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([location.href, { ...localStorage, ...sessionStorage }])');

/** Closes the dialog that shows something once, without a copy of it. */
export async function closeWithoutCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Close without a copy' }).click();
}
