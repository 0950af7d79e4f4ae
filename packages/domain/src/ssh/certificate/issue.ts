import { randomBytes } from 'node:crypto';
import { eventRows, eventsJson, insertEvents, type EventRow } from '../../audit/index.ts';
import { generateInTurn } from '../../crypto/index.ts';
import {
  actorIdOf,
  badRequest,
  conflict,
  eventOf,
  inTransaction,
  newId,
  restBeforeLong,
  statement,
  YEAR,
  type Context,
  type PendingEvent,
  type Transaction,
} from '../../kernel/index.ts';
import { BACKDATED } from '../../pki/constraint/index.ts';
import { keyAlgorithmOf, newKey, wholeSeconds } from '@coffer/x509';
import type { SshSigner } from '../authority/index.ts';
import { requireOptions, requireOptionsFor, requirePrincipals, type CertificateOptions } from '../constraint/index.ts';
import { principalSql } from '../login/index.ts';
import {
  blobOfSpki,
  lineOf,
  opensshPrivateKey,
  signCertificate,
  type SshCertificateContent,
  type SshCertificateType,
  type SshKeyAlgorithm,
  type SshPublicKey,
} from '../ssh.ts';
import type { SshTemplate } from '../template/index.ts';
import { sshCredentialsIssued, sshKeySigned } from './certificate.ts';

/** The complete content of a certificate. */
export interface SshOrder extends CertificateOptions {
  readonly certType: SshCertificateType;
  readonly principals: readonly string[];
  readonly keyId: string;
  /** Milliseconds from now. */
  readonly ttl: number;
  /** The key to certify, or the algorithm of a new one. */
  readonly key: { readonly publicKey: SshPublicKey } | { readonly make: SshKeyAlgorithm };
  /** By which it was checked: it has to be the same and active when the certificate is stored. */
  readonly template?: SshTemplate | undefined;
  /** The host for which it is: when the certificate is stored, it has to be what the host issues then. */
  readonly host?: HostOfOrder | undefined;
}

/** A host, and by what it issues a certificate. */
export interface HostOfOrder {
  readonly id: string;
  /** Its setting for the TTL of certificates of this type (`8h`). */
  readonly ttl: string;
  /** Of a user certificate: the login by which the caller gets it. */
  readonly loginUser?: string | undefined;
}

export interface IssuedSshCertificate {
  readonly certificateId: string;
  /** Decimal. */
  readonly serialNumber: string;
  /** The certificate, in the form of OpenSSH. */
  readonly signedKey: string;
  /** The same of the certified key. */
  readonly publicKey: string;
  /** In the form of OpenSSH, if the key was generated. It is not stored. */
  readonly privateKey: string | undefined;
  readonly keyAlgorithm: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Microseconds of checking and signing one, with a new key on a curve. */
const COST = 2_000;

/** The longest TTL in milliseconds: a hundred years. */
const LONGEST = 100 * YEAR;
/** Control characters would let a caller write lines into the logs of hosts. */
const KEY_ID = /^[^\p{Cc}\p{Cf}\u2028\u2029]{1,255}$/u;

/**
 * Issues a certificate: the only way to do so. The caller of this function has checked the rights, and the rules of
 * templates and hosts; the rules for every certificate are checked here. The certificate is returned after it is stored
 * together with its event. If the process is killed in between, nobody has it.
 *
 * @param first Begins the transaction that stores it: locks rows that are compared afterwards.
 * @throws DomainError 400 `ssh_certificate.principals`, `.option`, `.ttl`, `.key_id`; `ssh_certificate.not_issued` if the
 * authority, the template, the host or the login was disabled, changed or deleted concurrently.
 */
export async function issueSshCertificate(
  ctx: Context,
  signer: SshSigner,
  order: SshOrder,
  first?: (tx: Transaction) => Promise<void>,
): Promise<IssuedSshCertificate> {
  requireOrder(order);
  await restBeforeLong(COST);
  const { blob, privateKey, keyAlgorithm } = await keyOf(ctx, order);
  const content = contentOf(ctx, order, blob);
  const body = await signCertificate(content, signer);
  const issued: IssuedSshCertificate = {
    certificateId: newId(),
    serialNumber: content.serialNumber.toString(),
    signedKey: lineOf(body, order.keyId),
    publicKey: lineOf(blob),
    privateKey,
    keyAlgorithm,
    notBefore: content.notBefore,
    notAfter: content.notAfter,
  };
  if (!first) await store(ctx, { signer, order, issued, body });
  else
    await inTransaction(ctx, async (tx) => {
      await first(tx);
      await store(tx, { signer, order, issued, body });
    });
  return issued;
}

function requireOrder(order: SshOrder): void {
  const { certType, principals, keyId, ttl } = order;
  requirePrincipals(certType, principals);
  requireOptions(order);
  requireOptionsFor(certType, order);
  if (!KEY_ID.test(keyId))
    throw badRequest('ssh_certificate.key_id', 'The key ID has 1 to 255 characters, without control characters');
  if (!(ttl >= 1000 && ttl <= LONGEST))
    throw badRequest('ssh_certificate.ttl', 'The TTL of a certificate is between one second and 100 years');
}

async function keyOf(ctx: Context, { key }: SshOrder) {
  if ('publicKey' in key) {
    const keyAlgorithm: string = keyAlgorithmOf(key.publicKey.key)!;
    return { blob: key.publicKey.blob, privateKey: undefined, keyAlgorithm };
  }
  const { publicKey, privateKey } = await generateInTurn(ctx, key.make, () => newKey(key.make));
  const { spki } = publicKey;
  return { blob: blobOfSpki(spki), privateKey: opensshPrivateKey(privateKey, spki), keyAlgorithm: key.make };
}

function contentOf(ctx: Context, order: SshOrder, publicKey: Buffer): SshCertificateContent {
  const now = ctx.now().getTime();
  return {
    type: order.certType,
    publicKey,
    serialNumber: newSerialNumber(),
    keyId: order.keyId,
    principals: principalsOf(order),
    notBefore: wholeSeconds(now - BACKDATED),
    notAfter: wholeSeconds(now + order.ttl),
    criticalOptions: order.criticalOptions,
    extensions: order.extensions,
  };
}

/** 63 random bits, which fit into a `bigint`; the database refuses a number that its organization had. Zero is none. */
function newSerialNumber(): bigint {
  return BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()) || newSerialNumber();
}

/**
 * Whether the order `g` is what its host issues at that moment: by its authority, with its TTL and principal, and to users
 * with a login.
 */
const OF_HOST = `exists (select from ssh_hosts h
  cross join lateral (select s.principal_mode, s.user_ssh_ca_id, s.host_ssh_ca_id from ssh_host_settings s
    where s.ssh_host_id = h.id offset 0) s
  where h.id = g.ssh_host_id and h.organization_id = g.organization_id and case g.cert_type
    when 'host' then s.host_ssh_ca_id = g.ca_id and h.host_cert_ttl = g.host_ttl
      and g.principals = jsonb_build_array(h.hostname)
    else s.user_ssh_ca_id = g.ca_id and h.user_cert_ttl = g.host_ttl
      and g.principals = jsonb_build_array(${principalSql('s.principal_mode', 'h.id', 'g.login_user')})
      and exists (select from effective_memberships e
        cross join lateral (select * from ssh_logins l where l.membership_id = e.membership_id offset 0) l
        where e.organization_id = g.organization_id and e.project_id = g.project_id and e.actor_id = g.actor_id
          and l.ssh_host_id = h.id and l.login_user = g.login_user) end)`;

/**
 * Certificates with their events, an array for each column: one statement, and so one commit, for concurrent orders by one
 * authority. `allowed` are those whose authority, key, template, host and login are at that moment what they were checked by:
 * whatever else an order is checked by is compared here, too.
 */
const ISSUE = statement(
  'ssh_certificates.issue',
  `with allowed as (
     select g.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[],
         $8::uuid[], $9::bigint[], $10::text[], $11::jsonb[], $12::text[], $13::text[], $14::jsonb[], $15::jsonb[],
         $16::timestamptz[], $17::timestamptz[], $18::bytea[], $19::timestamptz[], $20::uuid[], $21::json[], $22::text[],
         $23::text[])
       with ordinality as g (id, organization_id, project_id, ca_id, ca_key_id, template_id, template_updated_at,
         ssh_host_id, serial_number, cert_type, principals, key_id, key_algorithm, critical_options, extensions,
         not_before, not_after, body, created_at, actor_id, events, login_user, host_ttl, ordinal)
     join ssh_certificate_authorities a on a.id = g.ca_id and a.organization_id = g.organization_id
       and a.status = 'active'
     join ssh_ca_keys k on k.id = g.ca_key_id and k.ca_id = g.ca_id
       and (k.trusted_until is null or k.trusted_until > g.created_at)
     where (g.template_id is null or exists (select from ssh_certificate_templates t
         where t.id = g.template_id and t.ca_id = g.ca_id and t.status = 'active' and t.updated_at = g.template_updated_at))
       and (g.ssh_host_id is null or ${OF_HOST})
   ), certificate as (
     insert into ssh_certificates (id, organization_id, project_id, ca_id, ca_key_id, certificate_template_id,
       ssh_host_id, serial_number, cert_type, principals, key_id, key_algorithm, critical_options, extensions, not_before,
       not_after, body, created_at, actor_id)
     select id, organization_id, project_id, ca_id, ca_key_id, template_id, ssh_host_id, serial_number, cert_type,
       array(select jsonb_array_elements_text(principals)), key_id, key_algorithm, critical_options, extensions,
       not_before, not_after, body, created_at, actor_id from allowed
   ), event as (${insertEvents('(select json_agg(e) from allowed, json_array_elements(events) e)')})
   select ordinal::integer from allowed`,
);

interface ToStore {
  readonly signer: SshSigner;
  readonly order: SshOrder;
  readonly issued: IssuedSshCertificate;
  readonly body: Buffer;
}

/** Stores a certificate with its event; in a transaction, the event is one of those of the transaction. */
async function store(ctx: Context, toStore: ToStore): Promise<void> {
  const event = eventOfIssue(toStore);
  if (ctx.outbox) {
    const columns = columnsOf(ctx, toStore, []).map((column) => [column]);
    if ((await ctx.sql(ISSUE, columns)).length === 0) throw notIssued();
    ctx.outbox.events.push(event);
    return;
  }
  await ctx.takeAuditSpace(event, ctx);
  const columns = columnsOf(ctx, toStore, eventRows(ctx, event));
  if (!(await ctx.one(ISSUE, columns, toStore.signer.sshCaId))) throw notIssued();
}

const notIssued = () =>
  conflict(
    'ssh_certificate.not_issued',
    'The authority, the template, the host or the login was disabled, changed or deleted in the meantime; try again',
  );

function columnsOf(ctx: Context, { signer, order, issued, body }: ToStore, events: readonly EventRow[]): unknown[] {
  return [
    issued.certificateId,
    signer.organizationId,
    signer.projectId,
    signer.sshCaId,
    signer.caKeyId,
    order.template?.id ?? null,
    order.template?.updatedAt ?? null,
    order.host?.id ?? null,
    issued.serialNumber,
    order.certType,
    JSON.stringify(principalsOf(order)),
    order.keyId,
    issued.keyAlgorithm,
    JSON.stringify(order.criticalOptions),
    JSON.stringify(order.extensions),
    issued.notBefore,
    issued.notAfter,
    body,
    ctx.now(),
    actorIdOf(ctx.actor),
    eventsJson(events),
    order.host?.loginUser ?? null,
    order.host?.ttl ?? null,
  ];
}

const principalsOf = ({ principals }: SshOrder): string[] => [...new Set(principals)];

function eventOfIssue({ signer, order, issued }: ToStore): PendingEvent {
  const { organizationId, projectId, sshCaId } = signer;
  const { certType, keyId, template, host } = order;
  const { certificateId, serialNumber } = issued;
  const named = {
    certificateId,
    serialNumber,
    sshCaId,
    certificateTemplateId: template?.id ?? null,
    sshHostId: host?.id ?? null,
  };
  const type = 'make' in order.key ? sshCredentialsIssued : sshKeySigned;
  return eventOf(type, { ...named, certType, keyId, principals: principalsOf(order) }, { organizationId, projectId });
}
