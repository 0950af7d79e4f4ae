import { connectionById, connectTo } from '../../connections/app-connection/index.ts';
import { beginWork } from '../../connections/connection/index.ts';
import { runTasks, type Result, type Task } from '../../connections/sync/index.ts';
import { delayAskedFor, isRemote, type RemoteSession } from '../../family/index.ts';
import { badRequest, DomainError, type Context } from '../../kernel/index.ts';
import { nameOf, type CertificateStore, type ConfiguredPkiSync, type Found, type Sought } from './destination.ts';
import { confirm, drop, intend, itemsOf } from './items.ts';
import { itemsByKey, keyOf, plan, type Item, type Plan, type Put } from './plan.ts';
import { pkiSyncs } from './registry.ts';
import {
  bundleOf,
  readSource,
  requireStillWanted,
  rightsOf,
  syncChanged,
  type Source,
  type WantedCertificate,
} from './source.ts';
import type { PkiSyncRow, Run } from './stored.ts';

/** The outcome of a sync, or of a removal. */
export interface Synced extends Result {
  readonly written: number;
  readonly removed: number;
  /** The certificates that are at the destination. */
  readonly placed?: ReadonlySet<string>;
  /** Why others could not be written, by ID. */
  readonly faults?: ReadonlyMap<string, string>;
  /** Those that are no longer written, and why. */
  readonly over?: ReadonlyMap<string, string>;
  /** Those in whose place a renewal is. */
  readonly superseded?: readonly string[];
  /** When the first certificate expires. */
  readonly until?: Date | undefined;
}

const configuredBy = ({ destination, config, options }: Pick<PkiSyncRow, 'destination' | 'config' | 'options'>) =>
  pkiSyncs.require(destination).configure(config, options);

/**
 * Syncs a destination with its certificates: reads these with the rights of the actor that it runs as, looks at what is
 * there, and carries out the difference. Errors contain no credentials and no keys.
 */
export const synchronize = (ctx: Context, run: Run): Promise<Synced> =>
  atDestination(ctx, async (session) => {
    const { source, store, planned } = await compareBoth(ctx, run, session);
    if (!store) return ofSource(source, source.rejected);
    return carryOut(ctx, run, { session, store, source, planned });
  });

interface Comparison {
  readonly source: Source;
  readonly planned: Plan<WantedCertificate>;
  /** Absent where there is nothing to compare: the destination was not asked. */
  readonly store?: CertificateStore;
}

const UNCHANGED: Plan<WantedCertificate> = { puts: [], removals: [], dropped: [], upToDate: [], taken: new Map() };

/**
 * The certificates of a sync, read with the rights of the actor that it runs as, and how they differ from what is at the
 * destination.
 *
 * @throws DomainError where the sync fails before it changes anything; its message may hold credentials.
 */
export async function compareBoth(ctx: Context, run: PkiSyncRow, session: RemoteSession): Promise<Comparison> {
  const configured = configuredBy(run);
  const source = await readSource(ctx, run, configured, await rightsOf(ctx, run));
  const items = await itemsOf(ctx, run.id);
  if (source.wanted.length === 0 && items.length === 0) return { source, planned: UNCHANGED };
  const store = await openStore(ctx, run, configured, session);
  const found = await look(store, configured, source, items);
  const { replaces, updates, options } = configured;
  const planned = plan({
    ...{ ...source, items, found, replaces, updates, mayRemove: options.canRemoveCertificates },
    nameOf: (id) => nameOf(configured, id),
  });
  return { source, planned, store };
}

const NOTHING: Source = {
  wanted: [],
  ...{ rejected: new Map(), over: new Map(), successors: new Map(), kept: new Set(), isFinal: true, until: undefined },
};

/** Removes everything that a sync has written, whatever its options say. */
export const removeAll = (ctx: Context, run: Run): Promise<Synced> =>
  atDestination(ctx, async (session) => {
    const configured = configuredBy(run);
    const items = await itemsOf(ctx, run.id);
    if (items.length === 0) return { written: 0, removed: 0 };
    const store = await openStore(ctx, run, configured, session);
    const found = await look(store, configured, NOTHING, items);
    const compared = { ...NOTHING, ...configured, items, found, mayRemove: true };
    const planned = plan({ ...compared, nameOf: (id) => nameOf(configured, id) });
    return carryOut(ctx, run, { session, store, source: NOTHING, planned });
  });

async function atDestination(ctx: Context, work: (session: RemoteSession) => Promise<Synced>): Promise<Synced> {
  using session = beginWork(ctx);
  try {
    return await work(session);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { failure: await session.redact(error.message), retryAfter: delayAskedFor(error), written: 0, removed: 0 };
  }
}

async function openStore(
  ctx: Context,
  { id: syncId, connectionId, projectId }: PkiSyncRow,
  configured: ConfiguredPkiSync,
  session: RemoteSession,
): Promise<CertificateStore> {
  const connection = await connectionById(ctx, connectionId);
  const isUsable = connection && (!connection.projectId || connection.projectId === projectId);
  if (!isUsable || connection.app !== configured.sync.connector.app)
    throw badRequest('pki_sync.connection', 'The connection of this sync does not reach its destination');
  return configured.open(await connectTo(ctx, connection, session), { syncId });
}

/** What is at the destination of everything that a sync has written, or is to write. */
function look(
  store: CertificateStore,
  configured: ConfiguredPkiSync,
  { wanted }: Source,
  items: readonly Item[],
): Promise<ReadonlyMap<string, Found>> {
  const itemOf = itemsByKey(items, configured.replaces);
  const news = wanted.filter((one) => !itemOf.has(keyOf(configured.replaces, one)));
  const slots: Sought[] = [
    ...items.map(({ name, reference, nextFingerprint, mark }) => ({
      ...{ name, reference, mark },
      isPending: nextFingerprint !== null,
    })),
    ...news.map(({ certificateId }) => ({
      name: nameOf(configured, certificateId),
      ...{ reference: null, isPending: false, mark: null },
    })),
  ];
  return store.find(slots);
}

interface Work {
  readonly session: RemoteSession;
  readonly store: CertificateStore;
  readonly source: Source;
  readonly planned: Plan<WantedCertificate>;
}

async function carryOut(ctx: Context, run: Run, { session, store, source, planned }: Work): Promise<Synced> {
  const done = new Set(planned.upToDate.map(({ certificateId }) => certificateId));
  let removed = 0;
  const putTask = (put: Put<WantedCertificate>): Task => ({
    name: put.certificate.certificateId,
    run: async () => {
      await putOne(ctx, run, { session, store }, put);
      done.add(put.certificate.certificateId);
    },
  });
  const removeTask = ({ item, reference }: Plan<WantedCertificate>['removals'][number]): Task => ({
    name: item.name,
    run: async () => {
      await store.remove({ name: item.name, reference });
      await drop(ctx, run, [item.name]);
      removed++;
    },
  });
  await drop(
    ctx,
    run,
    planned.dropped.map(({ name }) => name),
  );
  // A renewed certificate is never missing.
  const put = await runTasks(planned.puts.map(putTask));
  const removal = await runTasks(put.stopped ? [] : planned.removals.map(removeTask));
  const faults = new Map(source.rejected);
  for (const [id, name] of planned.taken) faults.set(id, takenBy(name));
  for (const [id, reason] of put.rejected) faults.set(id, await session.redact(reason));
  const kept = await Promise.all(Array.from(removal.rejected.values(), (reason) => session.redact(reason)));
  const counts = {
    written: planned.puts.filter(({ certificate }) => done.has(certificate.certificateId)).length,
    removed,
    placed: done,
    superseded: [...source.successors].flatMap(([before, after]) => (done.has(after) ? [before] : [])),
  };
  const isFinal = put.rejected.size + kept.length === 0;
  const result = { ...ofSource(source, faults, { kept, isFinal }), ...counts };
  const stopped = put.stopped ?? removal.stopped;
  if (!stopped) return result;
  const isHalfway = isRemote(stopped, 'exhausted') && counts.written + removed > 0;
  const failure = await session.redact(stopped.message);
  return { ...result, isFinal: false, isHalfway, failure, retryAfter: delayAskedFor(stopped) };
}

/** Why a certificate is not written under a name. */
export const takenBy = (name: string): string => `Something that this sync has not written is called ${name} there`;

/** What could not be done. */
interface Failed {
  /** Why something is still there that is to be removed. */
  readonly kept?: readonly string[];
  readonly isFinal?: boolean;
}

/** What is known of a source, with what could not be done. What cannot be done without a change is not tried again. */
function ofSource(
  source: Source,
  faults: ReadonlyMap<string, string>,
  { kept = [], isFinal = true }: Failed = {},
): Synced {
  const { over, until } = source;
  const failures = [
    ...(faults.size > 0 ? [`${faults.size} of the certificates: ${distinct(faults.values())}`] : []),
    ...(kept.length > 0 ? [`${kept.length} of those that are to be removed: ${distinct(kept)}`] : []),
  ];
  return {
    ...{ written: 0, removed: 0, faults, over, until },
    ...(failures.length > 0 && { failure: failures.join('; '), isFinal: isFinal && source.isFinal }),
  };
}

const distinct = (reasons: Iterable<string>): string => [...new Set(reasons)].join('; ');

async function putOne(
  ctx: Context,
  run: Run,
  { session, store }: Pick<Work, 'session' | 'store'>,
  put: Put<WantedCertificate>,
): Promise<void> {
  const { name, reference, certificate } = put;
  const { bundle, read } = await bundleOf(ctx, certificate);
  session.hideValues([bundle.privateKey]);
  const mark = await store.mark?.({ name, reference }, bundle);
  if (!(await intend(ctx, run, put, mark))) throw syncChanged();
  await requireStillWanted(ctx, run, certificate);
  // A key is read when it leaves.
  await ctx.commitRead(read, ctx);
  const placed = await store.put({ name, reference }, bundle);
  await confirm(ctx, run, { name, reference: placed, content: certificate.content });
}
