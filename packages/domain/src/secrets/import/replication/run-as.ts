import {
  abilityIn,
  absentActor,
  actingAs,
  authorize,
  denied,
  findInTurns,
  requireLasting,
  type AskedRight,
} from '../../../access/index.ts';
import {
  forbidden,
  isForbiddenError,
  isPermitted,
  orUnknown,
  type Ability,
  type Context,
  type Transaction,
} from '../../../kernel/index.ts';
import type { Scope } from '../../commit/index.ts';
import {
  contentOfFolder,
  fieldsOf,
  NO_VALUES,
  readingPermissions,
  secretPermissions,
  type FolderContent,
  type SecretRow,
} from '../../secret/index.ts';
import type { RunAs } from './replication.ts';

/** The source of a replication. */
export interface SourcePlace {
  readonly projectId: string;
  /** The environment's slug. */
  readonly environment: string;
  readonly secretPath: string;
}

/** How a replication is set up. */
export interface ReplicationSetUp {
  readonly source: SourcePlace;
  /** The right by which the caller sets it up; that the caller has it now was checked. */
  readonly right: AskedRight;
}

/** The caller, as whom the replication will run. */
export function runAsOf({ actor }: Context): RunAs | undefined {
  return 'id' in actor ? { type: actor.type, id: actor.id } : undefined;
}

/** What is for people alone. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['name', 'description']);

/**
 * Whether an update of something that runs as its last editor changes nothing that it does, but that it does less: it names
 * it anew, or switches it off. Then it runs as the same actor as before: whoever corrects a name lends it no rights.
 *
 * @param switchedBy The field that is false where it is off.
 */
export const isOutward = <Changes extends object>(changes: Changes, switchedBy: keyof Changes & string): boolean =>
  Object.entries(changes).every(
    ([field, value]) => value === undefined || FOR_PEOPLE.has(field) || (field === switchedBy && value === false),
  );

/**
 * Checks that the caller may read the values and details of everything that would be copied, now and later: readers of
 * the copies need no permission on the source.
 *
 * @throws DomainError 403.
 */
async function requireReadableSource(ctx: Context, source: SourcePlace): Promise<FolderContent> {
  for (const permission of readingPermissions) await authorize(ctx, permission, everyIn(source));
  const ability = await abilityIn(ctx, source.projectId);
  const content = await contentOfFolder(ctx, source, NO_VALUES);
  // Do not name what the caller may not read.
  if (!(await readsAll(ability, content))) throw denied(ability, secretPermissions.readValue);
  return content;
}

const everyIn = (source: SourcePlace) => ({ ...source, secretName: '*', secretTags: [] });

/**
 * The same without an end: for what is copied later as another actor, when nobody asks for the rights of the caller.
 *
 * @throws DomainError 403.
 */
export async function requireLastingSource(ctx: Context, source: SourcePlace): Promise<void> {
  const content = await requireReadableSource(ctx, source);
  const right = { permission: secretPermissions.readValue, fields: everyIn(source) };
  await requireLasting(
    ctx,
    source.projectId,
    right,
    async (held) =>
      readingPermissions.every((permission) => held.can(permission, right.fields)) && (await readsAll(held, content)),
  );
}

/**
 * Checks that the caller may let a replication run as the caller: the right to its source, for which each run asks, and the
 * right by which it is set up, for which none does.
 *
 * @throws DomainError 403; 403 `PermissionBoundaryError` for a right that ends.
 */
export async function requireMayReplicate(ctx: Context, { source, right }: ReplicationSetUp): Promise<void> {
  await requireReadableSource(ctx, source);
  await requireLasting(ctx, source.projectId, right);
}

/** Whether all contents of a folder and its imports are readable. */
export async function readsAll(ability: Ability, { secrets }: FolderContent): Promise<boolean> {
  const isHidden = (row: SecretRow) => !readingPermissions.every((one) => ability.can(one, fieldsOf(row)));
  return (await findInTurns(secrets.values(), isHidden)) === undefined;
}

/** Whether the caller may; nothing is refused. */
export const mayReplicate = (ctx: Context, setUp: ReplicationSetUp): Promise<boolean> =>
  isPermitted(() => requireMayReplicate(ctx, setUp), isForbiddenError);

/**
 * Checks that the actor as whom a replication runs may still read all that it copies.
 *
 * @throws DomainError 403 `secret_import.run_as`.
 */
export async function requireRunAs(tx: Transaction, scope: Scope, runAs: RunAs, content: FolderContent): Promise<void> {
  const ability = await abilityOfRunAs(tx, scope, runAs);
  if (!ability || !(await readsAll(ability, content)))
    throw forbidden(
      'secret_import.run_as',
      'The user who set up this replication may no longer read all of its source',
    );
}

/** The present rights in the project of the actor as whom something runs; `undefined` for non-members. */
export async function abilityOfRunAs(tx: Transaction, scope: Scope, runAs: RunAs): Promise<Ability | undefined> {
  const actor = await absentActor(tx, scope, runAs);
  return actor && abilityOf(actingAs(tx, actor), scope);
}

const abilityOf = (tx: Transaction, { projectId }: Scope): Promise<Ability | undefined> =>
  orUnknown(abilityIn(tx, projectId));
