import type { Locator, Page } from 'playwright-core';

/** The field with this label. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/**
 * For what runs in the page: opens a screen by its address, as a link does. The title of the screen before is marked. The router numbers
 * its entries in the history, and needs the number to stop somebody who goes back.
 */
export const openInPage = (address: string): string =>
  `if (location.pathname !== new URL(${JSON.stringify(address)}, location).pathname)
     document.querySelector('main h1')?.setAttribute('data-left', '');
   history.pushState({ __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }, '', ${JSON.stringify(address)});
   dispatchEvent(new PopStateEvent('popstate'));`;

/** Opens a screen of the console that is shown, without loading the page again: that takes four times the processor time. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(openInPage(address));
  await page.locator('main h1:not([data-left])').first().waitFor();
}

/** What is left in the address and the storage of a page. */
export const kept = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([location.href, { ...localStorage, ...sessionStorage }])');

/** Closes the dialog that shows something once, without a copy of it. */
export async function closeWithoutCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Close without a copy' }).click();
}
