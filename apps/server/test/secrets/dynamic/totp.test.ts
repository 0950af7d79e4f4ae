import type { ProviderCase } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  DynamicSecretAtWork,
  dynamicPlace,
  LEASES,
  SECRETS,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ now: () => new Date(1_111_111_109_000 + offset) });
  test = { ...test, advance: (ms) => void (offset += ms) };
});
afterAll(() => test.close());
let offset = 0;

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const totp: ProviderCase = {
  type: 'totp',
  inputs: () => ({ configType: 'manual', secret: SECRET, digits: 8 }),
  sealed: ['secret', 'url'],
  works: ({ TOTP, TIME_REMAINING }) => Promise.resolve(/^\d{8}$/.test(TOTP!) && Number(TIME_REMAINING) > 0),
  outlivesLeases: true,
};

describe('codes of an authenticator', () => {
  describeDynamicProvider(() => test, totp);

  it('are those that the authenticator shows', async () => {
    offset = 0;
    const one = new DynamicSecretAtWork(test, await dynamicPlace(test));
    await one.create('totp', totp.inputs());
    expect((await one.lease()).body.data).toEqual({ TOTP: '07081804', TIME_REMAINING: 1 });
    test.advance(1000);
    expect((await one.lease()).body.data).toMatchObject({ TOTP: '14050471', TIME_REMAINING: 30 });
  });

  it('are created as in the guide', async () => {
    const { here } = await dynamicPlace(test);
    const [sent] = sentInGuide('TOTP');
    expect((await test.admin('POST', SECRETS, { ...sent, ...here })).status).toBe(200);
    const { status } = await test.admin('POST', LEASES, { ...here, dynamicSecretName: sent!['name'] });
    expect(status).toBe(200);
  });

  it('can be configured by a URL, and by another one in an update', async () => {
    offset = 0;
    const one = new DynamicSecretAtWork(test, await dynamicPlace(test));
    const url = (secret: string) => `otpauth://totp/Shop:ann?secret=${secret}&digits=8`;
    await one.create('totp', { configType: 'url', url: url(SECRET) });
    expect((await one.lease()).body.data).toMatchObject({ TOTP: '07081804' });
    expect((await one.update({ inputs: { url: url('JBSWY3DPEHPK3PXP') } })).status).toBe(200);
    expect((await one.lease()).body.data.TOTP).not.toBe('07081804');
    expect((await one.update({ inputs: { configType: 'manual' } })).status).toBe(422);
    expect((await one.update({ inputs: { configType: 'manual', secret: SECRET, digits: 8 } })).status).toBe(200);
    expect((await one.lease()).body.data).toMatchObject({ TOTP: '07081804' });
    expect((await one.get()).body.dynamicSecret.inputs).toEqual({ configType: 'manual', digits: 8 });
  });

  it('have at most ten digits, however a URL asks for more', async () => {
    const one = new DynamicSecretAtWork(test, await dynamicPlace(test));
    const url = `otpauth://totp/Shop:ann?secret=${SECRET}`;
    await one.create('totp', { configType: 'url', url });
    for (const more of ['DIGITS=999999999999', 'digits=6&digits=400000000', 'Period=99999999999999999999999'])
      expect((await one.update({ inputs: { url: `${url}&${more}` } })).status).toBe(400);
    expect((await one.lease()).body.data.TOTP).toMatch(/^\d{6}$/);
  });

  it.each([
    [{ configType: 'url', url: 'https://example.com' }, 400],
    [{ configType: 'manual' }, 422],
    [{ configType: 'manual', secret: 'not base32!' }, 422],
    [{ configType: 'manual', secret: '' }, 422],
    [{ configType: 'manual', secret: SECRET, digits: 5 }, 422],
    [{ configType: 'manual', secret: SECRET, period: 0 }, 422],
    [{ configType: 'manual', secret: SECRET, algorithm: 'md5' }, 422],
    [{ configType: 'other', secret: SECRET }, 422],
    [{}, 422],
    ['x', 422],
  ])('are not created from %j: %i', async (inputs, status) => {
    const one = new DynamicSecretAtWork(test, await dynamicPlace(test));
    const answer = await one.create('totp', inputs as object);
    expect([answer.status, JSON.stringify(answer.body).includes(SECRET)]).toEqual([status, false]);
  });
});
