import { isDeepStrictEqual } from 'node:util';
import { abilityIn, allowsAll, organizationOf, projectPermissions } from '../../access/index.ts';
import { statement, type Ability, type Context, type KeySet, type Permission } from '../../kernel/index.ts';
import type { FolderContent, ImportContent, ImportSide, SecretAfter, SecretContent, Spot } from '../coverage/index.ts';
import { folderVisibility, presentPlaces, type RulePlace } from '../folder/index.ts';
import {
  exactVersions,
  HIDDEN_VALUE,
  presentNames,
  secretPermissions,
  slugsNow,
  StoredVersions,
  type SecretVersionText,
  type VersionRef,
} from '../secret/index.ts';
import type { ChangeDetails, ChangeSide } from './approval.ts';
import { openChange, type ChangeRow } from './row.ts';

/** A change in a list. */
export type SummaryRow = Omit<ChangeRow, 'content'>;

/** Deleted ones are checked as well, and returned before the merge: a restoration creates them again. */
const TAGS = statement(
  'secret_approval_changes.tags',
  `select t.id, (${slugsNow('array[t.id]')})[1] as slug, exists (select from tags where tags.id = t.id) as "isLiving"
   from unnest($1::uuid[]) as t (id)`,
);

interface NamedTag {
  readonly id: string;
  readonly slug: string | null;
  readonly isLiving: boolean;
}

type Fields = { environment: string; secretPath: string; secretName: string; secretTags: string[] };

const importPermissions = projectPermissions('secret-imports');

interface Sides {
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  /** Whether the reader may not read their values, */
  readonly isHidden: boolean;
  /** and whether it may see their names. */
  readonly isNamed: boolean;
}

/**
 * What a caller may see of the changes of a project. A value that waits, was rejected or was merged is shown like a stored
 * version (`StoredVersions`): to callers who may read it
 * - under the names in the request;
 * - by the current names of the folder and tags for which these stood;
 * - with the secret that it changes or has created, as it is now, or was last.
 *
 * If what the names stood for is unknown, only callers see it who may read everything.
 */
export class ChangeReader {
  readonly #ctx: Context;
  readonly #projectId: string;
  readonly #ability: Ability;
  readonly #seesFolder: (place: { environment: string; secretPath: string }) => boolean;
  readonly #tags: ReadonlyMap<string, NamedTag>;
  /** Where the folders and imports that are changed, and the folders that are named, are now, or were last; by their ids. */
  readonly #places: ReadonlyMap<string, RulePlace>;
  /** The fields of the secrets that rules use, current or last. */
  readonly #present: ReadonlyMap<string, Fields>;
  /** The versions that are replaced or deleted. */
  readonly #stored: StoredVersions;

  private constructor(
    ctx: Context,
    projectId: string,
    ability: Ability,
    tags: ReadonlyMap<string, NamedTag>,
    places: ReadonlyMap<string, RulePlace>,
    present: ReadonlyMap<string, Fields>,
    stored: StoredVersions,
  ) {
    this.#ctx = ctx;
    this.#projectId = projectId;
    this.#ability = ability;
    this.#seesFolder = folderVisibility(ability);
    this.#tags = tags;
    this.#places = places;
    this.#present = present;
    this.#stored = stored;
  }

  static async of(ctx: Context, projectId: string, changes: readonly SummaryRow[]): Promise<ChangeReader> {
    const ability = await abilityIn(ctx, projectId);
    const tagIds = [...new Set(changes.flatMap((change) => change.tagIds))];
    const tags = tagIds.length > 0 ? await ctx.sql<NamedTag>(TAGS, [tagIds]) : [];
    const secretIds = changes.flatMap((change) => (change.kind === 'secret' ? (secretOf(change) ?? []) : []));
    const names = await presentNames(ctx, { projectId }, secretIds);
    const present = new Map([...names].map(([id, { fields }]) => [id, fields]));
    const stored = await StoredVersions.of(ctx, { projectId }, ability, changes.flatMap(replacedBy));
    const places = await placesOf(ctx, changes);
    return new ChangeReader(
      ctx,
      projectId,
      ability,
      new Map(tags.map((tag) => [tag.id, tag])),
      places,
      present,
      stored,
    );
  }

  /** A change in a list: its location, and its name for callers who may see it. */
  summary(row: SummaryRow): Omit<ChangeDetails, 'before' | 'after' | 'changed' | 'secretValueHidden'> {
    return {
      id: row.id,
      kind: row.kind,
      op: row.op,
      environment: row.environment,
      secretPath: row.path,
      secretKey: this.#maySee(row) ? row.name : null,
      secretId: row.thingId,
      secretVersion: row.baseVersion,
      isFollowing: row.isFollowing,
    };
  }

  /** Some changes with both of their sides; without values, unless these are to be viewed. */
  async details(rows: readonly ChangeRow[], viewsValues = true): Promise<ChangeDetails[]> {
    const scope = { organizationId: organizationOf(this.#ctx), projectId: this.#projectId };
    const keys = await this.#ctx.keys.project(scope.organizationId, scope.projectId);
    const versions = await exactVersions(this.#ctx, scope, rows.flatMap(replacedBy));
    return rows.map((row) => {
      const { before, after, isHidden, isNamed } = this.#sides(row, keys, versions);
      const changed = fieldsOf(before, after);
      return {
        ...this.summary(row),
        ...(!isNamed && { secretKey: null }),
        before: before && this.#shown(before, { isHidden, viewsValues }),
        after: after && this.#shown(after, { isHidden, viewsValues }),
        changed,
        secretValueHidden: isHidden,
      };
    });
  }

  #sides(row: ChangeRow, keys: KeySet, versions: ReadonlyMap<string, SecretVersionText>): Sides {
    const { content } = openChange(keys, this.#projectId, row);
    const name = this.#maySee(row) ? row.name : null;
    if (row.kind === 'folder') {
      const { before, after, folders } = content as FolderContent;
      const side = (path: string): ChangeSide => ({
        environment: row.environment,
        secretPath: path,
        secretKey: name === null ? null : path.slice(path.lastIndexOf('/') + 1),
        ...(folders !== null && { folders }),
      });
      return {
        before: side(before),
        after: after === null ? null : side(after),
        isHidden: false,
        isNamed: name !== null,
      };
    }
    if (row.kind === 'import') {
      const { before, after } = content as ImportContent;
      const isSeen = this.#seesImport(row);
      const side = (one: ImportSide | null): ChangeSide | null =>
        one && isSeen
          ? {
              environment: one.environment,
              secretPath: one.path,
              secretKey: null,
              position: one.position,
              isReplication: one.isReplication,
            }
          : null;
      return { before: side(before), after: side(after), isHidden: !isSeen, isNamed: isSeen };
    }
    const { before, after } = content as SecretContent;
    const was = row.thingId === null ? undefined : versions.get(row.thingId);
    const isHidden = !this.#may(secretPermissions.readValue, row, before, was);
    const isNamed = this.#may(secretPermissions.describeSecret, row, before, was);
    const sideBefore =
      before &&
      (was
        ? this.#secretSide(before, before.key, was, was.tags, isNamed)
        : this.#bare(before, isNamed ? before.key : null));
    const tags = row.tagIds.flatMap((id) => {
      const { slug, isLiving } = this.#tags.get(id)!;
      return slug !== null && (isLiving || !row.isMerged) ? { id, slug } : [];
    });
    const spot = { environment: row.environment, path: row.path };
    const sideAfter = after && this.#secretSide(spot, row.name, after, tags, isNamed);
    return { before: sideBefore, after: sideAfter, isHidden, isNamed };
  }

  #bare({ environment, path }: Spot, secretKey: string | null): ChangeSide {
    return { environment, secretPath: path, secretKey };
  }

  #secretSide(
    spot: Spot,
    key: string | null,
    text: SecretAfter,
    tags: readonly { id: string; slug: string }[],
    isNamed: boolean,
  ): ChangeSide {
    return {
      ...this.#bare(spot, isNamed ? key : null),
      secretValue: text.value,
      secretComment: text.comment,
      secretMetadata: text.metadata.map((pair) => ({ ...pair })),
      metadata: text.legacyMetadata,
      tags: tags.map(({ id, slug }) => ({ id, slug })),
      skipMultilineEncoding: text.skipMultilineEncoding,
      secretReminderNote: text.reminderNote,
      secretReminderRepeatDays: text.reminderRepeatDays,
      secretReminderRecipients: text.reminderRecipients && [...text.reminderRecipients],
    };
  }

  /**
   * The published form of one side: without values that the caller may not read; only the location if it may not even
   * see the secret.
   */
  #shown(side: ChangeSide, { isHidden, viewsValues }: { isHidden: boolean; viewsValues: boolean }): ChangeSide {
    if (side.secretValue === undefined) return side;
    const { environment, secretPath, secretKey } = side;
    if (secretKey === null) return { environment, secretPath, secretKey };
    if (!isHidden && viewsValues) return side;
    const { secretValue: _, ...others } = side;
    return {
      ...others,
      ...(viewsValues && { secretValue: HIDDEN_VALUE }),
      ...(side.secretMetadata && {
        secretMetadata: side.secretMetadata.map((pair) => (pair.isEncrypted ? { ...pair, value: HIDDEN_VALUE } : pair)),
      }),
    };
  }

  /** Whether a permission is granted on a secret as it was, as it is now and as it will be. */
  #may(
    permission: Permission,
    row: SummaryRow,
    before: SecretContent['before'],
    was: SecretVersionText | undefined,
  ): boolean {
    const asked: Fields[] = [];
    const present = this.#present.get(secretOf(row) ?? '');
    if (row.op !== 'delete') {
      const named = this.#namedPlace(row);
      const isKnown = named !== undefined && (row.op !== 'create' || !row.isMerged || present !== undefined);
      if (!isKnown && !allowsAll(this.#ability, permission)) return false;
      const { environment, path: secretPath } = row;
      const [secretName, secretTags] = [row.name ?? '', this.#slugsOf(row)];
      asked.push({ environment, secretPath, secretName, secretTags: row.tagSlugs ?? secretTags });
      if (named) asked.push({ ...named, secretName, secretTags });
    }
    if (before)
      asked.push({
        environment: before.environment,
        secretPath: before.path,
        secretName: before.key,
        secretTags: was ? was.tags.map((tag) => tag.slug) : this.#slugsOf(row),
      });
    if (present) asked.push(present);
    if (replacedBy(row).some((ref) => !this.#stored.may(permission, ref))) return false;
    return asked.every((fields) => this.#ability.can(permission, fields));
  }

  #slugsOf = ({ tagIds: ids }: SummaryRow): string[] => ids.flatMap((id) => this.#tags.get(id)?.slug ?? []);

  /** The location in a change, by the current names: in a folder that was new, below the one in which it was to be. */
  #namedPlace({ folderId, folderPath, path }: SummaryRow): RulePlace | undefined {
    const place = this.#places.get(folderId ?? '');
    if (!place || folderPath === null) return undefined;
    const below = folderPath === '/' ? path : path.slice(folderPath.length);
    const secretPath = place.secretPath === '/' ? below || '/' : place.secretPath + (below === '/' ? '' : below);
    return { environment: place.environment, secretPath };
  }

  /** The location of a change, as in the request and by the current names. */
  placesOf(row: SummaryRow): RulePlace[] {
    const { environment, path: secretPath, thingId } = row;
    const present = [this.#places.get(thingId ?? ''), this.#namedPlace(row)];
    return [{ environment, secretPath }, ...present.flatMap((place) => place ?? [])];
  }

  /** The location of what a change replaces: of a secret, that of its version, by the names of then and the current ones. */
  formerPlacesOf(row: SummaryRow): readonly RulePlace[] {
    if (row.kind !== 'secret') return this.placesOf(row);
    const present = this.#present.get(secretOf(row) ?? '');
    return [...(present ? [present] : []), ...replacedBy(row).flatMap((ref) => this.#stored.fieldsOf(ref))];
  }

  #seesImport(row: SummaryRow): boolean {
    const places = this.placesOf(row);
    if (places.length === 1 && !allowsAll(this.#ability, importPermissions.read)) return false;
    return places.every((place) => this.#ability.can(importPermissions.read, { ...place }));
  }

  /** Whether the caller may see the name of the changed resource. */
  #maySee(row: SummaryRow): boolean {
    if (row.kind !== 'secret') return this.placesOf(row).every((one) => this.#seesFolder(one));
    return this.#may(secretPermissions.describeSecret, row, null, undefined);
  }
}

const OF_IMPORTS = statement(
  'secret_approval_changes.folders_of_imports',
  'select id, folder_id as "folderId" from secret_imports where id = any($1::uuid[])',
);

async function placesOf(ctx: Context, changes: readonly SummaryRow[]): Promise<Map<string, RulePlace>> {
  const idsOf = (kind: SummaryRow['kind']) =>
    changes.flatMap((change) => (change.kind === kind ? (change.thingId ?? []) : []));
  const imports = idsOf('import');
  const holders = imports.length > 0 ? await ctx.sql<{ id: string; folderId: string }>(OF_IMPORTS, [imports]) : [];
  const named = changes.flatMap(({ folderId }) => folderId ?? []);
  const held = [...idsOf('folder'), ...holders.map(({ folderId }) => folderId), ...named];
  const places = await presentPlaces(ctx, [...new Set(held)]);
  for (const { id, folderId } of holders) {
    const place = places.get(folderId);
    if (place) places.set(id, place);
  }
  return places;
}

/** The secret that a change is about, or has created. */
const secretOf = ({ thingId, createdId }: SummaryRow): string | null => thingId ?? createdId;

/** The version of a secret that a change replaces or deletes, if it does. */
const replacedBy = ({ kind, thingId: id, baseVersion: version }: SummaryRow): VersionRef[] =>
  kind === 'secret' && id !== null && version !== null ? [{ id, version }] : [];

/** The names of the fields in which two sides differ. */
function fieldsOf(before: ChangeSide | null, after: ChangeSide | null): string[] {
  if (!before || !after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ChangeSide>;
  return [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
