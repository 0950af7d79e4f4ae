import { requireRemoteItems, type RemoteSession } from '../../family/index.ts';
import { badRequest, type Ability, type Context } from '../../kernel/index.ts';
import { connect } from '../connection/index.ts';
import { connectors, syncs } from '../registry.ts';
import { compare, nameAll, nameAtSource, type Difference, type Entry, type Named, type Naming } from './difference.ts';
import { entriesOf } from './entries.ts';
import { openHashes, type Hashes } from './hash.ts';
import type { Importable } from './initial.ts';
import { keptFor, withoutKept, type Kept } from './kept-names.ts';
import { endsOf, namingOf } from './naming.ts';
import type { OtherSync } from './others.ts';
import type { Run } from './run.ts';
import { openSession, type Session } from './session.ts';
import { readSource, rightsIn, type Source, type SourceValues } from './source.ts';
import { canListAll, type ConfiguredSync } from './sync.ts';

export const locationOf = ({ projectId, environment, secretPath }: Run): Source => ({
  projectId,
  environment,
  secretPath,
});

export const configuredBy = ({ destination, config, options }: Run): ConfiguredSync =>
  syncs.require(destination).configure(config, options);

/** For write-only targets, the fingerprint is known only from here. */
export const hashesFor = (ctx: Context, run: Run, { fingerprint }: ConfiguredSync): Promise<Hashes> =>
  openHashes(ctx, run, fingerprint === undefined ? [] : [fingerprint]);

/** The source of a run, read with the rights of the actor that it runs as. */
export interface Reading {
  readonly configured: ConfiguredSync;
  readonly naming: Naming;
  readonly hashes: Hashes;
  readonly rights: Ability;
  readonly source: SourceValues;
  readonly kept: Kept;
}

/** @throws DomainError as `readSource`, and where the actor that it runs as was deleted. */
export async function readForRun(ctx: Context, run: Run, remote: RemoteSession): Promise<Reading> {
  const configured = configuredBy(run);
  const naming = namingOf({ ...configured, environment: run.keyEnvironment });
  const hashes = await hashesFor(ctx, run, configured);
  const rights = await rightsIn(ctx, run);
  const source = await readSource(ctx, locationOf(run), rights);
  remote.hideValues(source.values.values());
  return { configured, naming, hashes, rights, source, kept: keptFor(ctx, run, configured) };
}

/** @throws DomainError 400 `secret_sync.too_many`, before the target is called */
export async function nameThere(
  values: ReadonlyMap<string, string>,
  { configured, naming, kept }: Reading,
): Promise<Named> {
  const { limits } = configured.layout;
  const named = nameAll(values, naming, limits, await kept());
  if (named.wanted.size > limits.secrets)
    throw badRequest(
      'secret_sync.too_many',
      `${named.wanted.size} secrets are more than the ${limits.secrets} that fit there`,
    );
  return named;
}

/** As `nameThere`, of what the folder holds after an import: what would not fit there is not imported. */
export const nameAfterImport = (taken: readonly Importable[], reading: Reading): Promise<Named> =>
  nameThere(
    new Map([
      ...reading.source.values,
      ...taken.map(({ secretKey, secretValue }) => [secretKey, secretValue] as const),
    ]),
    reading,
  );

export async function openTarget(
  ctx: Context,
  run: Run,
  reading: Pick<Reading, 'configured' | 'kept'>,
  remote: RemoteSession,
): Promise<Session> {
  const { configured } = reading;
  const connector = connectors.require(run.app);
  if (connector !== configured.sync.connector)
    throw badRequest('secret_sync.connection', `A connection to ${connector.title} does not reach this destination`);
  const { connectionId: id, organizationId, connectionProjectId: projectId, credentials, givenAuth: given } = run;
  const client = await connect(ctx, { id, organizationId, projectId, credentials, given }, connector, remote);
  return withoutKept(ctx, run, reading, await openSession(configured, client));
}

/** A target as a run has found it. */
export interface Found {
  readonly session: Session;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly present: ReadonlyMap<string, string | undefined>;
}

/** Lists the items with these names, those that the sync has written, and, if it imports or owns names, all others. */
export async function listTarget(
  ctx: Context,
  run: Run,
  reading: Reading,
  { names, isImporting, remote }: { names: Iterable<string>; isImporting: boolean; remote: RemoteSession },
): Promise<Found> {
  const session = await openTarget(ctx, run, reading, remote);
  const entries = await entriesOf(ctx, run);
  const present = await session.list(
    [...new Set([...names, ...entries.keys()])],
    isImporting || mayOwn(reading.configured),
  );
  requireRemoteItems(present.size);
  remote.hideValues(present.values());
  return { session, entries, present };
}

/** Whether everything at the target whose name matches the key schema belongs to the sync. */
const mayOwn = (configured: ConfiguredSync): boolean => {
  const { keySchema, initialSyncBehavior } = configured.options;
  return !!keySchema && initialSyncBehavior === 'overwrite-destination' && canListAll(configured);
};

/** The changes to make. Where others write to the same target, no names belong to the sync. */
export async function differenceOf(
  run: Run,
  named: Named,
  { configured, hashes }: Reading,
  { entries, present }: Found,
  others: readonly OtherSync[],
): Promise<Difference> {
  const writeOnly = configured.sync.writeOnly === true;
  const compared = writtenThere(named.wanted, entries, present);
  const ends = endsOf({ ...configured, environment: run.keyEnvironment });
  return compare({
    ...named,
    present,
    entries,
    hash: await hashes.ofItems([...(writeOnly ? named.wanted : []), ...compared]),
    writeOnly,
    mayRemove: !configured.options.disableSecretDeletion,
    owns: mayOwn(configured) && others.length === 0 ? (name) => nameAtSource(name, ends) !== undefined : undefined,
  });
}

/** The items at the target whose hashes are compared: those that a sync may have written, and that have no place here. */
export const writtenThere = (
  wanted: Named['wanted'],
  entries: ReadonlyMap<string, Entry>,
  present: ReadonlyMap<string, string | undefined>,
) =>
  [...entries]
    .filter(([name, { nextHash }]) => nextHash !== null || !wanted.has(name))
    .map(([name]) => [name, present.get(name)] as const);
