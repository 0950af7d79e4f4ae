import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderKeySets } from '../../proof/index.ts';
import { attempt } from '../../testing/attempt.ts';
import { rejectedCredentials, signedBy, type TestIssuer } from '../../testing/rejected-credentials.ts';
import { Google, googleInstance } from '../../testing/google.ts';
import { faults, StandIns } from '../../testing/stand-ins.ts';
import { gcpAuth } from './gcp-auth.ts';

const IDENTITY = '018f0000-0000-7000-8000-00000000abcd';
const EMAIL = 'deploy@acme-prod.iam.gserviceaccount.com';
const INSTANCE = googleInstance.serviceAccount;
const standIns = new StandIns();
let google: Google;
let account: TestIssuer;
let keySets: ProviderKeySets;

beforeAll(async () => {
  google = await Google.start(standIns, IDENTITY);
  account = await google.account(EMAIL);
  keySets = new ProviderKeySets(standIns.fetch, () => new Date());
});
afterAll(() => standIns.close());

const prove = async (jwt: string, given: object) =>
  gcpAuth.verify!(gcpAuth.config.parse(given), { jwt }, attempt({ keySets, identityId: IDENTITY }));
const iam = (jwt: string, given: object = {}) => prove(jwt, { type: 'iam', allowedServiceAccounts: EMAIL, ...given });
const gce = (jwt: string, given: object = {}) =>
  prove(jwt, {
    type: 'gce',
    allowedServiceAccounts: INSTANCE,
    allowedProjects: 'acme-prod',
    allowedZones: 'europe-west1-b',
    ...given,
  });

describe('a true proof of an instance', () => {
  it('is the token that Google issued for it', async () => {
    const proved = { gcp: googleInstance };
    expect(await gce(signedBy(google.itself))).toEqual(proved);
    expect(await gce(signedBy(google.itself, { iss: 'accounts.google.com' }))).toEqual(proved);
    expect(google.asked).toEqual(['/oauth2/v3/certs']);
  });

  it('may name no instance where any will do', async () => {
    const token = signedBy(google.itself, { google: undefined });
    expect(await gce(token, { allowedProjects: '', allowedZones: '' })).toEqual({ gcp: { serviceAccount: INSTANCE } });
  });
});

describe('rejected credentials of an instance', () => {
  it.each(rejectedCredentials.filter(({ about }) => about !== 'subject'))(
    '$name is refused',
    async ({ forge, code }) => {
      await expect(gce(forge(google.itself))).rejects.toMatchObject({ kind: 'unauthenticated', code });
    },
  );

  it('is a claim of a service account about itself', async () => {
    const claims = google.itself.claims();
    await expect(gce(signedBy(account, claims))).rejects.toMatchObject({ code: 'proof.unknown_key' });
    await expect(gce(signedBy(account, claims, { kid: google.itself.kid }))).rejects.toMatchObject({
      code: 'proof.signature',
    });
  });

  const instance = (changes: object) => ({
    google: { compute_engine: { project_id: 'acme-prod', zone: 'europe-west1-b', ...changes } },
  });
  it.each([
    ['of another account', { email: EMAIL }, 'service_account'],
    ['of more than the account', { email: `x${INSTANCE}` }, 'service_account'],
    ['of a person', { email: 'ann@example.com' }, 'no_service_account'],
    ['of nobody', { email: undefined }, 'no_service_account'],
    ['of a list', { email: [INSTANCE] }, 'no_service_account'],
    ['of whoever says so', { email_verified: false }, 'no_service_account'],
    ['of whoever is said to', { email_verified: 'true' }, 'no_service_account'],
    ['of another project', instance({ project_id: 'acme-prod2' }), 'project'],
    ['of a list of projects', instance({ project_id: ['acme-prod'] }), 'project'],
    ['of no project', instance({ project_id: undefined }), 'project'],
    ['of another zone', instance({ zone: 'europe-west1-c' }), 'zone'],
    ['of no zone', instance({ zone: undefined }), 'zone'],
    ['of no instance', { google: undefined }, 'project'],
    ['of an instance that is null', { google: null }, 'no_service_account'],
  ])('%s is refused', async (_, claims, code) => {
    await expect(gce(signedBy(google.itself, claims))).rejects.toMatchObject({
      kind: 'unauthenticated',
      code: `gcp_auth.${code}`,
    });
  });
});

describe('a true proof of a service account', () => {
  it('is what it signed, with any of its keys', async () => {
    const second = await google.account(EMAIL);
    keySets = new ProviderKeySets(standIns.fetch, () => new Date());
    for (const issuer of [account, second])
      expect(await iam(signedBy(issuer))).toEqual({ gcp: { serviceAccount: EMAIL } });
    expect(google.asked.at(-1)).toBe(`/service_accounts/v1/metadata/x509/${encodeURIComponent(EMAIL)}`);
  });

  it('may have no expiry, as Google permits; an existing expiry is checked', async () => {
    expect(await iam(signedBy(account, { iat: undefined, exp: undefined }))).toEqual({
      gcp: { serviceAccount: EMAIL },
    });
    await expect(iam(signedBy(account, { iat: undefined, exp: 1 }))).rejects.toMatchObject({ code: 'proof.expired' });
  });

  it('is accepted with any lists of projects and zones, which apply only to instances', async () => {
    const listed = { allowedProjects: 'other', allowedZones: 'other', allowedServiceAccounts: '' };
    expect(await iam(signedBy(account), listed)).toBeDefined();
  });
});

describe('rejected credentials of a service account', () => {
  const fitting = rejectedCredentials.filter(
    ({ about, name }) => about !== 'subject' && about !== 'issuer' && name !== 'without an end',
  );
  it.each(fitting)('$name is refused', async ({ forge, code }) => {
    await expect(iam(forge(account))).rejects.toMatchObject({ kind: 'unauthenticated', code });
  });

  it('is signed by another account', async () => {
    const other = await google.account('eve@evil.iam.gserviceaccount.com');
    await expect(iam(signedBy(other))).rejects.toMatchObject({ code: 'gcp_auth.service_account' });
    await expect(iam(signedBy(other, { sub: EMAIL }))).rejects.toMatchObject({ code: 'proof.unknown_key' });
    await expect(iam(signedBy(other, { sub: EMAIL }, { kid: account.kid! }))).rejects.toMatchObject({
      code: 'proof.signature',
    });
    await expect(iam(signedBy(other, { iss: EMAIL, email: EMAIL }))).rejects.toMatchObject({
      code: 'gcp_auth.service_account',
    });
  });

  it('is signed by Google for an instance', async () => {
    const token = signedBy(google.itself, { sub: EMAIL, email: EMAIL });
    await expect(iam(token)).rejects.toMatchObject({ code: 'proof.unknown_key' });
  });

  it('is signed by a key with an expired certificate', async () => {
    const email = 'old@acme-prod.iam.gserviceaccount.com';
    const old = await google.account(email, new Date(Date.now() - 1000));
    const login = iam(signedBy(old), { allowedServiceAccounts: email });
    await expect(login).rejects.toMatchObject({ code: 'proof.unknown_key' });
  });

  it.each([
    '../../../../oauth2/v3/certs',
    '..%2f..%2foauth2%2fv3%2fcerts',
    `${EMAIL}/../eve@evil.iam.gserviceaccount.com`,
    `${EMAIL}?x`,
    `${EMAIL}#`,
    `${EMAIL} `,
    `${EMAIL}\n`,
    `x/${EMAIL}`,
    `%2e%2e/${EMAIL}`,
    'deploy@acme-prod.iam.gserviceaccount.com.evil.test',
    'deploy@gserviceaccount.com',
    'deploy@evilgserviceaccount.com',
    'deploy@evil.test#.gserviceaccount.com',
    'deploy@evil.test/.gserviceaccount.com',
    'deploy@-.gserviceaccount.com',
    'a@b@acme-prod.iam.gserviceaccount.com',
    'DEPLOY@acme-prod.iam.gserviceaccount.com',
    'ann@example.com',
    '@acme-prod.iam.gserviceaccount.com',
    `${'a.'.repeat(200)}gserviceaccount.com`,
    'déploy@acme-prod.iam.gserviceaccount.com',
    '',
    null,
    [EMAIL],
    { email: EMAIL },
    undefined,
  ])('with the subject %j calls nothing', async (sub) => {
    const before = standIns.called.length;
    const login = iam(signedBy(account, { sub }), { allowedServiceAccounts: '' });
    await expect(login).rejects.toMatchObject({ kind: 'unauthenticated', code: 'gcp_auth.no_service_account' });
    expect(standIns.called).toHaveLength(before);
  });

  it('of an unlisted account calls nothing', async () => {
    const before = standIns.called.length;
    for (const sub of [`x${EMAIL}`, EMAIL.replace('deploy', 'deploy2')])
      await expect(iam(signedBy(account, { sub }))).rejects.toMatchObject({ code: 'gcp_auth.service_account' });
    expect(standIns.called).toHaveLength(before);
  });

  it('is rejected if Google knows no such account', async () => {
    const sub = 'nobody@acme-prod.iam.gserviceaccount.com';
    const login = iam(signedBy(account, { sub }), { allowedServiceAccounts: '' });
    await expect(login).rejects.toMatchObject({ kind: 'bad_request', code: 'provider.bad_answer' });
  });
});

it('calls only Google', () => {
  expect(new Set(standIns.called.map((url) => new URL(url).host))).toEqual(new Set(['www.googleapis.com']));
});

describe('where Google', () => {
  it.each(Object.keys(faults))('%s, a login is refused, clearly', async (fault) => {
    standIns.patience = { 'www.googleapis.com': 300 };
    await standIns.serve('www.googleapis.com', faults[fault]!);
    for (const login of [() => gce(signedBy(google.itself)), () => iam(signedBy(account))]) {
      keySets = new ProviderKeySets(standIns.fetch, () => new Date());
      await expect(login()).rejects.toMatchObject({
        kind: 'bad_request',
        code: expect.stringMatching(/^(outbound|provider)\./),
      });
    }
    standIns.patience = {};
  });
});
