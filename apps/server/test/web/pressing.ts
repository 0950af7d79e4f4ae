import { appRouter, proceduresOf } from '@coffer/api';
import { runs } from '@coffer/domain/testing';
import type { Route } from 'playwright-core';
import { IN_PAGE, type Visit } from './visit.ts';

/** Of one place. Lists may have more rows than that. */
const MOST_BUTTONS = runs(15, 40);
/** What is opened beside one screen: of its rows and tables the first ones. */
const MOST_PANELS = runs(1, 4);
/** A panel may open one more. */
const MOST_DEPTH = 2;
/** From a button to what is sent: a choice of a type, its form, a question. */
const MOST_STEPS = 4;

/** Where buttons are: a screen, or what one of its buttons opens beside it. */
export interface Place {
  readonly address: string;
  /** The buttons that have opened it, one after another. */
  readonly opened: readonly string[];
  /** Those that were there before, where something is selected. */
  readonly before?: readonly string[];
}

/** Those by which a panel is opened, which has its own buttons, and may be there only to be read. */
const isOpening = (button: string): boolean => /^(?:Open|Rules of) /.test(button) || isSelecting(button);

/** The check box of a row, by which buttons for what is selected appear. */
const isSelecting = (button: string): boolean => button.startsWith('Select ');

/** Goes there. */
export async function goTo(visit: Visit, { address, opened }: Place): Promise<void> {
  // What was opened before is closed by leaving the screen, for one that asks for nothing.
  await visit.goTo('/nowhere');
  await visit.goTo(address);
  for (const button of opened) await visit.press(button);
}

/** The operation of the form that a button sends, if it says so. Forms that are there are marked. */
const OPERATION_OF = (name: string): string => `(() => {
  ${IN_PAGE}
  for (const form of document.forms) form.setAttribute('data-before', '');
  const button = buttons().find((one) => nameOf(one) === ${JSON.stringify(name)});
  return button?.type === 'submit' ? button.form?.dataset.operation : undefined;
})()`;

/**
 * What has been opened. A form of an operation says which one. Another one is filled and sent; in a dialog without a form the first
 * choice is taken.
 */
const GO_ON = `(() => {
  ${IN_PAGE}
  const form = [...(opened() ?? document).querySelectorAll('form:not([data-before])')].at(-1);
  if (form?.dataset.operation) return { operation: form.dataset.operation };
  if (form) {
    const set = (field, value) => {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    };
    for (const field of form.querySelectorAll('input:enabled, textarea:enabled, select:enabled')) {
      if (field.type === 'checkbox') { if (field.required && !field.checked) field.click(); }
      else if (field.value !== '') continue;
      else if (field.localName === 'select') set(field, [...field.options].map(({ value }) => value).find(Boolean) ?? '');
      else set(field, { number: field.min || '1', email: 'a@example.com' }[field.type] ?? 'x'.repeat(Math.max(1, field.minLength)));
    }
    return { isFilled: true };
  }
  const choice = opened() && buttons().find((one) => !/^(?:Close|Cancel)$/.test(nameOf(one)));
  choice?.click();
  return { isGoingOn: choice !== undefined };
})()`;

const SEND = `[...document.querySelectorAll('form:not([data-before])')].at(-1)?.requestSubmit()`;

interface Next {
  readonly operation?: string;
  readonly isFilled?: boolean;
  readonly isGoingOn?: boolean;
}

/** Somebody who presses every button. What would change something is noted, and does not reach the server. */
export class Pressing {
  readonly visit: Visit;
  #sent: string | undefined;
  #isPressing = false;

  private constructor(visit: Visit) {
    this.visit = visit;
  }

  static async in(visit: Visit): Promise<Pressing> {
    const pressing = new Pressing(visit);
    await visit.page.route('**/api/trpc/**', (route) => pressing.#pass(route));
    return pressing;
  }

  /** A screen, and what is opened beside it. */
  async placesAt(address: string): Promise<readonly Place[]> {
    const places: Place[] = [{ address, opened: [] }];
    for (const place of places) {
      if (place.opened.length === MOST_DEPTH || place.before) continue;
      await goTo(this.visit, place);
      const before = await this.visit.buttons();
      const openings = before.filter((one) => isOpening(one) && !place.opened.includes(one));
      for (const button of openings.slice(0, MOST_PANELS))
        places.push({ address, opened: [...place.opened, button], ...(isSelecting(button) && { before }) });
    }
    return places;
  }

  /** The buttons of a place that change something, with the operation of each. */
  async changesAt(place: Place): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    await goTo(this.visit, place);
    const { before = [] } = place;
    const buttons = (await this.visit.buttons()).filter((one) => !isOpening(one) && !before.includes(one));
    for (const button of buttons.slice(0, MOST_BUTTONS)) {
      const own = await this.visit.page.evaluate<string | undefined>(OPERATION_OF(button));
      const operation = own ?? (await this.#leadsTo(button));
      if (operation !== undefined) found.set(button, operation);
      // Nothing was pressed if the button itself says what it does.
      if (own === undefined) await goTo(this.visit, place);
    }
    return found;
  }

  async #leadsTo(button: string): Promise<string | undefined> {
    const { page } = this.visit;
    this.#sent = undefined;
    this.#isPressing = true;
    try {
      await this.visit.press(button);
      for (let step = 0; step < MOST_STEPS && this.#sent === undefined; step++) {
        const { operation, isFilled = false, isGoingOn = false } = await page.evaluate<Next>(GO_ON);
        if (operation !== undefined) return operation;
        if (isFilled) await page.evaluate(SEND);
        else if (!isGoingOn) return undefined;
        await this.visit.settle();
      }
      return this.#sent;
    } finally {
      this.#isPressing = false;
    }
  }

  async #pass(route: Route): Promise<void> {
    const operations = new URL(route.request().url()).pathname.replace(/^.*\/api\/trpc\//, '').split(',');
    const changing = operations.find((one) => CHANGES.has(one));
    if (!this.#isPressing || changing === undefined) return route.continue();
    this.#sent ??= changing;
    const error = { error: { message: 'Not sent', code: -32_603, data: { code: 'FORBIDDEN', httpStatus: 403 } } };
    await route.fulfill({ status: 403, json: operations.map(() => error) });
  }
}

/** Those that change something. The effect of a change of rights is only shown. */
const CHANGES = new Set(
  proceduresOf(appRouter)
    .filter(([name, { _def }]) => _def.type === 'mutation' && name !== 'access.plan')
    .map(([name]) => name),
);
