import { describe, expect, it } from 'vitest';
import { PKI_SYNCS, PkiSyncWorld } from '../harness/pki-syncs.ts';
import { besideStandIns } from '../harness/stand-in-server.ts';
import type { TestServer } from '../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

describe('attack: the certificates of a PKI sync', () => {
  it('are found out by their IDs, by somebody who may read syncs and not these certificates', async () => {
    const one = await PkiSyncWorld.make(test, standIns, 'azure-key-vault');
    const [open, shut] = [
      await one.issue({ commonName: 'open.example.com' }),
      await one.issue({ commonName: 'shut.example.com' }),
    ];
    const made = await one.create({ certificateIds: [open.id, shut.id] });
    const conditions = { commonName: 'open.example.com' };
    const { call } = await test.identity({
      projectId: one.projectId,
      rules: [
        { subject: 'pki-syncs', action: ['read'] },
        { subject: 'certificates', action: ['read'], conditions },
      ],
    });
    const has = async ({ id }: { id: string }) => {
      const query = `projectId=${one.projectId}&certificateId=${id}`;
      const { status, body } = await call('GET', `${PKI_SYNCS}?${query}`);
      return [status, body.pkiSyncs.map(({ hasCertificate }: { hasCertificate: boolean }) => hasCertificate)];
    };
    expect(await has(open)).toEqual([200, [true]]);
    expect(await has(shut)).toEqual([200, [false]]);
    expect(await has({ id: made.id })).toEqual([200, [false]]);
    const listed = await one.listed(made, call);
    expect(listed.map(({ certificateId }) => certificateId)).toEqual([open.id]);
  });
});
