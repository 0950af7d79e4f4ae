import { abilityIn, missingPermissions, projectPermissions } from '../../access/index.ts';
import {
  statement,
  type Ability,
  type Fields,
  type Permission,
  type Statement,
  type Transaction,
} from '../../kernel/index.ts';
import {
  gainByRename,
  requireNoGain,
  ruleDifferences,
  type PlaceMove,
  type RuleDifference,
  type RulePlace,
} from '../folder/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { contentOfFolder, copiedFrom } from './imported.ts';
import { fieldsOf } from './row.ts';
import { readingPermissions, secretPermissions } from './secret.ts';
import { StoredVersions, type VersionRef } from './stored-versions.ts';

/** A folder that gets another place: by another name of it, of a folder above it, or of its environment. */
export interface RenamedFolder extends PlaceMove {
  readonly id: string;
}

/** What of a folder is in its row, and in that of the folder into which replication copies what it imports. */
const IN_FOLDERS = `folders f on f.id = x.folder_id and (f.id = any($1::uuid[]) or (f.is_reserved and f.parent_id = any($1::uuid[])))`;
const FOLDER_ID = `case when f.is_reserved then f.parent_id else f.id end as "folderId"`;
const SLUGS = `array(select slug from tags where tags.id = any(x.tag_ids))`;

/** What lies in some folders, as rules with further conditions see it. */
const THINGS: Readonly<Record<string, Statement>> = {
  secrets: statement(
    'rename.secrets',
    `select ${FOLDER_ID}, json_build_object('secretName', x.key, 'secretTags', ${SLUGS}) as fields
     from secrets x join ${IN_FOLDERS} where x.user_id is null`,
  ),
  'dynamic-secrets': statement(
    'rename.dynamic_secrets',
    `select ${FOLDER_ID}, json_build_object('metadata', x.metadata) as fields from dynamic_secrets x join ${IN_FOLDERS}`,
  ),
};

/** The versions of secrets that were replaced or deleted there: those of the same name and tags as one. */
const VERSIONS = statement(
  'rename.versions',
  `select ${FOLDER_ID}, json_build_object('secretName', x.key, 'secretTags', ${SLUGS}) as fields,
     array_agg(x.secret_id) as ids, array_agg(x.version) as versions
   from secret_versions x join ${IN_FOLDERS} where x.user_id is null group by f.id, x.key, x.tag_ids`,
);

interface Thing {
  readonly folderId: string;
  /** Besides the place. */
  readonly fields: Fields;
}
interface Versions extends Thing {
  readonly ids: readonly string[];
  readonly versions: readonly number[];
}

/** What puts something into a folder. */
const CREATIONS: readonly Permission[] = [
  secretPermissions.create,
  projectPermissions('dynamic-secrets')['create-root-credential'],
];

const includes = (some: readonly Permission[], { key }: Permission): boolean => some.some((one) => one.key === key);

type Differing = RenamedFolder & { readonly differences: readonly RuleDifference[] };

/**
 * Refuses (403) new names of folders under which the caller could do anything there that it may not do now: to the folder,
 * or to anything that lies in it, thing by thing. Nothing is read where the rules of the caller say the same of all names;
 * the tree and the names of the project are held.
 */
export async function requireNoGainByRename(
  tx: Transaction,
  projectId: string,
  folders: readonly RenamedFolder[],
): Promise<void> {
  requireNamesLocked(tx, 'exclusive', { projectId });
  const ability = await abilityIn(tx, projectId);
  requireNoGain(ability, folders);
  const differencesOf = ruleDifferences(ability);
  const differing = folders.flatMap((folder): Differing[] => {
    const differences = differencesOf(folder);
    return differences.length > 0 ? [{ ...folder, differences }] : [];
  });
  for (const folder of differing) requireNoNewCreation(folder);
  for (const subject of Object.keys(THINGS)) {
    const some = withDifferences(differing, ({ permission }) => permission.subject === subject);
    if (some.length === 0) continue;
    const byId = new Map(some.map((folder) => [folder.id, folder]));
    for (const { folderId, fields } of await tx.sql<Thing>(THINGS[subject]!, [[...byId.keys()]])) {
      const folder = byId.get(folderId)!;
      const gained = folder.differences.find(({ permission }) => gains(ability, permission, folder, fields));
      if (gained) throw gainByRename(gained.permission, folder.to);
    }
  }
  await requireNoGainOfVersions(tx, projectId, ability, differing);
}

const withDifferences = (folders: readonly Differing[], isMeant: (one: RuleDifference) => boolean): Differing[] =>
  folders.flatMap((folder) => {
    const differences = folder.differences.filter(isMeant);
    return differences.length > 0 ? [{ ...folder, differences }] : [];
  });

const gains = (ability: Ability, permission: Permission, { from, to }: PlaceMove, fields: Fields): boolean =>
  ability.can(permission, { ...fields, ...to }) && !ability.can(permission, { ...fields, ...from });

/** Whoever could create under the new name what it may not create now would put it into this folder. */
function requireNoNewCreation({ differences, to }: Differing): void {
  for (const { permission, before, after } of differences) {
    if (!includes(CREATIONS, permission)) continue;
    const only = (rules: RuleDifference['after']) => rules.map((rule) => ({ ...rule, action: permission.action }));
    if (missingPermissions(only(after), only(before)).length > 0) throw gainByRename(permission, to);
  }
}

/** What was replaced or deleted is read by the present name of its folder as well (see `StoredVersions`). */
async function requireNoGainOfVersions(
  tx: Transaction,
  projectId: string,
  ability: Ability,
  differing: readonly Differing[],
): Promise<void> {
  const some = withDifferences(differing, ({ permission }) =>
    readingPermissions.some(({ key }) => key === permission.key),
  );
  if (some.length === 0) return;
  const byId = new Map(some.map((folder) => [folder.id, folder]));
  for (const { folderId, fields, ids, versions } of await tx.sql<Versions>(VERSIONS, [[...byId.keys()]])) {
    const folder = byId.get(folderId)!;
    const gained = folder.differences.filter(({ permission }) => gains(ability, permission, folder, fields));
    if (gained.length === 0) continue;
    const refs = ids.map((id, index): VersionRef => ({ id, version: versions[index]! }));
    const stored = await StoredVersions.of(tx, { projectId }, ability, refs);
    for (const { permission } of gained)
      if (refs.some((ref) => stored.mayThen(permission, ref))) throw gainByRename(permission, folder.to);
  }
}

/**
 * Refuses (403) new names of folders under which replications copy what they hold, or import, to where the caller could
 * read it, which it may not do now.
 */
export async function requireNoCopiesByRename(
  tx: Transaction,
  projectId: string,
  folders: readonly PlaceMove[],
): Promise<void> {
  const origin = ({ environment, secretPath: path }: RulePlace) => ({ environment, path });
  const copies = await copiedFrom(
    tx,
    projectId,
    folders.map(({ to }) => origin(to)),
  );
  for (const [index, { from }] of folders.entries()) {
    const places = copies[index]!.map(({ environment, path: secretPath }) => ({ environment, secretPath }));
    if (places.length === 0) continue;
    const ability = await abilityIn(tx, projectId);
    requireNoGain(
      ability,
      places.map((to) => ({ from, to })),
      readingPermissions,
    );
    const { secrets } = await contentOfFolder(tx, { projectId, ...from });
    for (const fields of [...secrets.values()].map(fieldsOf))
      for (const to of places) {
        const { environment, secretPath } = fields;
        const gained = readingPermissions.find((one) =>
          gains(ability, one, { from: { environment, secretPath }, to }, fields),
        );
        if (gained) throw gainByRename(gained, to);
      }
  }
}
