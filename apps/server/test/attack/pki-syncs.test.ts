import { describe, expect, it } from 'vitest';
import { ok, V1, type MadeCertificate } from '../harness/certificates.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { PKI_SYNCS, PkiSyncWorld } from '../harness/pki-syncs.ts';
import { besideStandIns } from '../harness/stand-in-server.ts';
import type { TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

let test: TestServer;
let statements: HeldStatements;
const standIns = besideStandIns((made) => {
  test = made;
  statements = new HeldStatements(made);
});

/** What sets up and runs syncs of certificates. */
const SYNCING = [
  { subject: 'pki-syncs', action: ['read', 'create', 'edit', 'sync-certificates'] },
  { subject: 'certificates', action: ['read', 'read-private-key'] },
  { subject: 'app-connections', action: ['connect', 'read'] },
];

interface Syncing {
  readonly world: PkiSyncWorld;
  readonly sync: { id: string };
  /** That it runs as. */
  readonly machine: { readonly id: string };
  readonly certificates: readonly MadeCertificate[];
}

/** What happens while a run waits for its destination. */
const MEANWHILE: readonly (readonly [string, (of: Syncing) => Promise<unknown>])[] = [
  [
    'the actor that it runs as has left the project',
    async ({ world, machine }) =>
      ok(await test.admin('DELETE', `/api/v1/projects/${world.projectId}/memberships/identities/${machine.id}`)),
  ],
  [
    'the certificates were taken out of it',
    async ({ world, sync, certificates }) =>
      ok(
        await world.change(
          sync,
          'DELETE',
          certificates.map(({ id }) => id),
        ),
      ),
  ],
  [
    'the certificates were revoked',
    async ({ certificates }) => {
      for (const { serialNumber } of certificates)
        ok(await test.admin('POST', `${V1}/${serialNumber}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    },
  ],
];

describe('attack: the certificates of a PKI sync', () => {
  it('have chains that are read in turns, and once each', async () => {
    const world = await PkiSyncWorld.make(test, standIns, 'azure-key-vault');
    const MANY = 5;
    const certificateIds: string[] = [];
    for (let i = 0; i < MANY; i++) {
      const { id: caId } = await world.certificates.authority();
      for (let j = 0; j < 2; j++) certificateIds.push((await world.certificates.issue(caId)).id);
    }
    const sync = await world.create({ certificateIds });
    await turnsOf(MANY, async () => {
      expect((await world.ask(sync, 'plan')).plan.create).toHaveLength(2 * MANY);
    });
  });

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

  it.each(MEANWHILE)('do not leave with their keys once %s', async (_, change) => {
    const world = await PkiSyncWorld.make(test, standIns, 'azure-key-vault');
    const certificates = [await world.issue(), await world.issue()];
    const machine = await test.identity({ projectId: world.projectId, rules: SYNCING });
    const connectionId = await world.connect(await world.app());
    const body = { certificateIds: certificates.map(({ id }) => id), connectionId };
    const sync = ok(await world.post(body, machine.call));
    const run = () => world.run(sync);
    await statements.during(/insert into pki_sync_items/, run, () => change({ world, sync, machine, certificates }));
    expect(world.held()).toEqual([]);
  });
});
