import { eachInTurns, filterInTurns, globOf } from '../../access/index.ts';
import type { Ability } from '../../kernel/index.ts';
import { folderVisibility } from '../folder/index.ts';
import { secretPermissions } from '../secret/index.ts';
import type { Change, Commit, Side } from './commits.ts';
import type { Importer, ImportersOf } from './importers.ts';
import { WATCHED, type ProjectEvent, type WatchedEvent, type WatchSecrets } from './watch.ts';

/** Maximum number of secrets in one event. */
const CHUNK = 500;

type Kind = Exclude<WatchedEvent, 'secret:import-mutation'>;
/** Deletions come first: their names may be used again. */
const KINDS: readonly Kind[] = ['secret:delete', 'secret:create', 'secret:update'];

/** The compiled subscription of one caller. */
export type Wanted = (event: WatchedEvent, place: { environment: string; path: string }) => boolean;

export function wantedBy({ register }: Pick<WatchSecrets, 'register'>): Wanted {
  const filters = register.map(({ event, conditions }) => ({
    event,
    environment: conditions?.environmentSlug,
    isAnywhere: conditions === undefined,
    glob: conditions && globOf(conditions.secretPath),
  }));
  return (event, { environment, path }) =>
    filters.some(
      (one) =>
        one.event === event &&
        (one.environment === undefined || one.environment === environment) &&
        (one.isAnywhere || one.glob?.matches(path) === true),
    );
}

/**
 * The events of a commit for one caller: each secret is authorized like a read of it, on both sides. One that is
 * visible on only one side is created or deleted for the caller, and so is a renamed or moved one. A folder that imports
 * a changed one is named to callers who see it.
 */
export async function eventsOf(
  { changes }: Commit,
  importersOf: ImportersOf,
  ability: Ability,
  wanted: Wanted,
): Promise<ProjectEvent[]> {
  const events = new Map<Kind, Side[]>(KINDS.map((kind) => [kind, []]));
  const seen = new Map<string, Side>();
  const send = (kind: Kind, side: Side) => {
    if (mayHear(ability, kind, side) && wanted(kind, side)) events.get(kind)!.push(side);
  };
  await eachInTurns(changes, (change) => {
    const { before, after } = seenBy(ability, change);
    for (const side of [before, after]) if (side) seen.set(`${side.environmentId} ${side.path}`, side);
    const [from, to] = [
      before && !before.isReserved ? before : undefined,
      after && !after.isReserved ? after : undefined,
    ];
    if (from && to && isSamePlace(from, to)) send('secret:update', to);
    else {
      if (from) send('secret:delete', from);
      if (to) send('secret:create', to);
    }
  });
  const seesFolder = folderVisibility(ability);
  const heard = await filterInTurns(
    importersOf(seen.values()),
    (place) =>
      mayHear(ability, 'secret:import-mutation', place) &&
      seesFolder({ environment: place.environment, secretPath: place.path }) &&
      wanted('secret:import-mutation', place),
  );
  return [
    ...KINDS.flatMap((eventType) =>
      chunks(events.get(eventType)!.toSorted(byPlace)).map((sides) => secretEvent(eventType, sides)),
    ),
    ...heard.toSorted(byPlace).map(importEvent),
  ];
}

const mayHear = (ability: Ability, event: WatchedEvent, { environment, path }: Importer): boolean =>
  ability.can(WATCHED[event], { environment, secretPath: path });

/** The fields of one side for rules: by current names, and by those of that time. */
const fieldsOf = ({ environment, environmentThen, path: secretPath, key: secretName, tags, tagsThen }: Side) => [
  { environment, secretPath, secretName, secretTags: [...tags] },
  { environment: environmentThen, secretPath, secretName, secretTags: [...tagsThen] },
];

function seenBy(ability: Ability, { before, after }: Change): Change {
  const sees = (side: Side | undefined) =>
    side !== undefined && fieldsOf(side).every((fields) => ability.can(secretPermissions.describeSecret, fields));
  return { before: sees(before) ? before : undefined, after: sees(after) ? after : undefined };
}

const isSamePlace = (a: Side, b: Side): boolean =>
  a.environmentId === b.environmentId && a.path === b.path && a.key === b.key;

/** In a deterministic order. */
const byPlace = (a: Importer & { key?: string }, b: Importer & { key?: string }): number =>
  compare(a.environment, b.environment) || compare(a.path, b.path) || compare(a.key ?? '', b.key ?? '');

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const chunks = (sides: readonly Side[]): Side[][] =>
  Array.from({ length: Math.ceil(sides.length / CHUNK) }, (_, at) => sides.slice(at * CHUNK, (at + 1) * CHUNK));

const secretEvent = (eventType: Kind, sides: readonly Side[]): ProjectEvent => ({
  projectType: 'secret-manager',
  data: {
    eventType,
    payload: sides.map(({ environment, path, key }) => ({ environment, secretPath: path, secretKey: key })),
  },
});

const importEvent = ({ environment, path }: Importer): ProjectEvent => ({
  projectType: 'secret-manager',
  data: { eventType: 'secret:import-mutation', payload: { environment, secretPath: path } },
});
