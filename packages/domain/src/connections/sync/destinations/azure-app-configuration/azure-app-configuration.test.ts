import { afterAll, describe, expect, it } from 'vitest';
import { AppConfiguration } from '../../../../apps/azure/testing/app-configuration.ts';
import { AzureCloud } from '../../../../apps/azure/testing/cloud.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { azureAppConfiguration } from './azure-app-configuration.ts';
import { example } from './examples.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open(config: object = {}) {
  const azure = new AzureCloud();
  const store = new AppConfiguration();
  const target = {
    ...example.target(),
    credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
    serve: async (at: StandIns) => {
      await azure.serve(at);
      await azure.serveApi(at, store);
    },
  };
  return { ...(await openExample(standIns, azureAppConfiguration, example, { target, config })), store };
}

describe('Azure App Configuration', () => {
  it('writes key-values of its label beside those of others', async () => {
    const { session, write, callsOf, store } = await open();
    store.set({ key: 'A', value: 'theirs', label: null });
    store.set({ key: 'A', value: 'theirs', label: 'dev' });
    expect(await callsOf(() => write({ A: '1', 'a/b:c': 'süß\n"zitiert"', EMPTY: '' }))).toBe(4);
    expect(await callsOf(() => write({ A: '2' }, ['EMPTY', 'NOBODY']))).toBe(4);
    expect(store.held('prod')).toEqual({ A: '2', 'a/b:c': 'süß\n"zitiert"' });
    expect([store.held('dev'), store.held(null)]).toEqual([{ A: 'theirs' }, { A: 'theirs' }]);
    expect(await session.list([])).toEqual(new Map(Object.entries(store.held('prod'))));
  });

  it('writes key-values without a label, and finds existing ones on all pages', async () => {
    const { session, write, store } = await open({ label: '' });
    for (let n = 0; n < 250; n++) store.set({ key: `KEY_${n}`, value: `value ${n}`, label: null });
    await write({ KEY_249: 'ours' });
    const found = await session.list([]);
    expect([found.size, found.get('KEY_249')]).toEqual([250, 'ours']);
  });

  it('keeps tags, and makes a value of a reference to a vault', async () => {
    const { session, write, store } = await open();
    const content_type = 'application/vnd.microsoft.appconfig.keyvaultref+json;charset=utf-8';
    store.set({ key: 'KEY', value: '{"uri":"…"}', label: 'prod', content_type, tags: { team: 'web' } });
    expect(await session.list([])).toEqual(new Map([['KEY', undefined]]));
    await write({ KEY: 'ours' });
    expect(store.items).toEqual([{ key: 'KEY', value: 'ours', label: 'prod', tags: { team: 'web' } }]);
  });

  it('reports a locked key-value, and writes the others', async () => {
    const { write, store } = await open();
    store.set({ key: 'LOCKED', value: 'theirs', label: 'prod', locked: true });
    const { rejected } = await write({ LOCKED: 'ours', KEY: 'ours' }, []);
    expect([...rejected]).toEqual([['LOCKED', expect.stringContaining('read-only')]]);
    expect(store.held('prod')).toEqual({ LOCKED: 'theirs', KEY: 'ours' });
  });

  it('is asked only for stores of Azure, to which the token may go', () => {
    for (const configurationUrl of ['https://thief.example', 'https://shop-prod.azconfig.io.thief.example'])
      expect(() => azureAppConfiguration.configure({ configurationUrl }, {})).toThrow('the URL of a store');
  });
});
