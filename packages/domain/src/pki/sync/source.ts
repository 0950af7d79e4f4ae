import { hash } from 'node:crypto';
import {
  at,
  badRequest,
  eventOf,
  inTransaction,
  restBeforeLong,
  statement,
  type Ability,
  type Context,
  type PendingEvent,
  WorkBudget,
} from '../../kernel/index.ts';
import { abilityOfRunAs, type RunAs } from '../../secrets/import/replication/index.ts';
import {
  allowsCertificate,
  certificateFactsOf,
  certificateKeyRead,
  certificatePermissions,
  certificatesById,
  chainOf,
  namedOf,
  openPrivateKey,
  privateKeyPem,
  withoutRootsOf,
  type StoredCertificate,
} from '../certificate/index.ts';
import { readStoredChain, toPem, type KeyAlgorithm } from '../x509.ts';
import { nameOf, type Bundle, type ConfiguredPkiSync } from './destination.ts';
import { keyOf, type Wanted } from './plan.ts';

const LINKS = statement(
  'pki_sync.links',
  `select certificate_id as "certificateId", line_id as "lineId" from pki_sync_certificates
   where organization_id = $1 and sync_id = $2 order by created_at, certificate_id`,
);

/** A certificate of a sync, in its line. */
interface Link {
  readonly certificateId: string;
  readonly lineId: string;
}

export interface WantedCertificate extends Wanted {
  readonly row: StoredCertificate;
  readonly bundle: Omit<Bundle, 'privateKey'>;
}

/** The certificates of a sync, and what is to become of them. */
export interface Source {
  readonly wanted: readonly WantedCertificate[];
  /** Why some cannot be written, by ID. What is at the destination of them stays. */
  readonly rejected: ReadonlyMap<string, string>;
  /** The same, by what items belong to. */
  readonly kept: ReadonlySet<string>;
  /** Whether nothing but another certificate or configuration helps against all of that. */
  readonly isFinal: boolean;
  /** Why some are no longer written: revoked or expired; by ID. */
  readonly over: ReadonlyMap<string, string>;
  /** The renewals that have taken the place of others, by the ID of these. */
  readonly successors: ReadonlyMap<string, string>;
  /** When the next of them expires. */
  readonly until: Date | undefined;
}

interface SyncOf {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly runAs: RunAs | null;
}

/**
 * The current rights of the actor that a sync runs as.
 *
 * @throws DomainError 400 `pki_sync.run_as` if it was deleted, or left the project.
 */
export async function rightsOf(ctx: Context, { organizationId, projectId, runAs }: SyncOf): Promise<Ability> {
  const scope = { organizationId, projectId };
  const rights = runAs && (await inTransaction(ctx, (tx) => abilityOfRunAs(tx, scope, runAs)));
  if (rights) return rights;
  throw badRequest(
    'pki_sync.run_as',
    'The actor that this sync runs as is no longer in the project: an actor who may read its private keys has to save it again',
  );
}

const readKey = certificatePermissions['read-private-key'];

/** Whether rights allow to have the private key of a certificate leave Coffer. */
export const mayLeave = (rights: Ability, row: StoredCertificate): boolean =>
  allowsCertificate(rights, readKey, certificateFactsOf(row));

/** The certificates of a sync, with the rights of the actor that it runs as. */
export async function readSource(
  ctx: Context,
  sync: SyncOf,
  configured: ConfiguredPkiSync,
  rights: Ability,
): Promise<Source> {
  const links = await ctx.sql<Link>(LINKS, [sync.organizationId, sync.id]);
  const rows = await certificatesById(
    ctx,
    sync.organizationId,
    links.map(({ certificateId }) => certificateId),
  );
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const rejected = new Map<string, string>();
  const kept = new Set<string>();
  const wanted: WantedCertificate[] = [];
  const { current, ...others } = currentOf(links, rowOf, configured.replaces, ctx.now());
  let isFinal = true;
  const chains = new Chains();
  const pace = new WorkBudget();
  for (const { link, row } of current) {
    const isAllowed = mayLeave(rights, row);
    const why = isAllowed ? reasonAgainst(row, configured) : NOT_ALLOWED;
    isFinal &&= isAllowed;
    if (why === undefined) {
      const whole = chainOf(row);
      wanted.push(wantedOf(row, link, configured, await chains.read(whole)));
      await pace.spendAndRest(COST + whole.length / 500);
    } else {
      rejected.set(row.id, why);
      kept.add(keyOf(configured.replaces, link));
    }
  }
  const ends = current.map(({ row }) => at(row.notAfter).getTime());
  const until = ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
  return { ...others, wanted, rejected, kept, isFinal, until };
}

const NOT_ALLOWED = 'The actor that this sync runs as may not read its private key';

interface Current {
  readonly link: Link;
  readonly row: StoredCertificate;
}

/** The valid certificates: of each line the newest one, if renewals replace. */
function currentOf(
  links: readonly Link[],
  rowOf: ReadonlyMap<string, StoredCertificate>,
  replaces: boolean,
  now: Date,
): Pick<Source, 'over' | 'successors'> & { readonly current: Current[] } {
  const over = new Map<string, string>();
  const successors = new Map<string, string>();
  const byKey = new Map<string, Current>();
  for (const link of links) {
    const row = rowOf.get(link.certificateId);
    if (!row) continue;
    if (row.status === 'revoked') over.set(row.id, 'The certificate is revoked');
    else if (at(row.notAfter) <= now) over.set(row.id, 'The certificate has expired');
    else {
      const key = keyOf(replaces, link);
      const before = byKey.get(key);
      if (before) successors.set(before.row.id, row.id);
      byKey.set(key, { link, row });
    }
  }
  return { current: [...byKey.values()], over, successors };
}

function reasonAgainst(row: StoredCertificate, configured: ConfiguredPkiSync): string | undefined {
  const { title, limits } = configured.sync;
  if (!row.privateKey) return 'Its private key is not stored here';
  if (!limits.keys.includes(row.keyAlgorithm as KeyAlgorithm))
    return `${title} takes no keys of the algorithm ${row.keyAlgorithm}`;
  const name = nameOf(configured, row.id);
  return limits.name.test(name) ? undefined : `The name ${name} has to be ${limits.expected}`;
}

/** Microseconds of reading a chain: what signs itself is verified. */
const COST_OF_CHAIN = 25_000;
/** The cost of a certificate with a chain that was read, as of `WorkBudget`. */
const COST = 50;

/** What is above a certificate, in PEM. */
interface ReadAbove {
  readonly whole: string;
  readonly withoutRoots: string;
  readonly root: string;
}

/** The chains of a source: many certificates have the same one. */
class Chains {
  readonly #known = new Map<string, ReadAbove>();

  async read(whole: string): Promise<ReadAbove> {
    const known = this.#known.get(whole);
    if (known) return known;
    await restBeforeLong(COST_OF_CHAIN);
    const above = readStoredChain(whole);
    const last = above.at(-1);
    const read = { whole, withoutRoots: withoutRootsOf(above), root: last ? toPem('CERTIFICATE', last.der) : '' };
    this.#known.set(whole, read);
    return read;
  }
}

function wantedOf(
  row: StoredCertificate,
  { lineId }: Link,
  { options, written }: ConfiguredPkiSync,
  { whole, withoutRoots, root }: ReadAbove,
): WantedCertificate {
  const bundle = {
    certificate: toPem('CERTIFICATE', row.body),
    chain: options.includeRootCa ? whole : withoutRoots,
    root,
    keyAlgorithm: row.keyAlgorithm,
    fingerprint: row.fingerprintSha256,
    notAfter: at(row.notAfter),
  };
  const content = hash('sha256', JSON.stringify([bundle.certificate, bundle.chain, bundle.root, written]));
  return { certificateId: row.id, lineId, fingerprint: row.fingerprintSha256, content, row, bundle };
}

const LINKED = statement(
  'pki_sync.linked',
  'select from pki_sync_certificates where organization_id = $1 and sync_id = $2 and certificate_id = $3',
);

/**
 * Checks before a key leaves what was true when the run began: its destination may have answered slowly since.
 *
 * @throws DomainError 400 `pki_sync.changed` if the certificate was taken out or revoked, or its key may not leave any more;
 * `pki_sync.run_as`
 */
export async function requireStillWanted(ctx: Context, sync: SyncOf, { certificateId }: Wanted): Promise<void> {
  const { organizationId, id } = sync;
  const rights = await rightsOf(ctx, sync);
  const [row] = await certificatesById(ctx, organizationId, [certificateId]);
  const linked = await ctx.sql(LINKED, [organizationId, id, certificateId]);
  if (linked.length === 0 || row?.status !== 'active') throw syncChanged();
  if (!mayLeave(rights, row)) throw syncChanged(NOT_ALLOWED);
}

/** What has changed in the middle of a run is done by the next one. */
export const syncChanged = (why = 'The sync was changed meanwhile'): Error => badRequest('pki_sync.changed', why);

/** A certificate with its key, and the event of the read, which is committed before anything leaves. */
export async function bundleOf(
  ctx: Context,
  { row, bundle }: WantedCertificate,
): Promise<{ bundle: Bundle; read: PendingEvent }> {
  const key = await openPrivateKey(ctx, row);
  const { organizationId, projectId } = row;
  return {
    bundle: { ...bundle, privateKey: privateKeyPem(key!) },
    read: eventOf(certificateKeyRead, namedOf(row), { organizationId, projectId }),
  };
}
