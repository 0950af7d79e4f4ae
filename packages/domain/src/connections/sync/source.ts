import { abilityIn, denied } from '../../access/index.ts';
import {
  badRequest,
  DomainError,
  inTransaction,
  type Ability,
  type Context,
  type PendingEvent,
} from '../../kernel/index.ts';
import { authorizeWithin, folderAt } from '../../secrets/folder/index.ts';
import { abilityOfRunAs, readsAll } from '../../secrets/import/replication/index.ts';
import {
  contentOfFolder,
  NO_VALUES,
  listSecrets,
  requireResolved,
  secretPermissions,
  type Secret,
  type SecretList,
} from '../../secrets/secret/index.ts';
import { namedPlacesOf, type NamedPlace } from './named-places.ts';
import type { Run } from './run.ts';
import type { Metadata } from './sync.ts';

/** The source of a sync. */
export interface Source {
  readonly projectId: string;
  /** The environment's slug. */
  readonly environment: string;
  readonly secretPath: string;
}

const WHOLE = {
  viewSecretValue: true,
  expandSecretReferences: true,
  includeImports: true,
  recursive: false,
  includePersonalOverrides: false,
} as const;

/**
 * Checks that the caller may read everything that a sync would write, now and later: every secret in the folder, in its
 * imports, and in their references. Otherwise a sync would bypass the rules.
 *
 * @returns The values by name.
 * @throws DomainError 403; 404 if there is no such environment or folder.
 */
export async function requireVisible(ctx: Context, source: Source): Promise<ReadonlyMap<string, string>> {
  const { projectId, environment, secretPath } = source;
  const every = { projectId, environment, secretPath, secretName: '*', secretTags: [] };
  await authorizeWithin(ctx, secretPermissions.readValue, every);
  await folderAt(ctx, { projectId, environment, path: secretPath });
  const ability = await abilityIn(ctx, projectId);
  // Do not name what the caller may not read.
  if (!(await readsAll(ability, await contentOfFolder(ctx, source, NO_VALUES))))
    throw denied(ability, secretPermissions.readValue);
  const found = secretsIn(await wholeContent(ctx, source));
  return new Map(Array.from(found, ([name, { secretValue }]) => [name, secretValue]));
}

/** Everything in the folder with all references resolved. @throws DomainError 403 where some may not be read. */
async function wholeContent(ctx: Context, source: Source): Promise<SecretList> {
  const list = await listSecrets(ctx, { ...source, ...WHOLE });
  const imported = (list.imports ?? []).flatMap(({ secrets }) => secrets);
  await requireResolved(ctx, source.projectId, [...list.secrets, ...imported]);
  return list;
}

export const noLongerAllowed = (): DomainError =>
  badRequest(
    'secret_sync.run_as',
    'The actor that this integration runs as may no longer read all of its source: an actor with read access must save it again',
  );

/**
 * The current rights of the actor that a sync runs as.
 *
 * @throws DomainError 400 `secret_sync.run_as` if it was deleted.
 */
export async function rightsIn(ctx: Context, { organizationId, projectId, runAs }: Run): Promise<Ability> {
  const scope = { organizationId, projectId };
  const rights = runAs && (await inTransaction(ctx, (tx) => abilityOfRunAs(tx, scope, runAs)));
  if (!rights) throw noLongerAllowed();
  return rights;
}

/**
 * The same call with an actor's rights in a project. Events of reads are not committed but passed to `keep`: a value
 * counts as read when it leaves Coffer.
 */
export function withRights(
  ctx: Context,
  projectId: string,
  rights: Ability,
  keep: (event: PendingEvent) => void,
): Context {
  const own: Partial<Context> = {
    ability: async (asked, place) => (place.projectId === projectId ? rights : ctx.ability(asked, place)),
    commitRead: async (event) => keep(event),
    // `requireStillPermitted` of the call must not repeat checks of the rights of another actor.
    passed: [],
  };
  return new Proxy({} as Context, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof Context];
      const value: unknown = Reflect.get(ctx, name, ctx);
      return typeof value === 'function' ? (value.bind(ctx) as unknown) : value;
    },
  });
}

export interface SourceValues {
  /** Values by name, imports included and references expanded. */
  readonly values: ReadonlyMap<string, string>;
  readonly metadata: ReadonlyMap<string, Metadata>;
  /** The events to commit before any value leaves. */
  readonly reads: readonly PendingEvent[];
  /** The folders of these secrets. */
  readonly places: readonly NamedPlace[];
}

/**
 * The secrets that a sync writes, read with these rights.
 *
 * @throws DomainError 404 if the environment or the folder was deleted; 400 `secret_sync.run_as` if the rights are not
 * sufficient, and if there are too many secrets.
 */
export async function readSource(ctx: Context, source: Source, rights: Ability): Promise<SourceValues> {
  const { projectId, environment, secretPath } = source;
  await folderAt(ctx, { projectId, environment, path: secretPath });
  const content = await contentOfFolder(ctx, source, NO_VALUES);
  if (!(await readsAll(rights, content))) throw noLongerAllowed();
  const reads: PendingEvent[] = [];
  const reader = withRights(ctx, projectId, rights, (event) => reads.push(event));
  const found = secretsIn(await allowed(wholeContent(reader, source)));
  const values = new Map(Array.from(found, ([name, { secretValue }]) => [name, secretValue]));
  const metadata = new Map(Array.from(found, ([name, secret]) => [name, openMetadataOf(secret)]));
  // A secret that is skipped here would be deleted at the target.
  if (values.size !== content.secrets.size || ![...values.keys()].every((name) => content.secrets.has(name)))
    throw badRequest('secret_sync.source_changed', 'The folder was changed while it was read');
  return { values, metadata, reads, places: namedPlacesOf(content.places) };
}

/** Does not name the reference: readers of the status may not know where it leads. */
const tooLarge = () =>
  badRequest(
    'secret_sync.too_large',
    'With its references, a value of the source, or all of them together, would be too large, or there are too many references',
  );

/** Runs work as the actor, and rejects it if the actor lacks a right. Errors do not name what is referred to. */
export async function allowed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'secret.too_many_references') throw tooLarge();
    throw error.kind === 'forbidden' ? noLongerAllowed() : error;
  }
}

export const noLongerTheirs = (): DomainError =>
  badRequest(
    'secret_sync.requester',
    'The actor who requested this may not do so, or no longer: somebody with the rights to it must request it again',
  );

/** The same for work that somebody else has requested. A refusal does not name what it is about: others read the status. */
export async function unlessRefused<T>(work: Promise<T>, refusals = ['forbidden']): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw refusals.includes(error.kind) ? noLongerTheirs() : error;
  }
}

/**
 * The secrets that a reader of the folder gets, by name: its own take precedence over imports, and later imports over
 * earlier ones.
 */
const secretsIn = ({ secrets, imports = [] }: SecretList): Map<string, Secret> =>
  new Map([...imports.flatMap((one) => one.secrets), ...secrets].map((one) => [one.secretKey, one] as const));

const openMetadataOf = ({ secretMetadata }: Secret): Metadata =>
  new Map(secretMetadata.flatMap(({ key, value, isEncrypted }) => (isEncrypted ? [] : [[key, value] as const])));
