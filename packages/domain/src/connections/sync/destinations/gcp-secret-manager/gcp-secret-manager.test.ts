import { afterAll, describe, expect, it } from 'vitest';
import { GcpCloud } from '../../../../apps/gcp/testing/cloud.ts';
import { GcpSecretManager } from '../../../../apps/gcp/testing/secret-manager.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { example as shared } from './examples.ts';
import { gcpSecretManager } from './gcp-secret-manager.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());
const cloud = new GcpCloud();
const example = { ...shared, settings: { gcpServiceAccount: cloud.operator } };

async function open(config: object = {}, locationId?: string) {
  const manager = new GcpSecretManager(locationId);
  const host = locationId ? `secretmanager.${locationId}.rep.googleapis.com` : 'secretmanager.googleapis.com';
  const target = {
    ...shared.target(),
    credentials: (organizationId: string) => ({
      ...{ method: 'service-account-impersonation', serviceAccountEmail: cloud.addAccount(organizationId) },
    }),
    config: { scope: 'global', projectId: manager.project },
    serve: async (at: StandIns) => {
      await cloud.serve(at);
      await at.serve(host, manager.serveBy(cloud));
    },
  };
  return { ...(await openExample(standIns, gcpSecretManager, example, { target, config })), manager };
}

describe('GCP Secret Manager', () => {
  it('reads each secret, and adds a version where it has changed', async () => {
    const { write, callsOf, manager } = await open();
    expect(await callsOf(() => write({ A: '1', B: 'süß\n"zitiert"' }))).toBe(6);
    expect(await callsOf(() => write({ A: '2' }, ['B', 'NOBODY']))).toBe(6);
    expect(manager.held()).toEqual({ A: '2' });
    expect(manager.secrets.get('A')).toMatchObject({ replication: { automatic: {} }, versions: ['1', '2'] });
  });

  it('replicates new secrets where it is told to', async () => {
    const { write, manager } = await open({ userReplicaLocationIds: ['europe-west3', 'europe-west4'] });
    await write({ KEY: 'value' });
    const replicas = [{ location: 'europe-west3' }, { location: 'europe-west4' }];
    expect(manager.secrets.get('KEY')!.replication).toEqual({ userManaged: { replicas } });
  });

  it('writes secrets of a region at its own endpoint', async () => {
    const { session, write, manager } = await open({ scope: 'region', locationId: 'europe-west3' }, 'europe-west3');
    await write({ KEY: 'value' });
    expect(await session.list([], true)).toEqual(new Map([['KEY', 'value']]));
    expect(manager.secrets.get('KEY')!.replication).toBeUndefined();
  });

  it('lists all pages, without values that are no text or disabled, and fills a secret without a version', async () => {
    const { session, write, manager } = await open();
    for (let n = 0; n < 7; n++) manager.set(`KEY_${n}`, `value ${n}`);
    manager.set('BINARY', Buffer.from([0xff, 0xfe]));
    manager.set('DISABLED', 'value', { isEnabled: false });
    manager.set('EMPTY');
    const found = await session.list(['KEY_6'], true);
    expect(['KEY_6', 'BINARY', 'DISABLED', 'EMPTY'].map((name) => found.get(name))).toEqual([
      ...['value 6', undefined, undefined, undefined],
    ]);
    expect(found.size).toBe(10);
    await write({ EMPTY: 'ours', DISABLED: 'ours' });
    expect(manager.held()).toMatchObject({ EMPTY: 'ours', DISABLED: 'ours' });
  });

  it('reports a secret that may not be written, and does not take one that may not be read for absent', async () => {
    const { write, manager } = await open();
    manager.denied.add('POST A:addVersion');
    const { rejected } = await write({ A: '1', B: '2' });
    expect([...rejected]).toEqual([['A', expect.stringContaining('PERMISSION_DENIED')]]);
    expect(manager.held()).toEqual({ B: '2' });
    manager.denied.add('GET B/versions/latest:access');
    await expect(write({ B: '3' })).rejects.toThrow('denied');
  });
});
