import type { Dice } from '../granting/dice.ts';

// What anybody may do, read off their rights, without any code of the product.

/** A folder of the search: one in each of these environments, of the first project and of the second. */
export const PLACES = ['first/dev', 'first/prod', 'second/dev'] as const;
export type Place = (typeof PLACES)[number];
export const projectOf = (place: Place) => place.split('/')[0] as 'first' | 'second';
export const environmentOf = (place: Place) => place.split('/')[1]!;

/** The secrets of each place. */
export const NAMES = ['OPEN', 'HIDDEN'] as const;
export type Name = (typeof NAMES)[number];

/** `open`: all names but `HIDDEN`. */
export interface Rights {
  readonly reads: 'nothing' | 'open' | 'all';
  readonly writes: boolean;
}
export type RightsByPlace = Readonly<Record<Place, Rights>>;

export const EVERYTHING = Object.fromEntries(
  PLACES.map((place) => [place, { reads: 'all', writes: true }]),
) as unknown as RightsByPlace;

export const randomRights = (dice: Dice): RightsByPlace =>
  Object.fromEntries(
    PLACES.map((place) => [
      place,
      {
        reads: dice.one(['nothing', 'open', 'all', 'all', 'all', 'all'] as const),
        writes: dice.is(60),
      } satisfies Rights,
    ]),
  ) as unknown as RightsByPlace;

/** The same as rules of a project. */
export function rulesFor(rights: RightsByPlace, project: 'first' | 'second'): object[] {
  const places = PLACES.filter((place) => projectOf(place) === project);
  return [
    ...places.flatMap((place) => {
      const { reads, writes } = rights[place];
      const conditions = { environment: environmentOf(place) };
      const reading = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
      return [
        ...(reads === 'nothing' ? [] : [{ ...reading, conditions }]),
        ...(reads === 'open'
          ? [{ ...reading, inverted: true, conditions: { ...conditions, secretName: 'HIDDEN' } }]
          : []),
        ...(writes ? [{ subject: 'secrets', action: ['create', 'edit', 'delete'], conditions }] : []),
      ];
    }),
    { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] },
    { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] },
    { subject: 'secret-imports', action: ['read', 'create', 'edit', 'delete'] },
  ];
}

/** Where each value has been put with the right to do so, and those that whoever may read them gave to everybody. */
export class Values {
  readonly #homes = new Map<string, Set<string>>();
  readonly #free = new Set<string>();

  put(value: string, place: Place, name: string): void {
    this.#homes.set(value, (this.#homes.get(value) ?? new Set()).add(`${place} ${name}`));
  }

  isAt(value: string, place: Place, name: string): boolean {
    return this.#homes.get(value)?.has(`${place} ${name}`) === true;
  }

  free(value: string): void {
    this.#free.add(value);
  }

  /** Whether it has been put into one of these projects. */
  isOf(value: string, projects: ReadonlySet<string>): boolean {
    return [...(this.#homes.get(value) ?? [])].some((home) => projects.has(home.split('/')[0]!));
  }

  mayRead(rights: RightsByPlace, value: string): boolean {
    if (this.#free.has(value)) return true;
    return [...(this.#homes.get(value) ?? [])].some((home) => {
      const [place, name] = home.split(' ') as [Place, string];
      const { reads } = rights[place];
      return reads === 'all' || (reads === 'open' && name !== 'HIDDEN');
    });
  }
}
