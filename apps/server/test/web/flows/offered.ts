import { appRouter, permissionsOf, proceduresOf } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleWorld } from '../harness.ts';
import { goTo, Pressing } from '../pressing.ts';
import { sampleOf } from '../sample.ts';
import { listedScreens } from '../screens.ts';
import { PEOPLE, stockOf, type Somebody, type Stock } from '../stock.ts';
import { Visit } from '../visit.ts';

/** `npm test` takes one screen in so many. */
const SHARE = 20;

const SCREENS = listedScreens()
  .filter(({ group }) => group === 'project' || group === 'organization')
  .map(({ path }) => path);

const [ADMINISTRATOR, ...OTHERS] = PEOPLE;

type Permission = ReturnType<typeof permissionsOf>[number];

interface PublishedRule {
  readonly subject: string;
  readonly action: string | readonly string[];
  readonly inverted?: boolean;
}

/** What the server answers somebody about their own rules. */
interface Rules {
  readonly project: readonly PublishedRule[];
  readonly organization: readonly PublishedRule[];
}

/**
 * The administrator presses every button of a screen, and what each would send is noted and not sent. Somebody else is to be offered
 * those of them that lead to what their rules allow, and no others.
 */
export const offered = (world: () => ConsoleWorld): void => {
  describe('what is offered', () => {
    let stock: Stock;
    let pressing: Pressing;
    const others = new Map<Somebody, { readonly visit: Visit; readonly rules: Rules }>();
    beforeAll(async () => {
      stock = await stockOf(world());
      pressing = await Pressing.in(await Visit.of(world(), stock.emailOf(ADMINISTRATOR)));
      for (const somebody of OTHERS) {
        const visit = await Visit.of(world(), stock.emailOf(somebody));
        others.set(somebody, { visit, rules: await rulesOf(stock, somebody) });
      }
    });
    afterAll(() =>
      Promise.all([pressing?.visit, ...Array.from(others.values(), ({ visit }) => visit)].map((one) => one?.close())),
    );

    it.each(sampleOf(SCREENS, SHARE))('at %s is what the rules of each allow', async (path) => {
      const faults: string[] = [];
      for (const place of await pressing.placesAt(stock.addressOf(path))) {
        const changes = await pressing.changesAt(place);
        for (const [{ who }, { visit, rules }] of others) {
          await goTo(visit, place);
          const shown = new Set(await visit.buttons());
          for (const [button, operation] of changes) {
            const may = isAllowed([operation, ...(ALSO[path] ?? [])], rules);
            if (may !== undefined && may !== shown.has(button))
              faults.push(
                `${[...place.opened, button].join(' → ')} (${operation}): ${who} may${may ? '' : ' not'}, and is${may ? ' not' : ''} offered it`,
              );
          }
        }
      }
      expect(faults).toEqual([]);
    });
  });
};

/** What each operation needs, by its name. */
const NEEDS = new Map(proceduresOf(appRouter).map(([name, { _def }]) => [name, _def.meta?.needs]));

/** What the button of a screen does after its first operation. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  '/projects/$projectId/read-by-machine': ['projectIdentities.add'],
};

/**
 * Whether rules allow all of it; `undefined` for what is decided otherwise, as where the project and the organization of
 * something say different things: its owner counts.
 */
function isAllowed(operations: readonly string[], rules: Rules): boolean | undefined {
  const needed = operations.map((operation) => permissionsOf(NEEDS.get(operation))).filter((any) => any.length > 0);
  const verdicts = needed.map((any) => {
    const scopes = Object.values(Object.groupBy(any, ({ scope }) => scope));
    const [one, other = one] = scopes.map((all) => all.some((permission) => allows(rules, permission)));
    return one === other ? one : undefined;
  });
  return needed.length === 0 || verdicts.includes(undefined) ? undefined : verdicts.every((verdict) => verdict);
}

function allows(rules: Rules, { scope, subject, action }: Permission): boolean {
  const about = rules[scope].filter((rule) => rule.subject === subject && [rule.action].flat().includes(action));
  return about.length > 0 && !about.at(-1)!.inverted;
}

async function rulesOf(stock: Stock, somebody: Somebody): Promise<Rules> {
  const ask = async (url: string) => {
    const { status, body } = await stock.as(somebody)('GET', url);
    expect([url, status]).toEqual([url, 200]);
    return (body.data?.permissions ?? body.permissions) as PublishedRule[];
  };
  return {
    project: await ask(`/api/v1/workspace/${stock.projectId}/permissions`),
    organization: await ask(`/api/v1/organization/${stock.organizationId}/permissions`),
  };
}
