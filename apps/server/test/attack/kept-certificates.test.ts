import { beforeEach, describe, expect, it } from 'vitest';
import { PkiSyncWorld } from '../harness/pki-syncs.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import { besideStandIns } from '../harness/stand-in-server.ts';
import type { TestServer } from '../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made), { clock: 'standing' });
beforeEach(() => test.advance(60_000));

const AWS = 'aws-secrets-manager';

/** A certificate that a PKI sync keeps at a destination, and the secret syncs of another project there. */
async function kept(destination: string) {
  const pki = await PkiSyncWorld.make(test, standIns, destination);
  const { id } = await pki.issue();
  await pki.run(await pki.create({ certificateIds: [id] }));
  const [held] = pki.target.held();
  const { target } = pki;
  const there = { credentials: target.credentials, serve: async () => undefined };
  const values = () => Object.fromEntries(pki.target.held().map(({ name, privateKey }) => [name, privateKey]));
  const config = { mappingBehavior: 'one-to-one', ...target.config };
  const secrets = await SyncWorld.make(test, standIns, destination, {
    ...{ ...there, config, held: values, put: () => undefined },
  });
  return { pki, secrets, name: held!.name!, privateKey: held!.privateKey };
}

describe('attack: the certificates that a PKI sync keeps at AWS Secrets Manager', () => {
  it('are not imported by a secret sync of others, one for each secret or by the name of one', async () => {
    const { secrets, name } = await kept(AWS);
    const imports = { initialSyncBehavior: 'import-prioritize-destination' };
    const all = await secrets.run(await secrets.create({ syncOptions: imports }));
    expect([all.syncStatus, await secrets.project.read()]).toEqual(['succeeded', {}]);
    const { region } = secrets.target.config;
    const destinationConfig = { mappingBehavior: 'many-to-one', region, secretName: name };
    const one = await secrets.run(await secrets.create({ syncOptions: imports, destinationConfig }));
    expect([one.syncStatus, await secrets.project.read()]).toEqual(['failed', {}]);
    expect(one.lastSyncMessage).toContain('A PKI sync keeps a certificate');
  });

  it('are not removed as what has the names of a secret sync', async () => {
    const { secrets, name, privateKey } = await kept(AWS);
    const sync = await secrets.create({ syncOptions: { keySchema: 'Coffer-{{secretKey}}' } });
    expect((await secrets.run(sync)).syncStatus).toBe('succeeded');
    expect(secrets.target.held()).toEqual({ [name]: privateKey });
  });
});

describe('attack: the name of a certificate that a PKI sync keeps', () => {
  it.each([AWS, 'azure-key-vault'])('is not that of a secret that a secret sync writes to %s', async (destination) => {
    const { pki, name, privateKey, ...there } = await kept(destination);
    // The stand-in for secrets of Azure is another one than that for certificates.
    const secrets = destination === AWS ? there.secrets : await SyncWorld.make(test, standIns, destination);
    await secrets.project.write({ [name]: 'mine' });
    const synced = await secrets.run(await secrets.create());
    expect([synced.syncStatus, synced.lastSyncMessage]).toEqual([
      'failed',
      expect.stringContaining('a PKI sync keeps a certificate under the name'),
    ]);
    expect(pki.target.held().map((one) => one.privateKey)).toEqual([privateKey]);
    expect(secrets.target.held()[name]).not.toBe('mine');
  });
});
