import { describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { goTo } from '../page.ts';
import { projectOf } from '../people.ts';
import { signedIn } from '../secrets-page.ts';

/** Of a telephone, in CSS pixels. */
const NARROW = 390;

/** In how many lines the first e-mail address of a table is. */
const LINES_OF_ADDRESS = `(() => {
  const range = document.createRange();
  range.selectNodeContents([...document.querySelectorAll('td')].find((cell) => cell.textContent.includes('@')));
  return range.getClientRects().length;
})()`;

export const narrow = (world: () => ConsoleWorld): void => {
  describe('a narrow window', () => {
    it('holds the whole top of each screen, and fields that do not cover each other', async () => {
      const project = await projectOf(world());
      const page = await signedIn(world(), project);
      await page.setViewportSize({ width: NARROW, height: 844 });
      for (const screen of ['secrets', 'secret-syncs', 'access', 'audit']) {
        await goTo(page, `/projects/${project.id}/${screen}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const end = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
        expect([screen, end!.x + end!.width <= NARROW]).toEqual([screen, true]);
        expect([screen, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([screen, NARROW]);
      }
      const boxes = await Promise.all(
        ['From', 'Until', 'Environment'].map((label) => page.getByLabel(label, { exact: true }).boundingBox()),
      );
      for (const [index, box] of boxes.entries())
        for (const other of boxes.slice(index + 1))
          expect(box!.x + box!.width <= other!.x || box!.y + box!.height <= other!.y).toBe(true);
      await goTo(page, `/projects/${project.id}/access`);
      await page.getByRole('cell', { name: project.email }).waitFor();
      expect(await page.evaluate(LINES_OF_ADDRESS)).toBe(1);
      await world().leave(page);
    });
  });
};
