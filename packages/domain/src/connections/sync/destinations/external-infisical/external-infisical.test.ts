import { afterAll, describe, expect, it } from 'vitest';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { NO_APP_SETTINGS } from '../../../../kernel/index.ts';
import type { DocumentStore } from '../../sync.ts';
import { example } from './examples.ts';
import { externalInfisical } from './external-infisical.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open(given: object = {}, siteUrl = 'https://coffer.example.com') {
  const { credentials, config, serve, held } = example.target();
  await serve(standIns);
  const remote = {
    ...{ fetch: standIns.fetch, connect: () => Promise.reject(new Error('It is asked by HTTP')), now: new Date() },
    ...{ externalId: 'project', organizationId: 'organization', settings: NO_APP_SETTINGS, siteUrl },
    hide: () => undefined,
  };
  const client = await externalInfisical.connector.connect({ ...credentials, ...given }, remote);
  const store = await externalInfisical.configure({ ...config, ...given }, {}).open(client);
  return { store: store as DocumentStore, held };
}

describe('External Infisical', () => {
  it('writes all changes with one call, and removes with another', async () => {
    const { store, held } = await open();
    expect(await store.read()).toEqual({});
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`KEY_${n}`, `value ${n}`]));
    const before = standIns.called.length;
    await store.write({ ...many, TEXT: 'süß\n"zitiert"' });
    expect(standIns.called.length - before).toBe(2);
    expect(held()).toEqual({ ...many, TEXT: 'süß\n"zitiert"' });
    expect(await store.read()).toEqual(held());
    const changed = standIns.called.length;
    await store.write({ ...many, KEY_1: 'other' });
    expect(standIns.called.slice(changed).map((url) => new URL(url).pathname)).toEqual([
      '/api/v4/secrets/batch',
      '/api/v4/secrets/batch',
    ]);
    expect(held()).toEqual({ ...many, KEY_1: 'other' });
  });

  it('repeats what the server says of credentials and places that it does not know', async () => {
    const other = { machineIdentityClientSecret: 'another' };
    await expect(open(other)).rejects.toMatchObject({ message: expect.stringContaining('Invalid credentials') });
    const { store } = await open({ secretPath: '/other' });
    await expect(store.read()).rejects.toMatchObject({ message: expect.stringContaining('Folder not found') });
  });

  it('is not the server itself', async () => {
    await expect(open({}, 'https://secrets.example.com:443')).rejects.toMatchObject({
      code: 'app_connection.own_server',
    });
  });
});
