// @long: large values, many callers
import { AwsAccount, CertifyingAuthority, makeConnection, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { renewExternalCertificateJob } from '@coffer/domain';
import { DAY, nameOf, NEWER, ok } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { expectRefused } from '../harness/groups.ts';
import { Orders } from '../harness/orders.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/cert-manager/ca/aws-pca';
const PROFILES = '/api/v1/cert-manager/certificate-profiles';
const SUBSCRIBERS = '/api/v1/pki/subscribers';
const standIns = new StandIns();
const aws = new AwsAccount({ region: 'us-east-1' });
const { privateCa } = aws;
/** What happens while the authority is asked for a certificate that it has issued. */
let meanwhile: (() => Promise<unknown>) | undefined;

let test: TestServer;
let behind: AnotherProcess;
let orders: Orders;
let projectId: string;
beforeAll(async () => {
  test = await testServer({
    fetch: async (url, request) => {
      if (JSON.stringify(request?.headers ?? {}).includes('.GetCertificate"')) await meanwhile?.();
      return standIns.fetch(url, request);
    },
  });
  projectId = (await test.project()).id;
  orders = new Orders(test, projectId);
  behind = await anotherProcess(test, { now: () => new Date(test.coffer.now().getTime() - 900) });
  aws.now = () => test.coffer.now().getTime();
  privateCa.authority = await CertifyingAuthority.make('Elsewhere');
  await aws.serve(standIns);
});
afterAll(async () => {
  await behind.close();
  await test.close();
  await standIns.close();
});

async function authority(): Promise<string> {
  const credentials = { method: 'access-key', ...aws.keys };
  const place = { organizationId: test.organizationId, projectId };
  const { id: appConnectionId } = await makeConnection(test.coffer, {
    ...place,
    app: 'aws',
    name: nameOf('c'),
    credentials,
  });
  const configuration = { appConnectionId, certificateAuthorityArn: privateCa.arn, region: 'us-east-1' };
  return ok(await test.admin('POST', PATH, { projectId, name: nameOf('pca'), configuration })).id;
}

/** A member whose right to issue can end. */
async function issuer(): Promise<{ id: string; call: Caller }> {
  const role = nameOf('issuer');
  const permissions = [
    { subject: 'certificate-profiles', action: ['read', 'issue-cert'] },
    { subject: 'pki-subscribers', action: ['read', 'issue-cert', 'list-certs'] },
    { subject: 'certificates', action: ['read'] },
  ];
  ok(await test.admin('POST', `/api/v1/projects/${projectId}/roles`, { slug: role, name: role, permissions }));
  const { id, call } = await test.identity();
  ok(await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { role }));
  return { id, call };
}
const remove = async ({ id }: { id: string }) =>
  ok(await test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`));

async function subscriber(caId: string): Promise<string> {
  const name = nameOf('subscriber');
  const body = { projectId, name, commonName: `${name}.example.com`, caId, status: 'active', ttl: '30d' };
  const usages = { keyUsages: ['digitalSignature'], extendedKeyUsages: ['serverAuth'] };
  ok(await test.admin('POST', SUBSCRIBERS, { ...body, subjectAlternativeNames: [`${name}.example.com`], ...usages }));
  return name;
}
/** Has a subscriber's certificate ordered; the ID of the order. */
async function orderedBy(name: string, call: Caller = test.admin): Promise<string> {
  ok(await call('POST', `${SUBSCRIBERS}/${name}/order-certificate`, { projectId }));
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select id from certificate_orders where common_name = $1 order by created_at desc limit 1',
    [`${name}.example.com`],
  );
  return rows[0]!.id;
}

async function renewalOf(certificateId: string, call: Caller = test.admin): Promise<string> {
  return ok(await call('POST', `${NEWER}/${certificateId}/renew`, {})).certificateRequestId;
}
/** A certificate that is renewed by itself, and the order of its renewal. */
async function renewedByItself(): Promise<{ certificateId: string; orderId: string }> {
  const certificateId = await issued(await orders.profile(await authority()));
  ok(await test.admin('PATCH', `${NEWER}/${certificateId}/config`, { renewBeforeDays: 10 }));
  const [begin, end] = [-25, 5].map((days) => new Date(test.coffer.now().getTime() + days * DAY));
  const dated = 'update certificates set not_before = $2, not_after = $3 where id = $1';
  await test.coffer.pool.query(dated, [certificateId, begin, end]);
  await renewByItself(certificateId);
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select id from certificate_orders where renewed_from_id = $1',
    [certificateId],
  );
  return { certificateId, orderId: rows[0]!.id };
}
const renewByItself = (id: string) =>
  renewExternalCertificateJob.run(orders.platform(), { organizationId: test.organizationId, id }, {} as never);
async function issued(profileId: string): Promise<string> {
  const requestId = await orders.order(profileId, { commonName: `${nameOf('app')}.example.com`, ttl: '30d' });
  await orders.finish(requestId);
  return (await orders.request(requestId)).certificateId;
}

const orderBy = async (call: Caller, profileId: string) => {
  const attributes = { commonName: `${nameOf('app')}.example.com`, ttl: '30d' };
  return ok(await call('POST', NEWER, { profileId, attributes })).certificateRequestId as string;
};

async function changePolicy(profileId: string, body: object) {
  const { certificateProfile } = ok(await test.admin('GET', `${PROFILES}/${profileId}`));
  const path = `/api/v1/cert-manager/certificate-policies/${certificateProfile.certificatePolicyId}`;
  return ok(await test.admin('PATCH', path, body));
}

/** An order that waits, and what takes away the reason for it. */
interface Waiting {
  readonly orderId: string;
  readonly end: () => Promise<unknown>;
}

const attacks: Readonly<Record<string, () => Promise<Waiting>>> = {
  'the authority is disabled': async () => {
    const caId = await authority();
    const orderId = await orders.order(await orders.profile(caId), { commonName: 'app.example.com', ttl: '30d' });
    return { orderId, end: async () => ok(await test.admin('PATCH', `${PATH}/${caId}`, { status: 'disabled' })) };
  },
  'the profile is deleted': async () => {
    const profileId = await orders.profile(await authority());
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    return { orderId, end: async () => ok(await test.admin('DELETE', `${PROFILES}/${profileId}`)) };
  },
  'the profile gets another authority': async () => {
    const profileId = await orders.profile(await authority());
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    const caId = await authority();
    return { orderId, end: async () => ok(await test.admin('PATCH', `${PROFILES}/${profileId}`, { caId })) };
  },
  'its policy is narrowed': async () => {
    const profileId = await orders.profile(await authority());
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    const body = { subject: [{ type: 'common_name', denied: ['app.example.com'] }] };
    return { orderId, end: () => changePolicy(profileId, body) };
  },
  'its policy allows its organization no more': async () => {
    const rules = { subject: [{ type: 'organization', allowed: ['Example'] }] };
    const profileId = await orders.profile(await authority(), { rules });
    const attributes = { commonName: 'app.example.com', organization: 'Example', ttl: '30d' };
    const orderId = await orders.order(profileId, attributes);
    return { orderId, end: () => changePolicy(profileId, { subject: null }) };
  },
  'its profile sets its organization no more': async () => {
    const profileId = await orders.profile(await authority(), { defaults: { organization: 'Example' } });
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    return { orderId, end: async () => ok(await test.admin('PATCH', `${PROFILES}/${profileId}`, { defaults: null })) };
  },
  'its certificate is renewed by itself no more': async () => {
    const { certificateId, orderId } = await renewedByItself();
    const url = `${NEWER}/${certificateId}/config`;
    return { orderId, end: async () => ok(await test.admin('PATCH', url, { enableAutoRenewal: false })) };
  },
  'the subscriber is disabled': async () => {
    const name = await subscriber(await authority());
    const orderId = await orderedBy(name);
    const body = { projectId, status: 'disabled' };
    return { orderId, end: async () => ok(await test.admin('PATCH', `${SUBSCRIBERS}/${name}`, body)) };
  },
  'the subscriber gets other names': async () => {
    const name = await subscriber(await authority());
    const orderId = await orderedBy(name);
    const body = { projectId, commonName: 'narrow.example.com', subjectAlternativeNames: ['narrow.example.com'] };
    return { orderId, end: async () => ok(await test.admin('PATCH', `${SUBSCRIBERS}/${name}`, body)) };
  },
  'the subscriber gets other names, by a process whose clock is behind': async () => {
    const name = await subscriber(await authority());
    const orderId = await orderedBy(name);
    const body = { projectId, subjectAlternativeNames: ['other.example.com'] };
    const admin = behind.as(test.adminIdentity.token);
    return { orderId, end: async () => ok(await admin('PATCH', `${SUBSCRIBERS}/${name}`, body)) };
  },
  'the subscriber is deleted': async () => {
    const name = await subscriber(await authority());
    const orderId = await orderedBy(name);
    return {
      orderId,
      end: async () => ok(await test.admin('DELETE', `${SUBSCRIBERS}/${name}?projectId=${projectId}`)),
    };
  },
  'the certificate that it renews is revoked': async () => {
    const certificateId = await issued(await orders.profile(await authority()));
    const orderId = await renewalOf(certificateId);
    const body = { revocationReason: 'CESSATION_OF_OPERATION' };
    return { orderId, end: async () => ok(await test.admin('POST', `${NEWER}/${certificateId}/revoke`, body)) };
  },
  'the certificate that it renews is deleted': async () => {
    const certificateId = await issued(await orders.profile(await authority()));
    const orderId = await renewalOf(certificateId);
    return {
      orderId,
      end: async () => {
        ok(await test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'SUPERSEDED' }));
        return ok(await test.admin('DELETE', `${NEWER}/${certificateId}`));
      },
    };
  },
  'the authority issues by profiles alone, of which there is none any more': async () => {
    const caId = await authority();
    const profileId = await orders.profile(caId);
    const certificateId = await issued(profileId);
    ok(await test.admin('DELETE', `${PROFILES}/${profileId}`));
    const orderId = await renewalOf(certificateId);
    return {
      orderId,
      end: async () => ok(await test.admin('PATCH', `${PATH}/${caId}`, { enableDirectIssuance: false })),
    };
  },
  'its key is found to be compromised': async () => {
    const profileId = await orders.profile(await authority());
    const { csr } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:own.example.com'] });
    const first = await orders.order(profileId, {}, { csr });
    await orders.finish(first);
    const { certificateId } = await orders.request(first);
    const orderId = await orders.order(profileId, {}, { csr });
    const body = { revocationReason: 'KEY_COMPROMISE' };
    return { orderId, end: async () => ok(await test.admin('POST', `${NEWER}/${certificateId}/revoke`, body)) };
  },
  'whoever ordered it by a profile leaves the project': async () => {
    const who = await issuer();
    const orderId = await orderBy(who.call, await orders.profile(await authority()));
    return { orderId, end: () => remove(who) };
  },
  'whoever ordered it for a subscriber leaves the project': async () => {
    const who = await issuer();
    const orderId = await orderedBy(await subscriber(await authority()), who.call);
    return { orderId, end: () => remove(who) };
  },
  'whoever ordered the renewal leaves the project': async () => {
    const who = await issuer();
    const certificateId = await issued(await orders.profile(await authority()));
    const orderId = await renewalOf(certificateId, who.call);
    return { orderId, end: () => remove(who) };
  },
};

const certificateOf = async (orderId: string): Promise<string | null> => {
  const { rows } = await test.coffer.pool.query<{ id: string }>(
    'select certificate_id as id from certificate_orders where id = $1',
    [orderId],
  );
  return rows[0]!.id;
};

const cases = Object.entries(attacks);

async function expectEnded(orderId: string): Promise<void> {
  expect(await orders.finish(orderId)).toMatchObject({ status: 'failed' });
  expect(await certificateOf(orderId)).toBeNull();
}

describe('attack: orders that wait for an authority elsewhere', () => {
  it.each(cases)('are not even sent there after %s', async (_, begin) => {
    const { orderId, end } = await begin();
    await end();
    const before = privateCa.issued.size;
    await expectEnded(orderId);
    expect(privateCa.issued.size).toBe(before);
  });

  it.each(cases)('are revoked there if they were sent before %s', async (_, begin) => {
    const { orderId, end } = await begin();
    aws.fault = (action) =>
      action === 'GetCertificate' ? { type: 'RequestInProgressException', status: 400 } : undefined;
    const before = privateCa.issued.size;
    await orders.attempt(orderId);
    aws.fault = () => undefined;
    expect(privateCa.issued.size).toBe(before + 1);
    await end();
    const revoked = privateCa.revoked.size;
    await expectEnded(orderId);
    expect(privateCa.revoked.size).toBe(revoked + 1);
  });

  it.each(cases)('are neither stored nor left valid there if in that instant %s', async (_, begin) => {
    const { orderId, end } = await begin();
    let revoked = 0;
    meanwhile = async () => {
      meanwhile = undefined;
      await end();
      revoked = privateCa.revoked.size;
    };
    await expectEnded(orderId);
    expect(meanwhile).toBeUndefined();
    expect(privateCa.revoked.size).toBe(revoked + 1);
  });

  it('are revoked there if what was issued is longer valid than a policy allows that was narrowed meanwhile', async () => {
    const profileId = await orders.profile(await authority());
    // The authority issues for a day at least.
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '12h' });
    await changePolicy(profileId, { validity: { max: '12h' } });
    const revoked = privateCa.revoked.size;
    await expectEnded(orderId);
    expect(privateCa.revoked.size).toBe(revoked + 1);
  });

  it('are revoked there if what was issued is signed in a way that the policy does not allow', async () => {
    const orderSignedBy = async (signature: string) => {
      const profileId = await orders.profile(await authority(), { rules: { algorithms: { signature: [signature] } } });
      return orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    };
    expect(await orders.finish(await orderSignedBy('ECDSA-SHA256'))).toMatchObject({ status: 'issued' });
    const orderId = await orderSignedBy('RSA-SHA256');
    const revoked = privateCa.revoked.size;
    await expectEnded(orderId);
    expect(privateCa.revoked.size).toBe(revoked + 1);
  });

  it('are not placed without what every authority asks for', async () => {
    const caId = await authority();
    const profileId = await orders.profile(caId);
    const [first, automatic] = [await issued(profileId), (await renewedByItself()).certificateId];
    const asked = (attributes: object) => test.admin('POST', NEWER, { profileId, attributes });
    const inDays = (days: number) => new Date(test.coffer.now().getTime() + days * DAY).toISOString();
    const commonName = 'app.example.com';
    await expectRefused(asked({ ttl: '30d' }), 400, 'common name or an alternative name');
    await expectRefused(asked({ commonName, notAfter: inDays(-1) }), 400, 'in the future');
    await expectRefused(asked({ commonName, notBefore: inDays(-3), notAfter: inDays(-2) }), 400, 'in the future');
    await expectRefused(asked({ commonName, notBefore: inDays(2), notAfter: inDays(9) }), 400, 'when they are issued');
    const requestId = ok(
      await asked({ commonName, notBefore: inDays(-30), notAfter: inDays(9.5) }),
    ).certificateRequestId;
    await orders.finish(requestId);
    const { certificateId } = await orders.request(requestId);
    const { certificate } = ok(await test.admin('GET', `${NEWER}/${certificateId}`));
    expect(Date.parse(certificate.notAfter)).toBeLessThanOrEqual(Date.parse(inDays(9.5)));

    // Without a profile, an authority is asked whether it issues directly, for a caller as for a renewal by itself.
    const renew = (id: string) => test.admin('POST', `${NEWER}/${id}/renew`, {});
    const { rows } = await test.coffer.pool.query<{ external_ca_id: string; profile_id: string }>(
      'select external_ca_id, profile_id from certificates where id = any($1::uuid[])',
      [[first, automatic]],
    );
    for (const row of rows) {
      ok(await test.admin('PATCH', `${PATH}/${row.external_ca_id}`, { enableDirectIssuance: false }));
      ok(await test.admin('DELETE', `${PROFILES}/${row.profile_id}`));
    }
    await expectRefused(renew(first), 400, 'only by templates, profiles and subscribers');
    await test.coffer.pool.query('delete from certificate_orders where renewed_from_id = $1', [automatic]);
    await renewByItself(automatic);
    const waiting = 'select count(*)::int as count from certificate_orders where renewed_from_id = any($1::uuid[])';
    expect((await test.coffer.pool.query(waiting, [[first, automatic]])).rows).toEqual([{ count: 0 }]);
    const { certificate: kept } = ok(await test.admin('GET', `${NEWER}/${automatic}`));
    expect(kept.renewalError).toContain('only by templates, profiles and subscribers');
  });

  it('are over where the authority refuses to say what it has issued, or to revoke it', async () => {
    for (const refusing of ['GetCertificate', 'RevokeCertificate']) {
      const { orderId, end } = await attacks['the authority is disabled']!();
      aws.fault = (action) =>
        action === 'GetCertificate' ? { type: 'RequestInProgressException', status: 400 } : undefined;
      await orders.attempt(orderId);
      await end();
      aws.fault = (action) => (action === refusing ? { type: 'AccessDeniedException', status: 400 } : undefined);
      await expectEnded(orderId);
      aws.fault = () => undefined;
    }
  });

  it('are not forgotten with their organization', async () => {
    const profileId = await orders.profile(await authority());
    const orderId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    const path = `/api/v2/organizations/${test.organizationId}`;
    // Those that are valid refuse the deletion by themselves.
    await test.coffer.pool.query(
      "update certificates set status = 'revoked', revoked_at = now() where status = 'active'",
    );
    await expectRefused(test.admin('DELETE', path), 400, 'delete the projects first');
    expect(await orders.finish(orderId)).toMatchObject({ status: 'issued' });
  });

  it('are carried out if nothing has ended', async () => {
    const who = await issuer();
    const profileId = await orders.profile(await authority());
    for (const orderId of [
      await orderBy(who.call, profileId),
      await orderedBy(await subscriber(await authority()), who.call),
      await renewalOf(await issued(profileId), who.call),
    ])
      expect(await orders.finish(orderId)).toMatchObject({ status: 'issued' });
  });
});

describe('attack: one member who fills the orders of a project', () => {
  const fill = (orderId: string, count: number, requester: object | null = null) =>
    test.coffer.pool.query(
      `insert into certificate_orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
         'due_at', null, 'requester', coalesce($3, o.requester)))).*
       from certificate_orders o, generate_series(1, $2::int) where o.id = $1`,
      [orderId, count, requester],
    );
  const ask = (call: Caller, profileId: string) =>
    call('POST', NEWER, { profileId, attributes: { commonName: `${nameOf('app')}.example.com`, ttl: '30d' } });

  it('has a part of them, and neither the rest nor a renewal by itself is refused', async () => {
    const profileId = await orders.profile(await authority());
    const { call } = await issuer();
    await fill(await orderBy(call, profileId), 99);
    await expectRefused(ask(call, profileId), 400, 'at most 100 pending certificate orders');
    await orderBy(test.admin, profileId);
    await orderBy((await issuer()).call, profileId);
  });

  it('by many identities keeps others from ordering, but no certificate from its renewal by itself', async () => {
    const profileId = await orders.profile(await authority());
    const first = await orderBy(test.admin, profileId);
    await fill(first, 1_000, { type: 'identity', id: '00000000-0000-4000-8000-000000000000' });
    await expectRefused(ask((await issuer()).call, profileId), 400, 'at most 1000 pending certificate orders');
    await test.coffer.pool.query(`update certificate_orders set status = 'cancelled' where id <> $1`, [first]);
    const { certificateId, orderId } = await renewedByItself();
    await test.coffer.pool.query('delete from certificate_orders where id = $1', [orderId]);
    await fill(first, 1_000, { type: 'identity', id: '00000000-0000-4000-8000-000000000000' });
    await renewByItself(certificateId);
    const renewals = 'select status, content from certificate_orders where renewed_from_id = $1';
    const { rows } = await test.coffer.pool.query(renewals, [certificateId]);
    expect(rows).toMatchObject([{ status: 'pending', content: { isAutomatic: true } }]);
    const { certificate } = ok(await test.admin('GET', `${NEWER}/${certificateId}`));
    expect(certificate.renewalError).toBeNull();
    // Nor do renewals by themselves count.
    await test.coffer.pool.query('delete from certificate_orders where due_at is null and id <> $1', [first]);
    await fill((await renewedByItself()).orderId, 1_000);
    await orderBy(test.admin, profileId);
  });
});
