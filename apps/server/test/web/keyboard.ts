import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** What has the focus: its name, and whether it is seen that it has it. */
const FOCUSED = `(() => {
  const element = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, width } = element.getBoundingClientRect();
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText ?? '';
  return {
    name: name.trim().replace(/\\s+/g, ' '),
    isBody: element === document.body,
    isSeen:
      element.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 &&
      width > 0 && bottom > 0 && top < innerHeight,
  };
})()`;

interface Focused {
  readonly name: string;
  readonly isBody: boolean;
  readonly isSeen: boolean;
}

/** So many elements has no screen, twice over: what is not reached by then cannot be reached. */
const MOST_TABS = 300;
/** What a screen is still loading may come while one goes through it: milliseconds between two keys. */
const PAUSE_MS = 15;

/** Somebody without a mouse. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  press(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.insertText(text);
  }

  /** Tab until something of this name has the focus. Wherever the focus is on the way, it is seen. */
  async tabTo(name: string | RegExp): Promise<void> {
    const passed: string[] = [];
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      const focused = await this.#page.evaluate<Focused>(FOCUSED);
      if (!focused.isBody && !focused.isSeen) throw new Error(`It is not seen that ${focused.name} has the focus`);
      if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return;
      passed.push(focused.name);
      await this.press('Tab');
      await setTimeout(PAUSE_MS);
    }
    throw new Error(`${String(name)} is not reached by Tab; what is: ${[...new Set(passed)].join(' | ')}`);
  }

  /** Goes there, and presses Enter. */
  async use(name: string | RegExp): Promise<void> {
    await this.tabTo(name);
    await this.press('Enter');
  }

  /** Opens a screen by the command palette. */
  async goTo(screen: string): Promise<void> {
    const palette = this.#page.getByRole('dialog', { name: 'Search' });
    await this.press('Control+k');
    await palette.waitFor();
    await this.type(screen);
    await palette.getByRole('option', { name: `${screen} Screen · Project`, exact: true, selected: true }).waitFor();
    await this.press('Enter');
    await palette.waitFor({ state: 'detached' });
  }
}
