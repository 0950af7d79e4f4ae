import { afterAll, describe, expect, it } from 'vitest';
import { AzureCloud } from '../../../../apps/azure/testing/cloud.ts';
import { AzureKeyVault } from '../../../../apps/azure/testing/key-vault.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { azureKeyVault } from './azure-key-vault.ts';
import { example } from './examples.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open() {
  const azure = new AzureCloud();
  const vault = new AzureKeyVault();
  const target = {
    ...example.target(),
    credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
    serve: async (at: StandIns) => {
      await azure.serve(at);
      await azure.serveApi(at, vault);
    },
  };
  return { ...(await openExample(standIns, azureKeyVault, example, { target })), azure, vault };
}

describe('Azure Key Vault', () => {
  it('reads, writes and deletes each secret with one call', async () => {
    const { write, callsOf, vault } = await open();
    expect(await callsOf(() => write({ A: '1', B: 'süß\n"zitiert"' }))).toBe(4);
    expect(await callsOf(() => write({ A: '2' }, ['B', 'NOBODY']))).toBe(6);
    expect(vault.present()).toEqual([{ name: 'A', value: '2' }]);
  });

  it('lists all pages, without the values of certificates and of disabled secrets', async () => {
    const { session, vault } = await open();
    for (let n = 0; n < 60; n++) vault.set(`key-${n}`, `value ${n}`);
    vault.set('certificate', 'PKCS #12', { managed: true });
    vault.set('disabled', 'value', { enabled: false });
    const found = await session.list(['KEY-7'], true);
    expect(found.size).toBe(62);
    expect([...['KEY-7', 'key-59', 'certificate', 'disabled'].map((name) => found.get(name))]).toEqual([
      ...['value 7', 'value 59', undefined, undefined],
    ]);
  });

  it('keeps tags and content types of existing secrets', async () => {
    const { write, vault } = await open();
    vault.set('KEY', 'theirs', { tags: { team: 'web' }, contentType: 'text/plain' });
    await write({ KEY: 'ours' });
    expect(vault.secrets.get('key')).toMatchObject({ value: 'ours', tags: { team: 'web' }, contentType: 'text/plain' });
  });

  it('recovers a deleted secret before it writes it', async () => {
    const { write, vault } = await open();
    vault.set('KEY', 'before');
    await write({}, ['KEY']);
    expect(vault.present()).toEqual([]);
    const { rejected } = await write({ KEY: 'again' });
    expect([rejected.size, vault.present()]).toEqual([0, [{ name: 'KEY', value: 'again' }]]);
  });

  it('reports a secret that may not be written, and does not take one that may not be read for absent', async () => {
    const { write, azure, vault } = await open();
    azure.accident = (call) => {
      const isRefused = call.method === 'PUT' && call.url.pathname === '/secrets/A';
      if (isRefused) call.answer(403, { error: { code: 'Forbidden', message: 'Caller may not set it' } });
      return isRefused;
    };
    const { rejected } = await write({ A: '1', B: '2' });
    expect([...rejected]).toEqual([['A', expect.stringContaining('Caller may not set it')]]);
    expect(vault.present()).toEqual([{ name: 'B', value: '2' }]);
    azure.accident = (call) => {
      call.answer(403, { error: { code: 'Forbidden', message: 'Caller may not get it' } });
      return true;
    };
    await expect(write({ A: '1' })).rejects.toThrow('Caller may not get it');
  });

  it('is asked only for vaults of Azure, to which the token may go', () => {
    for (const vaultBaseUrl of [
      'https://thief.example',
      'https://shop.vault.azure.net.thief.example',
      'http://shop.vault.azure.net',
    ])
      expect(() => azureKeyVault.configure({ vaultBaseUrl }, {})).toThrow('the URL of a vault');
    const { layout } = azureKeyVault.configure({ vaultBaseUrl: 'https://Shop.vault.azure.net/' }, {});
    expect(layout.location).toBe('https://shop.vault.azure.net');
  });
});
