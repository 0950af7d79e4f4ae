import { randomUUID } from 'node:crypto';
import { dueLists, jobs, startWorker } from '@coffer/domain';
import { readCrl } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Certificates,
  createAuthority,
  DAY,
  ok,
  type MadeAuthority,
  type MadeCertificate,
} from '../../harness/certificates.ts';
import { openssl } from '../../harness/openssl.ts';
import { addKeys, judgeOcsp, ocspOf, rawly } from '../../harness/revocation.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const UNKNOWN = randomUUID();

let test: TestServer;
let of: Certificates;
let ca: MadeAuthority;
let raw: ReturnType<typeof rawly>;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  raw = rawly(test);
  of = await Certificates.in(test);
  ca = await of.authority();
});
afterAll(() => test.close());

const crlOf = async (keyId: string) => (await raw('GET', `/api/v1/pki/crl/${keyId}/der`)).octets;
const pemOf = async (keyId: string) => (await raw('GET', `/api/v1/pki/crl/${keyId}`)).octets.toString();
const readOf = async (keyId: string) => readCrl(await crlOf(keyId));

const platform = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
/** The keys whose lists the schedule has renewed. */
async function runSchedule(): Promise<string[]> {
  const keys = await dueKeys();
  for (const key of keys) await of.rebuild(key);
  return keys;
}

/** The keys whose lists it is to renew. */
async function dueKeys(): Promise<string[]> {
  const { pool } = test.coffer;
  await pool.query('delete from graphile_worker._private_jobs');
  await dueLists.run(platform(), {}, {} as never);
  const { rows } = await pool.query<{ key: string }>(
    `select payload->>'caKeyId' as key from graphile_worker._private_jobs`,
  );
  return rows.map(({ key }) => key);
}

/** The time of the test, for OpenSSL. */
const attime = () => ['-attime', String(Math.floor(test.coffer.now().getTime() / 1000))];

const verify = (authority: MadeAuthority, crl: string, leaf: MadeCertificate) =>
  openssl(['verify', ...attime(), '-crl_check', '-CAfile', 'ca.pem', '-CRLfile', 'crl.pem', 'leaf.pem'], {
    'ca.pem': authority.certificate,
    'crl.pem': crl,
    'leaf.pem': leaf.certificate,
  });

describe('a revocation list', () => {
  it('supports every reason, including a hold', async () => {
    const reasons = {
      UNSPECIFIED: undefined,
      KEY_COMPROMISE: 'KEY_COMPROMISE',
      CA_COMPROMISE: 'CA_COMPROMISE',
      AFFILIATION_CHANGED: 'AFFILIATION_CHANGED',
      SUPERSEDED: 'SUPERSEDED',
      CESSATION_OF_OPERATION: 'CESSATION_OF_OPERATION',
      CERTIFICATE_HOLD: 'CERTIFICATE_HOLD',
      PRIVILEGE_WITHDRAWN: 'PRIVILEGE_WITHDRAWN',
      A_A_COMPROMISE: 'A_A_COMPROMISE',
    };
    const authority = await of.authority();
    const made = new Map<string, string | undefined>();
    for (const [reason, listed] of Object.entries(reasons)) {
      const leaf = await of.issue(authority.id);
      await of.revoke(leaf, reason);
      made.set(leaf.serialNumber, listed);
    }
    await of.rebuild(authority.keyId);
    const { entries } = await readOf(authority.keyId);
    expect(new Map([...entries].map(([serial, { reason }]) => [serial, reason]))).toEqual(made);
  });

  it('is renewed by the schedule, however many of others are due', async () => {
    const { call } = await test.foreign();
    const others = ok(await call('POST', '/api/v1/projects', { projectName: 'Others' })).project.id;
    const { id } = await createAuthority(call, { projectId: others });
    await addKeys(test, id, 1000);
    const own = await of.authority();
    expect(await dueKeys()).toContain(own.keyId);
    await test.coffer.pool.query('delete from certificate_authorities where id = $1', [id]);
  });

  it('is signed again only when needed, with an increasing number', async () => {
    const authority = await of.authority();
    const first = await crlOf(authority.keyId);
    await of.rebuild(authority.keyId);
    expect(await crlOf(authority.keyId)).toEqual(first);
    expect(readCrl(first)).toMatchObject({ number: 1n, entries: new Map() });
    await of.revoke(await of.issue(authority.id));
    await Promise.all([of.rebuild(authority.keyId), of.rebuild(authority.keyId), of.rebuild(authority.keyId)]);
    const second = await readOf(authority.keyId);
    expect([second.number, second.entries.size]).toEqual([2n, 1]);
    expect(second.nextUpdate!.getTime() - second.thisUpdate.getTime()).toBe(7 * DAY);
    const { rows } = await test.coffer.pool.query(
      `select data->>'number' as number from audit_events where type = 'revocation_list.issued' and data->>'caKeyId' = $1 order by id`,
      [authority.keyId],
    );
    expect(rows).toEqual([{ number: '1' }, { number: '2' }]);
  });

  it('keeps the entry when its certificate is deleted', async () => {
    const authority = await of.authority();
    const leaf = await of.issue(authority.id);
    await of.revoke(leaf, 'SUPERSEDED');
    ok(await test.admin('DELETE', `/api/v1/pki/certificates/${leaf.serialNumber}`));
    await of.rebuild(authority.keyId);
    expect([...(await readOf(authority.keyId)).entries.keys()]).toEqual([leaf.serialNumber]);
    expect(
      judgeOcsp(authority, leaf.certificate, await ocspOf(test, authority, leaf.certificate), attime()).text,
    ).toContain(': revoked');
  });

  it('exists for keys and authorities that issue no more, one for each key', async () => {
    const authority = await of.authority();
    const old = await of.issue(authority.id);
    await of.revoke(old);
    const notAfter = new Date(test.coffer.now().getTime() + 3000 * DAY).toISOString();
    const renewed = { type: 'new', notAfter };
    ok(await test.admin('POST', `/api/v1/cert-manager/ca/internal/${authority.id}/renew`, renewed));
    const keyId = await of.keyOf(authority.id);
    expect(keyId).not.toBe(authority.keyId);
    ok(await test.admin('PATCH', `/api/v1/cert-manager/ca/internal/${authority.id}`, { status: 'disabled' }));
    expect(await runSchedule()).toEqual(expect.arrayContaining([keyId, authority.keyId]));
    expect([...(await readOf(authority.keyId)).entries.keys()]).toEqual([old.serialNumber]);
    expect([...(await readOf(keyId)).entries.keys()]).toEqual([]);
    expect(verify(authority, await pemOf(authority.keyId), old).text).toContain('certificate revoked');

    const path = `/api/v1/cert-manager/ca/internal/${authority.id}/crls`;
    const expected = [
      { id: keyId, crl: await pemOf(keyId) },
      { id: authority.keyId, crl: await pemOf(authority.keyId) },
    ];
    expect(ok(await test.admin('GET', path))).toEqual(expected);
    expect(ok(await test.admin('GET', `/api/v1/pki/ca/${authority.id}/crls`))).toEqual(expected);
    expect(ok(await test.admin('GET', `/api/v1/pki/ca/${authority.id}/crl`))).toEqual({ crl: expected[0]!.crl });
  });

  it('is requested within seconds of a revocation, and once for all concurrent ones', async () => {
    const authority = await of.authority();
    await crlOf(authority.keyId);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const leaves = await Promise.all(Array.from({ length: 30 }, () => of.issue(authority.id)));
    await Promise.all(leaves.map((leaf) => of.revoke(leaf)));
    const { rows } = await test.coffer.pool.query<{ run_at: string; updated_at: string }>(
      `select run_at, updated_at from graphile_worker._private_jobs`,
    );
    // One for each five seconds, and the clock is fixed; that of the database has gone on.
    expect(rows).toHaveLength(1);
    const [runAt, updatedAt] = [rows[0]!.run_at, rows[0]!.updated_at].map((one) => new Date(one).getTime());
    const late = runAt! - Math.max(test.coffer.now().getTime(), updatedAt!);
    expect([late >= 0, late <= 5_000]).toEqual([true, true]);
    await of.rebuild(authority.keyId);
    const { number, entries } = await readOf(authority.keyId);
    expect([number, [...entries.keys()].toSorted()]).toEqual([
      2n,
      leaves.map(({ serialNumber }) => serialNumber).toSorted(),
    ]);
  });

  it('is created automatically, also for revocations while no worker was running', async () => {
    const authority = await of.authority();
    await crlOf(authority.keyId);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const [one, two] = [await of.issue(authority.id), await of.issue(authority.id)];
    // As if it had been while no worker ran.
    test.advance(-10_000);
    await of.revoke(one);
    await of.revoke(two);
    test.advance(10_000);
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 200 });
    try {
      const listed = async () => [...(await readOf(authority.keyId)).entries.keys()].toSorted();
      await expect
        .poll(listed, { timeout: 30_000, interval: 200 })
        .toEqual([one.serialNumber, two.serialNumber].toSorted());
    } finally {
      await worker.stop();
    }
  });
});

describe('the lists of an authority', () => {
  const PATHS = ['/api/v1/cert-manager/ca/internal/ID/crls', '/api/v1/pki/ca/ID/crls', '/api/v1/pki/ca/ID/crl'];

  it.each(PATHS)('%s: refuses whom it should', async (path) => {
    const url = path.replace('ID', ca.id);
    expect((await test.as()('GET', url)).status).toBe(401);
    const foreign = await test.foreign();
    const [hidden, unknown] = [await foreign.call('GET', url), await foreign.call('GET', path.replace('ID', UNKNOWN))];
    expect([hidden.status, { ...hidden.body, reqId: '' }]).toEqual([404, { ...unknown.body, reqId: '' }]);
    expect((await test.admin('GET', path.replace('ID', 'nonsense'))).status).toBe(404);
    const outsider = await test.identity();
    expect((await outsider.call('GET', url)).status).toBe(404);
    const member = await test.identity({ projectId: of.projectId, projectRole: 'no-access' });
    expect((await member.call('GET', url)).status).toBe(403);
  });

  it('are none while it has no certificate', async () => {
    const { id } = ok(
      await test.admin('POST', '/api/v1/cert-manager/ca/internal', {
        projectId: of.projectId,
        name: 'pending',
        configuration: { type: 'intermediate', commonName: 'Pending', keyAlgorithm: 'EC_prime256v1' },
      }),
    );
    expect(ok(await test.admin('GET', `/api/v1/cert-manager/ca/internal/${id}/crls`))).toEqual([]);
    expect((await test.admin('GET', `/api/v1/pki/ca/${id}/crl`)).status).toBe(404);
    const { rows } = await test.coffer.pool.query<{ id: string }>('select id from ca_keys where ca_id = $1', [id]);
    for (const key of rows) expect((await raw('GET', `/api/v1/pki/crl/${key.id}`)).status).toBe(404);
  });
});

describe('time', () => {
  it('restores what was lost with a process within a minute', async () => {
    const authority = await of.authority();
    await of.rebuild(authority.keyId);
    await of.revoke(await of.issue(authority.id));
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    expect(await runSchedule()).not.toContain(authority.keyId);
    test.advance(20_000);
    expect(await runSchedule()).toContain(authority.keyId);
    expect((await readOf(authority.keyId)).entries.size).toBe(1);
  });

  it('issues a new list each day, long before the old one expires', async () => {
    const authority = await of.authority();
    await of.rebuild(authority.keyId);
    const first = await readOf(authority.keyId);
    test.advance(DAY / 2);
    expect(await runSchedule()).not.toContain(authority.keyId);
    test.advance(DAY / 2 + 60_000);
    expect(await runSchedule()).toContain(authority.keyId);
    const second = await readOf(authority.keyId);
    expect([second.number, second.thisUpdate > first.thisUpdate]).toEqual([2n, true]);
  });

  it('creates no list for a key whose certificate expired before it had one', async () => {
    const authority = await of.authority();
    test.advance(3700 * DAY);
    expect(ok(await test.admin('GET', `/api/v1/pki/ca/${authority.id}/crls`))).toEqual([]);
    expect((await test.admin('GET', `/api/v1/pki/ca/${authority.id}/crl`)).status).toBe(404);
    expect(await runSchedule()).toEqual([]);
  });

  it('renews an expired list on request, also without a schedule', async () => {
    const authority = await of.authority();
    const first = await readOf(authority.keyId);
    test.advance(8 * DAY);
    const second = await readOf(authority.keyId);
    expect(first.nextUpdate! < test.coffer.now()).toBe(true);
    expect([second.number, second.nextUpdate! > test.coffer.now()]).toEqual([2n, true]);
  });

  it('removes expired entries from the list, after one more list', async () => {
    const authority = await of.authority();
    const leaf = await of.issue(authority.id, { ttl: '2d' });
    await of.revoke(leaf);
    await of.rebuild(authority.keyId);
    const serials = async () => [...(await readOf(authority.keyId)).entries.keys()];
    expect(await serials()).toEqual([leaf.serialNumber]);
    test.advance(3 * DAY);
    await runSchedule();
    const beyond = await readOf(authority.keyId);
    expect([...beyond.entries.keys()]).toEqual([leaf.serialNumber]);
    test.advance(DAY + 60_000);
    await runSchedule();
    expect(await serials()).toEqual([]);
    expect(
      judgeOcsp(authority, leaf.certificate, await ocspOf(test, authority, leaf.certificate), attime()).text,
    ).toContain(': revoked');
  });

  it('keeps the lists of a key while any of its certificates is valid, also if a later one expired earlier', async () => {
    const authority = await of.authority();
    const leaf = await of.issue(authority.id);
    const notAfter = new Date(test.coffer.now().getTime() + DAY).toISOString();
    const shorter = { type: 'existing', notAfter };
    ok(await test.admin('POST', `/api/v1/cert-manager/ca/internal/${authority.id}/renew`, shorter));
    test.advance(2 * DAY);
    await of.revoke(leaf);
    expect(await runSchedule()).toContain(authority.keyId);
    expect(verify(authority, await pemOf(authority.keyId), leaf).text).toContain('certificate revoked');
  });
});
