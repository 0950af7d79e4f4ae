import { rebuildList, type Context } from '@coffer/domain';
import { expect } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const KEY_TYPES = ['EC_prime256v1', 'EC_secp384r1', 'ED25519', 'RSA_2048', 'RSA_3072', 'RSA_4096'] as const;
export const CA = '/api/v1/cert-manager/ca/internal';
/** Certificates by the older paths, and by the newer. */
export const V1 = '/api/v1/pki/certificates';
export const NEWER = '/api/v1/cert-manager/certificates';
/** Milliseconds. */
export const DAY = 86_400_000;

export function ok({ status, body }: Answer): Answer['body'] {
  expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
  return body;
}

let number = 0;
/** A unique name. */
export const nameOf = (what: string): string => `${what}-${number++}`;

export interface MakeAuthority {
  readonly projectId: string;
  /** Default: a root on P-256. */
  readonly configuration?: Record<string, unknown>;
  readonly more?: object;
}

/** Creates an authority; returns the response. */
export async function createAuthority(call: Caller, { projectId, configuration, more }: MakeAuthority) {
  const name = nameOf('authority');
  const all = { type: 'root', commonName: name, keyAlgorithm: 'EC_prime256v1', ...configuration };
  return ok(await call('POST', CA, { projectId, name, configuration: all, ...more }));
}

export interface Issuer {
  readonly id: string;
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
}

/** Creates an authority that issues immediately. */
export async function makeIssuer(
  test: TestServer,
  projectId: string,
  configuration: Record<string, unknown> = {},
  more: object = {},
): Promise<Issuer> {
  const { id, name } = await createAuthority(test.admin, { projectId, configuration, more });
  const { certificate } = ok(await test.admin('GET', `${CA}/${id}/certificate`));
  return { id, name, certificate };
}

/** A body that orders a certificate. */
export const ordered = (more: object = {}) => ({
  commonName: 'app.example.com',
  altNames: 'app.example.com',
  ttl: '30d',
  ...more,
});

/** Issues a certificate with a new key. */
export const issueBy = async (
  test: TestServer,
  caId: string,
  more: object = {},
  call: Caller = test.admin,
): Promise<Answer['body']> => ok(await call('POST', `/api/v1/pki/ca/${caId}/issue-certificate`, ordered(more)));

/** The recorded events of a resource, oldest first: `{ caId }` is the field of events that names it. */
export async function eventsOf(test: TestServer, thing: Readonly<Record<string, string>>): Promise<string[]> {
  const { rows } = await test.coffer.pool.query<{ type: string }>(
    `select type from audit_events where data @> $1::jsonb order by id`,
    [JSON.stringify(thing)],
  );
  return rows.map(({ type }) => type);
}

export interface MadeAuthority extends Issuer {
  /** The id of its key, by which its revocation list and OCSP responder are found. */
  readonly keyId: string;
}

export interface MadeCertificate {
  readonly id: string;
  readonly serialNumber: string;
  /** PEM. */
  readonly certificate: string;
}

/** Makes authorities and certificates in a project, and does with them what tests do often. */
export class Certificates {
  readonly test: TestServer;
  readonly projectId: string;

  constructor(test: TestServer, projectId: string) {
    this.test = test;
    this.projectId = projectId;
  }

  static async in(test: TestServer): Promise<Certificates> {
    return new Certificates(test, (await test.project()).id);
  }

  async authority(keyAlgorithm: string = 'EC_prime256v1'): Promise<MadeAuthority> {
    const issuer = await makeIssuer(this.test, this.projectId, { keyAlgorithm });
    return { ...issuer, keyId: await this.keyOf(issuer.id) };
  }

  /** Of the key that an authority signs with. */
  async keyOf(caId: string): Promise<string> {
    const { rows } = await this.test.coffer.pool.query<{ id: string }>(
      'select active_key_id as id from certificate_authorities where id = $1',
      [caId],
    );
    return rows[0]!.id;
  }

  /** One with a unique name. */
  async issue(caId: string, more: Record<string, unknown> = {}): Promise<MadeCertificate> {
    const name = `${nameOf('leaf')}.example.com`;
    const names = { commonName: name, altNames: name, ttl: '90d', ...more };
    const { certificateId: id, serialNumber, certificate } = await issueBy(this.test, caId, names);
    return { id, serialNumber, certificate };
  }

  async revoke({ serialNumber }: MadeCertificate, revocationReason = 'UNSPECIFIED'): Promise<Answer['body']> {
    return ok(await this.test.admin('POST', `${V1}/${serialNumber}/revoke`, { revocationReason }));
  }

  /** The platform at work for the organization. */
  platform(): Context {
    const { coffer, organizationId } = this.test;
    return coffer.contextFor({ type: 'platform', organizationId });
  }

  /** Runs the job of a revocation. */
  rebuild(caKeyId: string): Promise<void> {
    const { organizationId } = this.test;
    return rebuildList.run(this.platform(), { organizationId, caKeyId }, {} as never);
  }
}
