import { DomainError, type Ability, type Context } from '../../kernel/index.ts';
import { fieldsOf, importedRows, NO_VALUES, secretPermissions } from '../secret/index.ts';
import type { Overview, ReadOverview } from './overview.ts';

type Imported = Overview['secrets'][number]['imported'][number];
type Row = Parameters<typeof fieldsOf>[0];
/** Whether its value is hidden is asked for the page only. */
type Found = Omit<Imported, 'secretValueHidden'> & { readonly row: Row };

/** The keys that a folder imports in some environments, as far as the caller may describe them. */
export interface ImportedNames {
  readonly keys: Iterable<string>;
  of(key: string): readonly Imported[];
}

/**
 * What the imports of the folder contribute, the last of several. An environment whose imports contain more than one list
 * may have shows none: they are listed at the imports of the folder.
 */
export async function importedNames(
  ctx: Context,
  ability: Ability,
  { projectId, secretPath, includeImports, tagSlugs }: ReadOverview,
  environments: readonly string[],
  isWanted: (key: string) => boolean,
): Promise<ImportedNames> {
  const byKey = new Map<string, Found[]>();
  const asked = includeImports && !tagSlugs?.length ? environments : [];
  for (const environment of asked) {
    for (const [key, imported] of await inEnvironment(ctx, ability, { projectId, environment, secretPath }, isWanted)) {
      const known = byKey.get(key);
      if (known) known.push(imported);
      else byKey.set(key, [imported]);
    }
  }
  return {
    keys: byKey.keys(),
    of: (key) =>
      (byKey.get(key) ?? []).map(({ row, ...found }) => ({
        ...found,
        secretValueHidden: !ability.can(secretPermissions.readValue, fieldsOf(row)),
      })),
  };
}

async function inEnvironment(
  ctx: Context,
  ability: Ability,
  place: { projectId: string; environment: string; secretPath: string },
  isWanted: (key: string) => boolean,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  try {
    const isVisible = (row: Row) => isWanted(row.key) && ability.can(secretPermissions.describeSecret, fieldsOf(row));
    for (const { environment, secretPath, rows } of await importedRows(ctx, place, isVisible, { maxBytes: NO_VALUES }))
      for (const row of rows)
        found.set(row.key, { environment: place.environment, from: { environment, secretPath }, row });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'secret_import.too_many')) throw error;
  }
  return found;
}
