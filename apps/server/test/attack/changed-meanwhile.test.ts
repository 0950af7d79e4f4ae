// @long: holds statements of many operations
import { createHmac } from 'node:crypto';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient, derOf, obtain, signJws } from '../harness/acme-client.ts';
import { acmeWorld, type AcmeWorld } from '../harness/acme.ts';
import { CA, createAuthority, DAY, makeIssuer, nameOf, NEWER, ok, ordered, V1 } from '../harness/certificates.ts';
import { csrFor, makeRequest } from '../harness/csr.ts';
import {
  basic,
  certificatesOf,
  estWorld,
  OPEN,
  PASSPHRASE,
  PROFILES,
  request,
  shown,
  TEMPLATES,
  type EstWorld,
} from '../harness/est.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { SUBSCRIBERS, subscriberUrl } from '../harness/subscribers.ts';
import type { Answer, TestServer } from '../harness/test-server.ts';

// A request waits for a connection, a lock or a key. What it has checked changes meanwhile: it stores nothing then.

const MANAGER = '/api/v1/cert-manager';
const NAME = 'app.example.com';

let world: EstWorld;
let test: TestServer;
let projectId: string;
let held: HeldStatements;
/** PEM of an authority. */
let anchor: string;
beforeAll(async () => {
  world = await estWorld();
  ({ test, projectId } = world);
  held = new HeldStatements(test);
  anchor = ok(await test.admin('GET', `${CA}/${world.caId}/certificate`)).certificate;
});
afterAll(() => world.test.close());

/** What can be changed of something that a request relies on. */
type Changes = Readonly<Record<string, () => Promise<unknown>>>;

interface Issuing {
  /** Whether something is locked before it is stored. */
  readonly locks?: boolean;
  readonly ask: () => Promise<Answer>;
  readonly changes: Changes;
}

const patch = (url: string, body: object) => async () => ok(await test.admin('PATCH', url, body));
const remove = (url: string, body?: object) => async () => ok(await test.admin('DELETE', url, body));

const ofAuthority = (id: string): Changes => ({
  'its authority is disabled': patch(`${CA}/${id}`, { status: 'disabled' }),
  'its authority gets another key': async () => {
    const notAfter = new Date(test.coffer.now().getTime() + 4_000 * DAY);
    ok(await test.admin('POST', `${CA}/${id}/renew`, { type: 'new', notAfter }));
  },
});
const ofTemplate = (id: string): Changes => ({
  'its template is changed': patch(`${TEMPLATES}/${id}`, { ttl: '1h' }),
  'its template gets another name': patch(`${TEMPLATES}/${id}`, { name: nameOf('other') }),
  'its template is deleted': remove(`${TEMPLATES}/${id}`),
});
const ofProfile = (id: string, policyId: string): Changes => ({
  'its profile is changed': patch(`${PROFILES}/${id}`, { defaults: { organization: 'Acme' } }),
  'its profile gets another slug': patch(`${PROFILES}/${id}`, { slug: nameOf('other') }),
  'its profile is deleted': remove(`${PROFILES}/${id}`),
  'its policy is changed': patch(`${MANAGER}/certificate-policies/${policyId}`, { validity: { max: '1h' } }),
});
const ofEstTemplate = (id: string): Changes => ({
  'EST is disabled': patch(`${TEMPLATES}/${id}/est-config`, { isEnabled: false }),
  'the passphrase is replaced': patch(`${TEMPLATES}/${id}/est-config`, { rotatePassphrase: true }),
  'a client certificate is required': patch(`${TEMPLATES}/${id}/est-config`, {
    disableBootstrapCertValidation: false,
    caChain: anchor,
  }),
});
const ofEstProfile = (id: string): Changes => ({
  'the passphrase is replaced': patch(`${PROFILES}/${id}`, { estConfig: { rotatePassphrase: true } }),
  'its clients enrol by another protocol': patch(`${PROFILES}/${id}`, { enrollmentType: 'api' }),
});
const ofKey = (csr: string): Changes => ({
  'its key is compromised': async () => {
    const { id } = await makeIssuer(test, projectId);
    const { serialNumber } = ok(await test.admin('POST', `/api/v1/pki/ca/${id}/sign-certificate`, { csr, ttl: '1d' }));
    ok(await test.admin('POST', `${V1}/${serialNumber}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
  },
});
const ofCertificate = (id: string): Changes => ({
  'it is revoked': async () =>
    ok(await test.admin('POST', `${V1}/${id}/revoke`, { revocationReason: 'PRIVILEGE_WITHDRAWN' })),
  'it is deleted': remove(`${V1}/${id}`),
});

async function byTemplate(caId: string): Promise<string> {
  const patterns = { commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
  return ok(await test.admin('POST', TEMPLATES, { caId, name: nameOf('template'), ...patterns })).id;
}
async function byProfile(caId: string): Promise<{ profileId: string; policyId: string }> {
  const { certificatePolicy } = ok(
    await test.admin('POST', `${MANAGER}/certificate-policies`, { projectId, name: nameOf('policy') }),
  );
  const body = { projectId, caId, certificatePolicyId: certificatePolicy.id, slug: nameOf('profile') };
  const { certificateProfile } = ok(await test.admin('POST', PROFILES, { ...body, enrollmentType: 'api' }));
  return { profileId: certificateProfile.id, policyId: certificatePolicy.id };
}
const authority = async () => (await makeIssuer(test, projectId)).id;

async function enrolled(id: string): Promise<{ pem: string; serialNumber: string }> {
  const [pem] = await certificatesOf(await world.est(id, 'simpleenroll', request(NAME), basic()));
  const { rows } = await test.coffer.pool.query<{ serial_number: string }>(
    'select serial_number from certificates where certificate_template_id = $1 or profile_id = $1',
    [id],
  );
  return { pem: pem!, serialNumber: rows[0]!.serial_number };
}

/** By name: a request, and all that it relies on. */
const ISSUING: Readonly<Record<string, () => Promise<Issuing>>> = {
  'an authority issues': async () => {
    const id = await authority();
    return {
      ask: () => test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, ordered()),
      changes: {
        ...ofAuthority(id),
        'it issues by templates alone': patch(`${CA}/${id}`, { enableDirectIssuance: false }),
      },
    };
  },
  'an authority signs a CSR': async () => {
    const id = await authority();
    const { csr } = makeRequest({ subject: `/CN=${NAME}`, extensions: [`subjectAltName=DNS:${NAME}`] });
    return {
      ask: () => test.admin('POST', `/api/v1/pki/ca/${id}/sign-certificate`, { csr, ttl: '30d' }),
      changes: { ...ofAuthority(id), ...ofKey(csr) },
    };
  },
  'an authority issues for OCSP signing': async () => {
    const { id, name } = await makeIssuer(test, projectId);
    const rules = [
      { subject: 'certificates', action: ['create', 'read'] },
      {
        subject: 'certificate-authorities',
        action: ['issue-ocsp-signing', 'read'],
        conditions: { name: { $eq: name } },
      },
    ];
    const { call } = await test.identity({ projectId, rules });
    const wanted = ordered({ extendedKeyUsages: ['ocspSigning'] });
    return {
      ask: () => call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, wanted),
      changes: {
        ...ofAuthority(id),
        'its authority gets another name': patch(`${CA}/${id}`, { name: nameOf('other') }),
      },
    };
  },
  'a template issues': async () => {
    const caId = await authority();
    const id = await byTemplate(caId);
    return {
      ask: () => test.admin('POST', `${V1}/issue-certificate`, { certificateTemplateId: id, ...ordered() }),
      changes: { ...ofAuthority(caId), ...ofTemplate(id) },
    };
  },
  'a profile issues': async () => {
    const caId = await authority();
    const { profileId, policyId } = await byProfile(caId);
    return {
      ask: () => test.admin('POST', NEWER, { profileId, attributes: { commonName: NAME, ttl: '30d' } }),
      changes: { ...ofAuthority(caId), ...ofProfile(profileId, policyId) },
    };
  },
  'a subscriber issues': async () => {
    const caId = await authority();
    const name = nameOf('subscriber');
    const body = { projectId, caId, name, commonName: NAME, subjectAlternativeNames: [NAME], ttl: '30d' };
    ok(await test.admin('POST', SUBSCRIBERS, body));
    const url = subscriberUrl(name);
    return {
      locks: true,
      ask: () => test.admin('POST', subscriberUrl(name, '/issue-certificate'), { projectId }),
      changes: {
        ...ofAuthority(caId),
        'it is disabled': patch(url, { projectId, status: 'disabled' }),
        'it is changed': patch(url, { projectId, ttl: '1h' }),
        'it gets another name': patch(url, { projectId, name: nameOf('other') }),
        'it is deleted': remove(url, { projectId }),
      },
    };
  },
  'a certificate of a profile is renewed': async () => {
    const caId = await authority();
    const { profileId, policyId } = await byProfile(caId);
    const { certificate: made } = ok(
      await test.admin('POST', NEWER, { profileId, attributes: { commonName: NAME, ttl: '30d' } }),
    );
    const { 'its profile is deleted': _, ...ofIts } = ofProfile(profileId, policyId);
    const url = `${NEWER}/${made.certificateId}`;
    ok(await test.admin('PATCH', `${url}/config`, { renewBeforeDays: 10 }));
    return {
      locks: true,
      ask: () => test.admin('POST', `${url}/renew`, {}),
      changes: {
        ...{ ...ofAuthority(caId), ...ofIts, ...ofCertificate(made.serialNumber) },
        'it gets another name': patch(url, { friendlyName: 'other' }),
        'it gets other metadata': patch(url, { metadata: [{ key: 'team', value: 'other' }] }),
        'it is renewed by itself no more': patch(`${url}/config`, { enableAutoRenewal: false }),
      },
    };
  },
  'a client enrols by EST, by a template': async () => {
    const id = await world.template(OPEN);
    return {
      locks: true,
      ask: () => world.est(id, 'simpleenroll', request(NAME), basic()),
      changes: { ...ofTemplate(id), ...ofEstTemplate(id) },
    };
  },
  'a client enrols by EST, by a profile': async () => {
    const id = await world.profile(OPEN);
    const ask = () => world.est(id, 'simpleenroll', request(NAME), basic());
    return { locks: true, ask, changes: ofEstProfile(id) };
  },
  'a client enrols again by EST, by a template': async () => {
    const id = await world.template(OPEN);
    const { pem, serialNumber } = await enrolled(id);
    return {
      locks: true,
      ask: () => world.est(id, 'simplereenroll', request(NAME), shown(pem)),
      changes: { ...ofTemplate(id), ...ofEstTemplate(id), ...ofCertificate(serialNumber) },
    };
  },
  'a client enrols again by EST, by a profile': async () => {
    const id = await world.profile(OPEN);
    const { pem, serialNumber } = await enrolled(id);
    return {
      locks: true,
      ask: () => world.est(id, 'simplereenroll', request(NAME), shown(pem)),
      changes: { ...ofEstProfile(id), ...ofCertificate(serialNumber) },
    };
  },
  'an authority signs another one': async () => {
    const id = await authority();
    const { csr } = makeRequest({ subject: `/CN=${nameOf('below')}` });
    const notAfter = new Date(test.coffer.now().getTime() + DAY);
    return {
      locks: true,
      ask: () => test.admin('POST', `${CA}/${id}/sign-intermediate`, { csr, notAfter }),
      changes: { ...ofAuthority(id), 'it gets another name': patch(`${CA}/${id}`, { name: nameOf('other') }) },
    };
  },
};

const countOf = async (): Promise<number> => {
  const { rows } = await test.coffer.pool.query('select count(*)::integer as count from certificates');
  return rows[0].count;
};

/** The statements of issuing requests: before they lock what they rely on, and when they store. */
const LOCK = /from certificate_authorities where id = \$1 for key share/;
const STORE = /insert into certificates /;

/** What is wrong with the answer to a request beside a change of what it relies on: a change that it has locked comes after it. */
async function issuedDuring(name: string, what: string, waits: RegExp): Promise<unknown[]> {
  const { ask, changes } = await ISSUING[name]!();
  let before = 0;
  const [{ status }, , isBefore] = await held.beside(waits, ask, async () => {
    await changes[what]!();
    before = await countOf();
  });
  const isRight = isBefore ? [400, 401, 404].includes(status) && (await countOf()) === before : status === 200;
  return isRight && (isBefore || waits === STORE) ? [] : [what, waits, status, isBefore];
}

describe('attack: what an issuing request relies on changes while it waits', () => {
  it.each(Object.keys(ISSUING))('nothing is issued then: %s', async (name) => {
    const { locks, changes } = await ISSUING[name]!();
    for (const what of Object.keys(changes))
      for (const waits of locks ? [LOCK, STORE] : [STORE]) expect(await issuedDuring(name, what, waits)).toEqual([]);
  });
});

interface Path {
  /** The statement of the request that waits, and what lets the authority issue. */
  readonly waits: RegExp;
  readonly ask: () => Promise<Answer>;
  /** The serial number of a certificate that it is below. */
  readonly revoked: string;
  /** The authority, once it is there. */
  readonly id: (answer: Answer) => string | undefined;
}

const serialOf = async (id: string): Promise<string> =>
  ok(await test.admin('GET', `${CA}/${id}`)).configuration.serialNumber;
const intermediate = async (parentCaId: string): Promise<string> =>
  (await makeIssuer(test, projectId, { type: 'intermediate', parentCaId })).id;
/** Waiting for its certificate. */
async function pending(): Promise<{ id: string; csr: string }> {
  const { id } = await createAuthority(test.admin, { projectId, configuration: { type: 'intermediate' } });
  return { id, csr: ok(await test.admin('GET', `${CA}/${id}/csr`)).csr };
}
const later = (days: number) => new Date(test.coffer.now().getTime() + days * DAY);

const PATHS: Readonly<Record<string, () => Promise<Path>>> = {
  'is enabled': async () => {
    const id = await intermediate(await authority());
    ok(await test.admin('PATCH', `${CA}/${id}`, { status: 'disabled' }));
    return {
      waits: /update "certificate_authorities"/,
      ask: () => test.admin('PATCH', `${CA}/${id}`, { status: 'active' }),
      revoked: await serialOf(id),
      id: () => id,
    };
  },
  'is created below another one': async () => {
    const parentCaId = await intermediate(await authority());
    const name = nameOf('child');
    const configuration = { type: 'intermediate', commonName: name, keyAlgorithm: 'EC_prime256v1', parentCaId };
    return {
      waits: /insert into ca_certificates/,
      ask: () => test.admin('POST', CA, { projectId, name, configuration }),
      revoked: await serialOf(parentCaId),
      id: ({ body }) => body.id,
    };
  },
  'gets another one above it': async () => {
    const parentCaId = await intermediate(await authority());
    const { id } = await pending();
    return {
      waits: /insert into ca_certificates/,
      ask: () => test.admin('PATCH', `${CA}/${id}/signing-config`, { type: 'internal', parentCaId }),
      revoked: await serialOf(parentCaId),
      id: () => id,
    };
  },
  'imports its certificate': async () => {
    const parentCaId = await intermediate(await authority());
    const { id, csr } = await pending();
    const signed = ok(await test.admin('POST', `${CA}/${parentCaId}/sign-intermediate`, { csr, notAfter: later(100) }));
    const { certificate, certificateChain } = signed;
    return {
      waits: /insert into ca_certificates/,
      ask: () => test.admin('POST', `${CA}/${id}/import-certificate`, { certificate, certificateChain }),
      revoked: signed.serialNumber,
      id: () => id,
    };
  },
  'is renewed': async () => {
    const parentCaId = await intermediate(await authority());
    const id = await intermediate(parentCaId);
    return {
      waits: /insert into ca_certificates/,
      ask: () => test.admin('POST', `${CA}/${id}/renew`, { type: 'new', notAfter: later(100) }),
      revoked: await serialOf(parentCaId),
      id: () => id,
    };
  },
};
const REVOKE = /update certificates set status = 'revoked'/;
const revokeBy = (serialNumber: string, revocationReason = 'CESSATION_OF_OPERATION') =>
  test.admin('POST', `${V1}/${serialNumber}/revoke`, { revocationReason });

describe('attack: a certificate is revoked while an authority below it', () => {
  it.each(Object.keys(PATHS))('%s: the authority issues nothing afterwards', async (name) => {
    for (const isFirst of [true, false]) {
      const { waits, ask, revoked, id } = await PATHS[name]!();
      const revoke = () => revokeBy(revoked);
      const [one, other] = isFirst ? await held.beside(waits, ask, revoke) : await held.beside(REVOKE, revoke, ask);
      const [answer, revocation] = isFirst ? [one, other] : [other, one];
      ok(revocation);
      expect([isFirst, answer.status]).toEqual([isFirst, isFirst ? 200 : 400]);
      const caId = id(answer);
      if (caId === undefined || (!isFirst && name === 'is created below another one')) continue;
      expect(['disabled', 'pending-certificate']).toContain(ok(await test.admin('GET', `${CA}/${caId}`)).status);
      const issued = await test.admin('POST', `/api/v1/pki/ca/${caId}/issue-certificate`, ordered());
      expect([issued.status, issued.body.message]).toEqual([400, expect.stringMatching(/disabled|no certificate/)]);
    }
  });
});

describe('attack: an authority signs with a key that was revoked as compromised', () => {
  /** An authority with two certificates for one key; the serial number of the earlier one. */
  async function renewed(): Promise<{ id: string; earlier: string }> {
    const parentCaId = await authority();
    const configuration = { type: 'intermediate', parentCaId, notAfter: later(300) };
    const { id } = await makeIssuer(test, projectId, configuration);
    const earlier = await serialOf(id);
    ok(await test.admin('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter: later(400) }));
    return { id, earlier };
  }
  const statusOf = async (id: string) => ok(await test.admin('GET', `${CA}/${id}`)).status;

  it('by an earlier certificate: it is disabled with what is below it, and not enabled', async () => {
    const { id, earlier } = await renewed();
    const below = await intermediate(id);
    ok(await revokeBy(earlier, 'KEY_COMPROMISE'));
    for (const caId of [id, below]) {
      expect(await statusOf(caId)).toBe('disabled');
      expect((await test.admin('PATCH', `${CA}/${caId}`, { status: 'active' })).status).toBe(400);
    }
    ok(await test.admin('POST', `${CA}/${id}/renew`, { type: 'new', notAfter: later(200) }));
    expect(ok(await test.admin('PATCH', `${CA}/${id}`, { status: 'active' })).status).toBe('active');
  });

  it('for another reason it goes on', async () => {
    const { id, earlier } = await renewed();
    ok(await revokeBy(earlier, 'SUPERSEDED'));
    expect(await statusOf(id)).toBe('active');
  });

  it('was disabled at that moment: it is not enabled', async () => {
    const { id, earlier } = await renewed();
    ok(await test.admin('PATCH', `${CA}/${id}`, { status: 'disabled' }));
    ok(await revokeBy(earlier, 'KEY_COMPROMISE'));
    const answer = await test.admin('PATCH', `${CA}/${id}`, { status: 'active' });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('compromised')]);
  });

  it('is enabled while that certificate is revoked', async () => {
    const { id, earlier } = await renewed();
    ok(await test.admin('PATCH', `${CA}/${id}`, { status: 'disabled' }));
    const [enabled, revoked] = await held.beside(
      /update "certificate_authorities"/,
      () => test.admin('PATCH', `${CA}/${id}`, { status: 'active' }),
      () => revokeBy(earlier, 'KEY_COMPROMISE'),
    );
    expect([enabled.status, revoked.status, await statusOf(id)]).toEqual([200, 200, 'disabled']);
  });

  it('takes the right to edit it', async () => {
    const { id, earlier } = await renewed();
    const rules = [{ subject: 'certificates', action: ['read', 'delete'] }];
    const { call } = await test.identity({ projectId, rules });
    const revoke = () => call('POST', `${V1}/${earlier}/revoke`, { revocationReason: 'KEY_COMPROMISE' });
    expect([(await revoke()).status, await statusOf(id)]).toEqual([403, 'active']);
  });

  it('and no client enrols again by EST with a certificate that this key has signed', async () => {
    const { id: caId, earlier } = await renewed();
    const template = await byTemplate(caId);
    ok(await test.admin('POST', `${TEMPLATES}/${template}/est-config`, { passphrase: PASSPHRASE, ...OPEN }));
    const { pem } = await enrolled(template);
    ok(await revokeBy(earlier, 'KEY_COMPROMISE'));
    ok(await test.admin('POST', `${CA}/${caId}/renew`, { type: 'new', notAfter: later(200) }));
    ok(await test.admin('PATCH', `${CA}/${caId}`, { status: 'active' }));
    expect((await world.est(template, 'simplereenroll', request(NAME), shown(pem))).status).toBe(401);
  });
});

/** By name: what an account asks, given the account and what is there for it. */
type AskAcme = (client: AcmeClient, there: AcmeThings) => Promise<Answer>;
interface AcmeThings {
  /** The URL of an order that is ready. */
  readonly order: string;
  readonly authorization: string;
  /** Of an order with a pending challenge. */
  readonly pending: { readonly authorization: string; readonly challenge: string };
  /** A certificate of the account. */
  readonly certificate: string;
}

const ASKED: Readonly<Record<string, AskAcme>> = {
  'orders a certificate': (client) => client.order('new.example.com'),
  'finalizes an order': (client, { order }) => client.post(`${order}/finalize`, { csr: csrFor('ready.example.com') }),
  'deactivates an authorization': (client, { authorization }) => client.post(authorization, { status: 'deactivated' }),
  'responds to a challenge': (client, { pending: { challenge } }) => client.post(challenge, {}),
  'gets other contacts': (client) =>
    client.post(`accounts/${client.accountId}`, { contact: ['mailto:other@example.com'] }),
  'gets another key': (client) => changedKey(client),
  'is deactivated': (client) => client.post(`accounts/${client.accountId}`, { status: 'deactivated' }),
  'revokes a certificate': (client, { certificate }) => client.post('revoke-cert', { certificate }),
};

async function changedKey(client: AcmeClient): Promise<Answer> {
  const key = accountKey();
  const { base, key: former } = client;
  const payload = JSON.stringify({ account: client.kid, oldKey: former.jwk });
  const inner = signJws({ alg: key.alg, jwk: key.jwk, url: `${base}/key-change` }, payload, key);
  return client.post('key-change', inner);
}

describe.skipIf(challengeServer.isMissing)(
  `attack: an ACME account ends while a message of it waits${challengeServer.orSkipped}`,
  () => {
    let acme: AcmeWorld;
    let holds: HeldStatements;
    beforeAll(async () => {
      acme = await acmeWorld();
      holds = new HeldStatements(acme.test);
    });
    afterAll(() => acme.close());

    /** The first statement of each transaction by a message. */
    const BEGINS =
      /from certificate_profiles where id = \$1 and enrollment_type = 'acme' and updated_at = \$2 for share/;

    const setType = async (id: string, enrollmentType: string) => {
      const acmeConfig = { skipEabBinding: true };
      const body = { enrollmentType, ...(enrollmentType === 'acme' && { acmeConfig }) };
      ok(await acme.test.admin('PATCH', `${PROFILES}/${id}`, body));
    };
    /** For a moment, the clients of the profile enrol in another way. */
    const leaveAcme = async (id: string) => {
      await setType(id, 'api');
      await setType(id, 'acme');
    };
    const ENDINGS: Readonly<Record<string, (client: AcmeClient) => Promise<unknown>>> = {
      'its profile has another enrolment type for a moment': ({ profileId }) => leaveAcme(profileId),
      'it is deactivated': (client) => client.post(`accounts/${client.accountId}`, { status: 'deactivated' }),
      'it gets another key': changedKey,
    };

    async function made(): Promise<{ client: AcmeClient; there: AcmeThings }> {
      const profileId = await acme.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
      const client = await AcmeClient.withAccount(acme, profileId);
      const { certificate } = await obtain(client, ['mine.example.com']);
      const ready = await client.order('ready.example.com');
      await acme.skipOwnership(profileId, false);
      const { body: second } = await client.order('pending.example.com');
      await acme.skipOwnership(profileId, true);
      const [authorization] = second.authorizations;
      const challenge = (await client.post(authorization)).body.challenges[0].url;
      const order = String(ready.headers['location']);
      return {
        client,
        there: {
          ...{ order, authorization: ready.body.authorizations[0], certificate: derOf(certificate) },
          pending: { authorization, challenge },
        },
      };
    }

    it.each(Object.keys(ASKED))('nothing is done then: an account %s', async (name) => {
      for (const [what, end] of Object.entries(ENDINGS)) {
        const { client, there } = await made();
        const answer = await holds.during(
          BEGINS,
          () => ASKED[name]!(client, there),
          () => end(client),
          { isShared: true },
        );
        expect([what, answer.status]).toEqual([what, what.startsWith('its profile') ? 409 : 401]);
      }
    });

    it('no account is made then, and none is bound by a key that was deleted', async () => {
      for (const isBound of [false, true]) {
        const id = await acme.profile({ skipEabBinding: !isBound, skipDnsOwnershipVerification: true });
        const client = AcmeClient.of(acme, id);
        const binding = isBound && { externalAccountBinding: await bindingOf(client) };
        const answer = await holds.during(
          /for share|insert into acme_accounts/,
          () => client.byKey('new-account', { termsOfServiceAgreed: true, ...binding }),
          () => leaveAcme(id),
          { isShared: true },
        );
        expect(answer.status).toBe(409);
        const { rows } = await acme.test.coffer.pool.query('select from acme_accounts where profile_id = $1', [id]);
        expect(rows).toEqual([]);
      }
    });

    it('an account that is made first ends with the others', async () => {
      const id = await acme.profile({ skipEabBinding: true });
      const client = AcmeClient.of(acme, id);
      const [answer] = await holds.beside(
        /insert into acme_accounts/,
        () => client.byKey('new-account', { termsOfServiceAgreed: true }),
        () => leaveAcme(id),
      );
      expect(answer.status).toBe(201);
      client.kid = String(answer.headers['location']);
      expect((await client.order('app.example.com')).status).toBe(401);
    });

    it('no external key is made for a profile whose clients enrol in another way by then', async () => {
      const id = await acme.profile({});
      const changing = await acme.test.coffer.pool.connect();
      await changing.query('begin');
      await changing.query(`update certificate_profiles set enrollment_type = 'api' where id = $1`, [id]);
      const asked = acme.test.admin('GET', `${PROFILES}/${id}/acme/eab-secret/reveal`);
      await holds.untilAwaited();
      await changing.query('commit');
      changing.release();
      expect((await asked).status).toBe(404);
      const { rows } = await acme.test.coffer.pool.query('select from acme_external_keys where profile_id = $1', [id]);
      expect(rows).toEqual([]);
    });

    async function bindingOf(client: AcmeClient): Promise<object> {
      const { eabKid, eabSecret } = ok(
        await acme.test.admin('GET', `${PROFILES}/${client.profileId}/acme/eab-secret/reveal`),
      );
      const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const head = encoded({ alg: 'HS256', kid: eabKid, url: client.urlOf('new-account') });
      const payload = encoded(client.key.jwk);
      const mac = createHmac('sha256', Buffer.from(eabSecret, 'base64url')).update(`${head}.${payload}`);
      return { protected: head, payload, signature: mac.digest('base64url') };
    }
  },
);
