import { abilityIn, allowsAll } from '../../access/index.ts';
import { inTransaction, statement, type Context } from '../../kernel/index.ts';
import { EnvironmentEntity } from '../../secrets/environment/index.ts';
import { rightsToAll } from '../../secrets/folder/index.ts';
import { contentOfFolder, NO_VALUES, secretPermissions, type SecretPlace } from '../../secrets/secret/index.ts';

/** A folder whose secrets the items of a sync, and so its message, may name. */
export type NamedPlace = readonly [environmentId: string, path: string];

export const namedPlacesOf = (places: readonly { environmentId: string; path: string }[]): NamedPlace[] =>
  places.map(({ environmentId, path }) => [environmentId, path]);

const KEEP = statement(
  'secret_sync.keep_places',
  'update secret_syncs set named_places = $3::jsonb where id = $1 and claim_id = $2',
);

/** Adds the places of a source, before its secrets are written: an item stays named after its place has left the source. */
export async function keepPlaces(
  ctx: Context,
  run: { readonly id: string; readonly claimId: string; readonly namedPlaces: readonly NamedPlace[] | null },
  places: readonly NamedPlace[],
): Promise<void> {
  const kept = new Map([...(run.namedPlaces ?? []), ...places].map((place) => [place.join(), place]));
  if (run.namedPlaces && kept.size === run.namedPlaces.length) return;
  const all = JSON.stringify([...kept.values()]);
  await inTransaction(ctx, (tx) => tx.sql(KEEP, [run.id, run.claimId, all]));
}

/**
 * Whether the caller may know all names in the message of a sync: those of its present source, and those of what it has
 * written before.
 */
export async function mayKnowNames(
  ctx: Context,
  source: SecretPlace,
  named: readonly NamedPlace[] | null | undefined,
): Promise<boolean> {
  const { projectId, environment, secretPath } = source;
  const ability = await abilityIn(ctx, projectId);
  if (allowsAll(ability, secretPermissions.describeSecret)) return true;
  // Of a sync that the previous release has run.
  if (!named) return false;
  const present = (await contentOfFolder(ctx, source, NO_VALUES)).places;
  const environments = await ctx.em.find(EnvironmentEntity, { projectId, id: [...new Set(named.map(([id]) => id))] });
  const slugOf = new Map(environments.map(({ id, slug }) => [id, slug]));
  // Also names of secrets that were there when it failed.
  const all = [
    { environment, path: secretPath },
    ...present,
    ...named.map(([id, path]) => ({ environment: slugOf.get(id), path })),
  ];
  const rights = rightsToAll(ability);
  return all.every(
    (one) =>
      one.environment !== undefined &&
      rights.can(secretPermissions.describeSecret, { environment: one.environment, secretPath: one.path }),
  );
}
