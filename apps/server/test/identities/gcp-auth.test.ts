import { rejectedCredentials, sampleOf, signedBy, StandIns, type TestIssuer } from '@coffer/domain/testing';
import { Google, googleInstance } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { describeProvider, type ProviderCase } from '../harness/login-provider.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const EMAIL = 'deploy@acme-prod.iam.gserviceaccount.com';
const DAY = 86_400;
const exp = () => Math.floor(Date.now() / 1000) + DAY;
const none = { allowedServiceAccounts: '', allowedProjects: '', allowedZones: '' };

const methodOf = (standIns: StandIns) => ({
  kind: 'gcp-auth',
  key: 'identityGcpAuth',
  standIns,
  host: 'www.googleapis.com',
  sealed: [],
  refused: (): [object, number][] => [
    [{ type: 'other' }, 422],
    [{ type: null }, 422],
    [{ allowedServiceAccounts: null }, 422],
    [{ allowedProjects: ['one'] }, 422],
    [{ allowedZones: 'x'.repeat(5000) }, 422],
  ],
  notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
});
const changes = {
  allowedServiceAccounts: 'a ,b,',
  allowedProjects: 'one, other',
  allowedZones: 'europe-west1-c',
};

describe('GCP auth by what a service account signs', () => {
  const standIns = new StandIns();
  let test: TestServer;
  let account: TestIssuer;
  beforeAll(async () => {
    account = await (await Google.start(standIns, '')).account(EMAIL);
    test = await testServer({ fetch: standIns.fetch });
  });
  afterAll(async () => {
    await test.close();
    await standIns.close();
  });

  const iam: ProviderCase = {
    ...methodOf(standIns),
    least: () => ({ type: 'iam' }),
    binding: () => ({ allowedServiceAccounts: EMAIL }),
    answered: () => ({ type: 'iam', ...none, allowedServiceAccounts: EMAIL }),
    changes: () => ({ type: 'gce', ...changes }),
    proof: async (identityId) => ({ jwt: signedBy(account, { aud: identityId, exp: exp() }) }),
    claims: () => ({ gcp: { serviceAccount: EMAIL } }),
    rejectedCredentials: async (identityId) => ({ jwt: signedBy(account, { aud: `${identityId}0`, exp: exp() }) }),
  };
  describeLoginMethod(() => test, iam);
  const { attached } = loginMethodWorld(() => test, iam);

  it('refuses a token for another identity', async () => {
    const [one, other] = [await attached(), await attached()];
    const jwt = signedBy(account, { aud: one.identityId });
    expect((await one.logIn({ jwt })).status).toBe(200);
    expect((await other.logIn({ jwt })).status).toBe(401);
  });

  it('applies changed lists from the next login on', async () => {
    const { url, logIn } = await attached();
    for (const [change, status] of [
      [{ allowedServiceAccounts: `x${EMAIL}` }, 401],
      [{ allowedServiceAccounts: `x, ${EMAIL}` }, 200],
      [{ allowedProjects: 'other', allowedZones: 'other' }, 200],
      [{ type: 'gce' }, 401],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  describeProvider(() => test, iam);
});

describe('GCP auth by what Google signs for an instance', () => {
  const standIns = new StandIns();
  let test: TestServer;
  let google: Google;
  beforeAll(async () => {
    google = await Google.start(standIns, '');
    test = await testServer({ fetch: standIns.fetch });
  });
  afterAll(async () => {
    await test.close();
    await standIns.close();
  });

  const gce: ProviderCase = {
    ...methodOf(standIns),
    least: () => ({ type: 'gce' }),
    binding: () => ({ allowedProjects: 'acme-prod' }),
    answered: () => ({ type: 'gce', ...none, allowedProjects: 'acme-prod' }),
    changes: () => ({ ...changes, type: 'iam' }),
    proof: async (identityId) => ({ jwt: signedBy(google.itself, { aud: identityId, exp: exp() }) }),
    claims: () => ({ gcp: googleInstance }),
    rejectedCredentials: async (identityId) => ({
      jwt: signedBy(google.itself, { aud: identityId, exp: exp(), email: 'ann@example.com' }),
    }),
  };
  describeLoginMethod(() => test, gce);
  const { attached } = loginMethodWorld(() => test, gce);

  it('refuses all rejected credentials, and continues to accept valid ones', async () => {
    const { identityId, logIn } = await attached();
    const { kid, privateKey, publicKey } = google.itself;
    const claims = () => ({ ...google.itself.claims(), aud: identityId });
    for (const { name, forge } of sampleOf(rejectedCredentials, 2).filter(({ about }) => about !== 'subject')) {
      const { status, body } = await logIn({ jwt: forge({ kid, privateKey, publicKey, claims }) });
      expect([name, [401, 422], body.accessToken]).toEqual([name, expect.arrayContaining([status]), undefined]);
    }
    expect((await logIn()).status).toBe(200);
  });

  it('applies changed lists from the next login on', async () => {
    const { url, logIn } = await attached();
    for (const [change, status] of [
      [{ allowedServiceAccounts: EMAIL }, 401],
      [{ allowedServiceAccounts: googleInstance.serviceAccount }, 200],
      [{ allowedProjects: 'acme' }, 401],
      [{ allowedProjects: 'acme, acme-prod' }, 200],
      [{ allowedZones: 'europe-west1' }, 401],
      [{ allowedZones: 'europe-west1-b' }, 200],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  describeProvider(() => test, gce);
});
