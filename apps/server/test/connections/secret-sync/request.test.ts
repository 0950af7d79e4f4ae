import type { RequestListener } from 'node:http';
import { Vault } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { TestServer } from '../../harness/test-server.ts';

const HOST = 'vault.requests.example.com';
let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

/** A sync that follows no changes, to a Vault that does something between reading its document and answering it, once. */
async function slowlyRead(): Promise<{
  one: SyncWorld;
  sync: { id: string };
  vault: Vault;
  meanwhile: (work: () => Promise<unknown>) => void;
}> {
  const vault = new Vault('hvs.requests');
  vault.two.set('secret', new Map([['app', { version: 1, data: { THEIRS: 'first' } }]]));
  let before: (() => Promise<unknown>) | undefined;
  const listener: RequestListener = (request, response) => {
    if (request.method === 'GET' && request.url?.includes('/data/') && before) {
      const work = before;
      const end = response.end.bind(response) as (body: string) => void;
      before = undefined;
      response.end = ((body: string) => {
        work().then(
          () => end(body),
          () => response.destroy(),
        );
        return response;
      }) as typeof response.end;
    }
    vault.listener(request, response);
  };
  await standIns.serve(HOST, listener);
  const one = await SyncWorld.make(test, standIns, 'hashicorp-vault');
  const credentials = { method: 'access-token', instanceUrl: `https://${HOST}`, accessToken: vault.token };
  const connectionId = await one.connect('hashicorp-vault', one.project.id, credentials);
  const destinationConfig = { mount: 'secret', path: 'app' };
  const sync = await one.create({ connectionId, destinationConfig, isAutoSyncEnabled: false });
  return { one, sync, vault, meanwhile: (work) => void (before = work) };
}

const put = (vault: Vault, name: string, value: string) => {
  const { version, data } = vault.two.get('secret')!.get('app')!;
  vault.two.get('secret')!.set('app', { version: version + 1, data: { ...data, [name]: value } });
};
const IMPORT = 'import-secrets?importBehavior=prioritize-source';

describe('what is requested of a secret sync while it runs', () => {
  it('is imported again, with what others have put there meanwhile', async () => {
    const { one, sync, vault, meanwhile } = await slowlyRead();
    meanwhile(async () => {
      put(vault, 'LATER', 'second');
      await one.ask(sync, IMPORT);
    });
    await one.ask(sync, IMPORT);
    expect(await one.run(sync)).toMatchObject({ importStatus: 'pending' });
    expect(await one.project.read()).toEqual({ THEIRS: 'first' });
    expect(await one.run(sync)).toMatchObject({ importStatus: 'succeeded' });
    expect(await one.project.read()).toEqual({ THEIRS: 'first', LATER: 'second' });
  });

  it('is compared again, with what others have changed meanwhile', async () => {
    const { one, sync, vault, meanwhile } = await slowlyRead();
    await one.project.write({ OURS: 'value' });
    await one.ask(sync, 'sync-secrets');
    await one.run(sync);
    await one.ask(sync, 'sync-secrets');
    meanwhile(async () => {
      put(vault, 'OURS', 'of others');
      await one.ask(sync, 'sync-secrets');
    });
    await one.run(sync);
    expect(await one.run(sync)).toMatchObject({ syncStatus: 'succeeded' });
    expect(vault.two.get('secret')!.get('app')!.data).toEqual({ THEIRS: 'first', OURS: 'value' });
  });

  it('is an import that takes nothing from the folder that was written there meanwhile', async () => {
    const { one, sync, meanwhile } = await slowlyRead();
    meanwhile(() => one.project.write({ THEIRS: 'ours' }));
    await one.ask(sync, IMPORT);
    expect(await one.run(sync)).toMatchObject({ importStatus: 'succeeded', lastImportMessage: null });
    expect(await one.project.read()).toEqual({ THEIRS: 'ours' });
  });
});
