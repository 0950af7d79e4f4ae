import {
  abilityIn,
  allowsAll,
  COMPARED_AT_ONCE,
  ComparisonBudget,
  eachInTurns,
  filterInTurns,
  gainsIn,
  missingPermissions,
  placesFreely,
  requireMayPlace,
  type Gains,
  type NarrowedRule,
} from '../../access/index.ts';
import {
  statement,
  type Ability,
  type Fields,
  type Permission,
  type Rule,
  type Transaction,
} from '../../kernel/index.ts';
import {
  folderPermissions,
  gainByRename,
  gainingFolders,
  nameOf,
  parentPath,
  requireNoGain,
  rulesWithin,
  type PlaceGain,
  type PlaceMove,
  type RulePlace,
} from '../folder/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { Contents, KINDS, type KindInFolders } from './contents.ts';
import { requireMayGoOn } from './going-on.ts';
import { contentOfFolder, copiedFrom, NO_VALUES } from './imported.ts';
import { fieldsOf } from './row.ts';
import { readingPermissions } from './secret.ts';
import type { VersionRef } from './stored-versions.ts';
import { versionGain } from './version-gains.ts';

/** A folder that gets another place: by another name of it, of a folder above it, or of its environment. */
export interface RenamedFolder extends PlaceMove {
  readonly id: string;
}

/** The versions, replaced or deleted, of the secrets that are or were in some folders. */
const VERSIONS = statement(
  'rename.versions',
  `with held as (
     select unnest($2::uuid[]) as id union select id from folders where is_reserved and parent_id = any($2::uuid[])
   )
   select o.id, v.version from (
     select s.id from held cross join lateral (
       select id from secrets where folder_id = held.id and user_id is null offset 0) s
     union select v.secret_id from held cross join lateral (
       select secret_id from secret_versions where folder_id = held.id and user_id is null offset 0) v
   ) o cross join lateral (
     select version from secret_versions where secret_id = o.id and project_id = $1 and user_id is null offset 0) v`,
);

const CREATIONS: readonly Permission[] = KINDS.map(({ create }) => create);

const includes = (some: readonly Permission[], { key }: Permission): boolean => some.some((one) => one.key === key);

type Gaining = RenamedFolder & { readonly gained: readonly PlaceGain[] };

/**
 * Rejects (403) new names of folders
 * - under which some actor could do anything there that the caller may not do now;
 * - under which the caller could not create each resource of the folder, or if a rule forbids to delete it from the old
 *   name (see `requireMayPlace`);
 * - under which the caller could not set up without an end what goes on there by itself (see `requireMayGoOn`).
 * The tree and the names of the project are locked.
 */
export async function requireMayRename(
  tx: Transaction,
  projectId: string,
  folders: readonly RenamedFolder[],
): Promise<void> {
  requireNamesLocked(tx, 'exclusive', { projectId });
  const ability = await abilityIn(tx, projectId);
  const placed = KINDS.filter((kind) => !placesFreely(ability, kind));
  const contents = new Contents(
    tx,
    folders.map(({ id }) => id),
    placed,
  );
  await requireNoGainByRename(tx, projectId, folders, contents);
  await requireMayPlaceFolders(ability, projectId, folders);
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  for (const kind of placed) {
    const things = await contents.of(kind, byId);
    const changes = things.map((thing) => changeOf(thing, byId.get(thing.folderId)!));
    await requireMayPlace(ability, kind, projectId, changes);
  }
  await requireMayGoOn(tx, projectId, byId);
}

/** The root folder is created and deleted with its environment. */
function requireMayPlaceFolders(ability: Ability, projectId: string, folders: readonly RenamedFolder[]): Promise<void> {
  const asFolder = ({ environment, secretPath }: RulePlace) => ({
    environment,
    secretPath: parentPath(secretPath),
    folderName: nameOf(secretPath),
  });
  const changes = folders
    .filter(({ to }) => to.secretPath !== '/')
    .map(({ from, to }) => ({ before: asFolder(from), after: asFolder(to) }));
  return requireMayPlace(ability, folderPermissions, projectId, changes);
}

const changeOf = ({ fields }: { fields: Fields }, { from, to }: PlaceMove) => ({
  before: { ...fields, ...from },
  after: { ...fields, ...to },
});

/**
 * Rejects (403) new names under which some actor gains a right (see `Gains`): on the folder, or on any resource in it.
 * Contents are not read if nobody's rules distinguish the names, or if the caller has all these rights.
 */
async function requireNoGainByRename(
  tx: Transaction,
  projectId: string,
  folders: readonly RenamedFolder[],
  contents: Contents,
): Promise<void> {
  const gains = await gainsIn(tx, projectId);
  await requireNoGain(gains, folders);
  const gaining = await gainingFolders(gains, folders);
  const budget = new ComparisonBudget(COMPARED_AT_ONCE);
  for (const folder of gaining) requireNoNewCreation(gains, folder, budget);
  for (const kind of KINDS)
    await eachInTurns(await thingsIn(contents, kind, gaining), ({ folder, permissions, before, after }) => {
      const gained = permissions.find((permission) => gains.gives(permission, before, after));
      if (gained) throw gainByRename(gains, gained, folder);
    });
  await requireNoGainOfVersions(tx, projectId, gains, folders);
}

/** The contents of one kind, in some folders, on which an actor may gain a right. */
async function thingsIn(contents: Contents, kind: KindInFolders, folders: readonly Gaining[]) {
  const asked = new Map(
    folders.flatMap((folder) => {
      const all = folder.gained.map(({ permission }) => permission);
      const permissions = all.filter(({ subject }) => subject === kind.create.subject);
      return permissions.length > 0 ? [[folder.id, { folder, permissions }] as const] : [];
    }),
  );
  return (await contents.of(kind, asked)).map((thing) => {
    const { folder, permissions } = asked.get(thing.folderId)!;
    return { folder, permissions, ...changeOf(thing, folder) };
  });
}

/**
 * Rejects (403) recreating a deleted folder at a location where some actor could see more of its former contents than
 * the caller may see now: until then its versions are authorized by its last location. The names of the project are
 * locked.
 */
export async function requireNoGainByReturn(
  tx: Transaction,
  projectId: string,
  { id, to }: { id: string; to: RulePlace },
): Promise<void> {
  requireNamesLocked(tx, 'exclusive', { projectId });
  await requireNoGainOfVersions(tx, projectId, await gainsIn(tx, projectId), [{ id, to }]);
}

/** What was replaced or deleted is read by the present name of its folder as well. */
async function requireNoGainOfVersions(
  tx: Transaction,
  projectId: string,
  gains: Gains,
  folders: readonly (Pick<RenamedFolder, 'id' | 'to'> & Partial<RenamedFolder>)[],
): Promise<void> {
  const asked = await gains.notHeld(readingPermissions, allowsAll);
  if (asked.every((permission) => gains.rulesFor(permission).length === 0)) return;
  const isTold = ({ from, to }: (typeof folders)[number]) =>
    !from || asked.some((permission) => gains.giving(permission, from, to).length > 0);
  const renamed = new Map((await filterInTurns(folders, isTold)).map(({ id, to }) => [id, to]));
  if (renamed.size === 0) return;
  const refs = await tx.sql<VersionRef>(VERSIONS, [projectId, [...renamed.keys()]]);
  const gain = await versionGain(tx, projectId, gains, refs, ({ fields, folderId }) => {
    const to = renamed.get(folderId);
    const isSame = !to || (to.environment === fields.environment && to.secretPath === fields.secretPath);
    return isSame ? fields : { ...fields, environment: to.environment, secretPath: to.secretPath };
  });
  if (gain) {
    const { fields: from, folderId } = gain.names;
    throw gainByRename(gains, gain.permission, { from, to: renamed.get(folderId)! });
  }
}

/** An actor that could create under the new name what the caller may not create now could add it to this folder. */
function requireNoNewCreation(gains: Gains, { gained, ...move }: Gaining, budget: ComparisonBudget): void {
  for (const { permission, given } of gained) {
    if (!includes(CREATIONS, permission)) continue;
    const only = <One extends Rule>(some: readonly One[]) =>
      some.map((rule) => ({ ...rule, action: permission.action }));
    const isHeld = gains.holds((ability) => {
      const held = only(rulesWithin(gains, ability, permission, move.from));
      const areHeld = (rules: readonly NarrowedRule[]) => missingPermissions(only(rules), held, budget).length === 0;
      return given.every(({ rules, exactly }) => areHeld(rules) || exactly().every((part) => areHeld(part())));
    });
    if (!isHeld) throw gainByRename(gains, permission, move);
  }
}

/**
 * Rejects (403) new names of folders under which replications copy their contents, or imports, to readers that gain
 * what the caller may not read now.
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
  if (copies.every((places) => places.length === 0)) return;
  const gains = await gainsIn(tx, projectId);
  for (const [index, { from }] of folders.entries()) {
    const places = copies[index]!.map(({ environment, path: secretPath }) => ({ environment, secretPath }));
    if (places.length === 0) continue;
    await requireNoGain(
      gains,
      places.map((to) => ({ from, to })),
      readingPermissions,
    );
    const { secrets } = await contentOfFolder(tx, { projectId, ...from }, NO_VALUES);
    const open = await gains.notHeld(Array.from(secrets.values(), fieldsOf), (held, fields) =>
      readingPermissions.every((one) => held.can(one, fields)),
    );
    await eachInTurns(open, (fields) => {
      for (const to of places) {
        const gained = readingPermissions.find((one) => gains.gives(one, fields, { ...fields, ...to }));
        if (gained) throw gainByRename(gains, gained, { from, to });
      }
    });
  }
}
