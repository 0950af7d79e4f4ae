import { once } from 'node:events';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validateChallenge } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcmeClient, derOf, obtain } from '../harness/acme-client.ts';
import { acmeWorld, refusal, type AcmeWorld } from '../harness/acme.ts';
import { Certificates, DAY, NEWER } from '../harness/certificates.ts';
import { csrFor, csrOf, makeRequest } from '../harness/csr.ts';
import { PROFILES } from '../harness/est.ts';
import { ok } from '../harness/groups.ts';

let world: AcmeWorld;
beforeAll(async () => {
  if (!challengeServer.isMissing) world = await acmeWorld();
});
afterAll(() => world?.close());

describe.skipIf(challengeServer.isMissing)(`attack: enrolment${challengeServer.orSkipped}`, () => {
  it('reads responses of internal servers in the errors of challenges', async () => {
    const SECRET = 'internal-secret-7f3a';
    const client = await AcmeClient.withAccount(world, await world.profile({ skipEabBinding: true }));
    const platform = world.test.coffer.contextFor({ type: 'platform', organizationId: world.test.organizationId });
    let number = 0;
    const look = async (type: string) => {
      const { body: order } = await client.order(`victim${number++}.example.com`);
      const { body } = await client.post(order.authorizations[0]);
      const challenge = body.challenges.find((one: { type: string }) => one.type === type);
      await client.post(challenge.url, {});
      for (let i = 0; i < 4; i++) await validateChallenge(platform, challenge.url.split('/').at(-1));
      return (await client.post(challenge.url)).body.error;
    };
    for (const answer of [
      { status: 200, headers: {}, body: SECRET },
      { status: 418, headers: { server: SECRET }, body: '' },
      { status: 302, headers: { location: `http://${SECRET}.internal.example:8080/` }, body: '' },
      { status: 302, headers: { location: `http://${SECRET}.internal.example/` }, body: '' },
      { status: 302, headers: { location: 'http://10.1.2.3/' }, body: '' },
    ]) {
      const server = createServer((_request, response) => {
        response.writeHead(answer.status, answer.headers).end(answer.body);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      Object.assign(world.leads, { http: port, tls: port });
      for (const type of ['http-01', 'tls-alpn-01', 'dns-01']) {
        const said = JSON.stringify(await look(type));
        expect(said).not.toMatch(new RegExp(`${SECRET}|127\\.0\\.0\\.1|10\\.1\\.2\\.3|418|${port}|internal`));
      }
      server.close();
    }
    Object.assign(world.leads, { http: world.challenges.httpPort, tls: world.challenges.tlsPort });
    const { rows } = await world.test.coffer.pool.query<{ data: string }>(
      `select data::text from audit_events where type = 'acme_challenge.ended'`,
    );
    expect(rows.map(({ data }) => data).join(' ')).not.toContain(SECRET);
  });

  it('obtains a certificate for OCSP signing by ACME', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const client = await AcmeClient.withAccount(world, id);
    const { body: order } = await client.order('ocsp.example.com');
    const finalize = async (...extensions: string[]) =>
      client.post(order.finalize, {
        csr: csrOf({ extensions: ['subjectAltName=DNS:ocsp.example.com', ...extensions] }),
      });
    const refused = await finalize('extendedKeyUsage=OCSPSigning');
    expect([...refusal(refused), refused.body.detail]).toEqual([
      ...[400, 'badCSR'],
      'The CSR requests extended key usages that are not supported',
    ]);
    expect((await finalize('extendedKeyUsage=serverAuth')).body.status).toBe('valid');
  });

  it('obtains certificates dated ahead, which follow one another past the maximum validity', async () => {
    const rules = { validity: { max: '30d' } };
    const profileId = await world.profile({ rules, enrollmentType: 'api' });
    const acme = await world.profile({ rules, skipEabBinding: true, skipDnsOwnershipVerification: true });
    const client = await AcmeClient.withAccount(world, acme);
    const now = world.test.coffer.now().getTime();
    const inDays = (days: number) => new Date(now + days * DAY).toISOString();
    const identifiers = [{ type: 'dns', value: 'app.example.com' }];
    // Without an end, both end in time.
    expect((await client.post('new-order', { identifiers, notBefore: inDays(1) })).status).toBe(201);
    const later = { profileId, attributes: { commonName: 'app.example.com', notBefore: inDays(1) } };
    expect((await world.test.admin('POST', NEWER, later)).status).toBe(200);
    const both = async (from: number, to: number) => {
      const period = { notBefore: inDays(from), notAfter: inDays(to) };
      const ordered = await client.post('new-order', { identifiers, ...period });
      const attributes = { commonName: 'app.example.com', ...period };
      const issued = await world.test.admin('POST', NEWER, { profileId, attributes });
      return [ordered.status, issued.status, issued.body.details?.findings?.[0]?.rule];
    };
    for (const from of [365, 1]) expect(await both(from, from + 30)).toEqual([400, 400, 'policy.validity']);
    expect(await both(29, 30)).toEqual([201, 200, undefined]);
  });

  it('finalizes an order for longer than its profile, or its policy, allows meanwhile', async () => {
    const { test } = world;
    const identifiers = [{ type: 'dns', value: 'app.example.com' }];
    const narrowings: Readonly<Record<string, (profileId: string, policyId: string) => [string, object]>> = {
      'its default validity': (id) => [`${PROFILES}/${id}`, { defaults: { ttlDays: 10 } }],
      'its policy': (_, id) => [`/api/v1/cert-manager/certificate-policies/${id}`, { validity: { max: '10d' } }],
    };
    for (const [what, narrowing] of Object.entries(narrowings)) {
      const now = test.coffer.now().getTime();
      const inDays = (days: number) => new Date(now + days * DAY).toISOString();
      const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
      const client = await AcmeClient.withAccount(world, id);
      const order = async (period: object) =>
        (await client.post('new-order', { identifiers, ...period })).body.finalize;
      const late = await order({ notAfter: inDays(89) });
      const unlimited = await order({ notBefore: inDays(0) });
      const early = await order({ notAfter: inDays(9) });
      const { rows } = await test.coffer.pool.query<{ policy: string }>(
        'select certificate_policy_id as policy from certificate_profiles where id = $1',
        [id],
      );
      await ok(test.admin('PATCH', ...narrowing(id, rows[0]!.policy)));
      test.advance(3_600_000);
      const finalize = (url: string) => client.post(url, { csr: csrFor('app.example.com') });
      expect([what, ...refusal(await finalize(late))]).toEqual([what, 400, 'malformed']);
      for (const [url, end] of [
        [early, inDays(9)],
        [unlimited, inDays(10)],
      ] as const) {
        const { body } = await finalize(url);
        const certificate = new X509Certificate((await client.post(body.certificate)).body);
        expect([what, new Date(certificate.validTo).toISOString().slice(0, 19)]).toEqual([what, end.slice(0, 19)]);
      }
    }
  });

  it('revokes the certificates of others if names are not validated', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const [victim, eve] = [await AcmeClient.withAccount(world, id), await AcmeClient.withAccount(world, id)];
    const { certificate } = await obtain(victim, ['bank.example.com']);
    await obtain(eve, ['bank.example.com']);
    const payload = { certificate: derOf(certificate) };
    expect(refusal(await eve.post('revoke-cert', payload))).toEqual([403, 'unauthorized']);
    expect((await victim.post('revoke-cert', payload)).status).toBe(200);
  });

  it('bans the key of a certificate by a proof of its names, or by a claim beyond its project', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const [owner, eve] = [await AcmeClient.withAccount(world, id), await AcmeClient.withAccount(world, id)];
    const names = ['ban.example.com'];
    const made = makeRequest({ subject: '/CN=ban.example.com', extensions: ['subjectAltName=DNS:ban.example.com'] });
    const privateKey = createPrivateKey(made.key);
    const csr = csrOf({ extensions: ['subjectAltName=DNS:ban.example.com'], key: privateKey });
    const obtained = async () => ({ certificate: derOf((await obtain(owner, names, {}, csr)).certificate), reason: 1 });
    const finalized = async () => {
      const { body } = await owner.order(...names);
      return (await owner.post(body.finalize, { csr })).status;
    };
    const other = await new Certificates(world.test, (await world.test.project()).id).authority();
    const elsewhere = async () =>
      (await world.test.admin('POST', `/api/v1/pki/ca/${other.id}/sign-certificate`, { csr: made.csr, ttl: '1d' }))
        .status;

    // By names: revoked, and the key can still be used.
    const payload = await obtained();
    await world.skipOwnership(id, false);
    try {
      const { body } = await eve.order(...names);
      expect((await eve.prove(body.authorizations[0], 'dns-01')).body.status).toBe('valid');
      expect((await eve.post('revoke-cert', payload)).status).toBe(200);
    } finally {
      await world.rest();
      await world.skipOwnership(id, true);
    }
    const [another, last] = [await obtained(), await obtained()];
    // By the account that ordered it: in its project.
    expect((await owner.post('revoke-cert', another)).status).toBe(200);
    expect([await finalized(), await elsewhere()]).toEqual([400, 200]);
    // By the key: everywhere.
    const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
    const key = { privateKey, jwk, alg: jwk.kty === 'RSA' ? 'RS256' : 'ES256' };
    expect((await owner.byKey('revoke-cert', last, { key })).status).toBe(200);
    expect([await finalized(), await elsewhere()]).toEqual([400, 400]);
  });
});
