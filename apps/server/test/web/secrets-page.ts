import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConsoleWorld } from './harness.ts';

/** A window at the secrets of a project. */
export async function signedIn(
  world: ConsoleWorld,
  { id, email, isReader = false }: { readonly id: string; readonly email: string; readonly isReader?: boolean },
): Promise<Page> {
  const page = await world.openAs(email, `/projects/${id}/secrets`);
  // Complete: its shortcuts work.
  if (!isReader) await page.getByRole('button', { name: 'Import' }).waitFor();
  return page;
}

/** Types a new value, which becomes a draft. */
export async function edit(page: Page, name: string, value: string, environment = 'dev'): Promise<void> {
  const shown = name.replaceAll(/\s+/g, ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  await page.getByRole('gridcell', { name: new RegExp(`^${shown} in ${environment}: (?:set|changed)`) }).focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: new RegExp(`^Value of ${shown} in ${environment}$`) });
  // It is filled with the present value first.
  await expect.poll(() => box.inputValue()).not.toBe('');
  await box.fill(value);
  await page.keyboard.press('Control+Enter');
}

/** Saves all drafts. */
export async function saveAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save all' }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
}
