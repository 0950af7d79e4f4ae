import { makeConnection, makeExternalAuthority, makeRotation, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates, V1, ok } from '../harness/certificates.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let standIns: StandIns;
beforeAll(async () => {
  standIns = new StandIns();
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** A project in an organization of its own, and the deletions of both. */
async function world() {
  const { organizationId, call } = await test.foreign();
  const { project } = ok(await call('POST', '/api/v1/projects', { projectName: 'Shop' }));
  const deletions = [
    () => call('DELETE', `/api/v1/projects/${project.id}`),
    () => call('DELETE', `/api/v2/organizations/${organizationId}`),
  ];
  return { organizationId, call, projectId: project.id as string, deletions };
}

const eventsOf = async (type: string, id: string) =>
  (
    await test.coffer.pool.query(
      `select data from audit_events where type = $1 and (data ->> 'projectId' = $2 or data ->> 'environmentId' = $2)`,
      [type, id],
    )
  ).rows.map(({ data }) => data);

describe('attack: deleting a project to forget what stands elsewhere', () => {
  it('is refused while it has secret rotations, and while its organization would take these with it', async () => {
    const { organizationId, call, projectId, deletions } = await world();
    const { id } = await makeRotation(test.coffer, { organizationId, projectId, name: 'shop' });
    for (const deletion of deletions) {
      const { status, body } = await deletion();
      expect([status, body.message]).toEqual([400, expect.stringContaining('delete the rotations first')]);
    }
    ok(await call('DELETE', `/api/v2/secret-rotations/postgres-credentials/${id}`));
    for (const deletion of deletions) ok(await deletion());
  });

  it('is refused while certificates of an external authority are valid, which nobody could revoke', async () => {
    const { organizationId, call, projectId, deletions } = await world();
    const own = new Certificates({ ...test, admin: call, organizationId }, projectId);
    const { serialNumber } = await own.issue((await own.authority()).id);
    const credentials = { method: 'api-key', apiKey: 'a-key' } as never;
    const place = { organizationId, projectId };
    const { id: connectionId } = await makeConnection(test.coffer, {
      ...place,
      app: 'digicert',
      name: 'd',
      credentials,
    });
    const external = { ...place, connectionId, type: 'digicert', name: 'elsewhere', configuration: {} } as const;
    const { id } = await makeExternalAuthority(test.coffer, external);
    const { pool } = test.coffer;
    await pool.query(
      'update certificates set external_ca_id = $1, ca_id = null, ca_key_id = null, ca_certificate_id = null where serial_number = $2',
      [id, serialNumber],
    );
    for (const deletion of deletions) {
      const { status, body } = await deletion();
      expect([status, body.message]).toEqual([400, expect.stringContaining('revoke them first')]);
    }
    const path = `/api/v1/cert-manager/ca/digicert/${id}`;
    expect((await call('DELETE', path)).status).toBe(400);
    expect((await call('DELETE', `${V1}/${serialNumber}`)).status).toBe(400);
    await pool.query("update certificates set status = 'revoked', revoked_at = now() where serial_number = $1", [
      serialNumber,
    ]);
    for (const deletion of deletions) ok(await deletion());
  });

  it('names what has written copies elsewhere in its event, as that of an environment does', async () => {
    const syncs = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    const made = await Promise.all([0, 1].map(async () => ok(await syncs.post({ isAutoSyncEnabled: false }))));
    const [first] = made.map(({ secretSync }) => secretSync);
    const { id: projectId } = syncs.project;
    const { pool } = test.coffer;
    const connection = (
      await pool.query('update app_connections set is_platform_managed = true where id = $1 returning id, name', [
        first.connectionId,
      ])
    ).rows[0];
    ok(await test.admin('DELETE', `/api/v1/projects/${projectId}`));
    const left = made.map(({ secretSync: { id, name } }) => ({ kind: 'secret-sync', id, name }));
    const [event] = await eventsOf('project.deleted', projectId);
    expect(event.left).toEqual(expect.arrayContaining([...left, { kind: 'managed-password', ...connection }]));
    expect(event.left).toHaveLength(left.length + 1);

    const other = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    const { secretSync } = ok(await other.post({ isAutoSyncEnabled: false }));
    const environmentId = ok(await test.admin('GET', `/api/v1/projects/${other.project.id}`)).project.environments.find(
      ({ slug }: { slug: string }) => slug === 'dev',
    ).id;
    ok(await test.admin('DELETE', `/api/v1/projects/${other.project.id}/environments/${environmentId}`));
    const [ended] = await eventsOf('environment.deleted', environmentId);
    expect(ended.left).toEqual([{ kind: 'secret-sync', id: secretSync.id, name: secretSync.name }]);
  });

  it('knows of every table whose rows concern another system', async () => {
    const { rows } = await test.coffer.pool.query<{ name: string }>(
      `select distinct c.conrelid::regclass::text as name from pg_constraint c
       where c.contype = 'f' and c.confrelid in ('app_connections'::regclass, 'external_authorities'::regclass,
         'dynamic_secrets'::regclass)
       order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      [
        'certificate_orders', // finished first
        'certificates', // refused while valid
        'certificate_profiles', // nothing elsewhere
        'dynamic_secret_leases', // refused
        'external_authorities', // refused by their certificates
        'pki_subscribers', // nothing elsewhere
        'pki_syncs', // named
        'secret_rotations', // refused
        'secret_syncs', // named
      ].toSorted(),
    );
  });
});
