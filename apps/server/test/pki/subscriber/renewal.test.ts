import { dueSubscribers, enqueue, inTransaction, parseRootKey, startBackground } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DAY, makeIssuer, ok } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { Subscribers, subscriberUrl } from '../../harness/subscribers.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Subscribers;
beforeAll(async () => {
  test = await testServer();
  of = await Subscribers.in(test);
});
afterAll(() => test.close());

const MINUTE = 60_000;
const create = (more: object = {}) => of.create({ enableAutoRenewal: true, autoRenewalPeriodInDays: 5, ...more });
const past = async (time: number, work: () => Promise<void>) => {
  test.advance(time);
  try {
    await work();
  } finally {
    test.advance(-time);
  }
};
/** Has a subscriber renewed, and changed by `sql` between what the renewal has read and what it stores. */
const renewWhile = async (one: { id: string }, sql: string) => {
  const client = await test.coffer.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from pki_subscribers where id = $1 for update', [one.id]);
    const renewed = of.renew(one);
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
    await client.query(sql, [one.id]);
    await client.query('commit');
    await renewed;
  } finally {
    client.release();
  }
};

describe('a subscriber with auto-renewal', () => {
  it('gets its first certificate, and the next one before that expires', async () => {
    const one = await create();
    expect(await of.due()).toContain(one.id);
    await of.renew(one);
    expect(await of.due()).not.toContain(one.id);
    expect(await of.read(one.name)).toMatchObject({
      lastAutoRenewAt: expect.any(String),
      lastOperationStatus: 'success',
      lastOperationMessage: expect.any(String),
    });
    const first = await of.read(one.name, '/latest-certificate-bundle');
    await past(24 * DAY, async () => expect(await of.due()).not.toContain(one.id));
    await past(26 * DAY, async () => {
      expect(await of.due()).toContain(one.id);
      // It has the subscriber's content at that time.
      ok(await of.change(one.name, { subjectAlternativeNames: ['app.example.com', 'later.example.com'] }));
      await of.renew(one);
      expect(await of.due()).not.toContain(one.id);
      const { certificates } = await of.read(one.name, '/certificates');
      expect(certificates).toHaveLength(2);
      const [next, before] = certificates;
      expect(next).toMatchObject({
        altNames: 'app.example.com, later.example.com',
        hasPrivateKey: true,
        renewedFromCertificateId: before.id,
      });
      expect(Date.parse(next.notAfter)).toBeGreaterThan(test.coffer.now().getTime() + 29 * DAY);
      const bundle = await of.read(one.name, '/latest-certificate-bundle');
      expect(bundle.serialNumber).toBe(next.serialNumber);
      expect(bundle.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
      expect(bundle.privateKey).not.toBe(first.privateKey);
    });
    const { rows } = await test.coffer.pool.query(
      `select 1 from audit_events where published = 'automated-renew-subscriber-cert' and data->>'pkiSubscriberId' = $1`,
      [one.id],
    );
    expect(rows).toHaveLength(2);
  });

  it('is found and renewed by what runs beside the requests', async () => {
    const one = await create();
    const background = await startBackground(test.coffer, parseRootKey(test.rootKey));
    onTestFinished(() => background.stop());
    await inTransaction(of.platform(), async (tx) => enqueue(tx, dueSubscribers, {}));
    await expect.poll(() => of.countOf(one.name)).toBe(1);
  });

  it('is renewed once by many concurrent workers', async () => {
    const one = await create();
    await Promise.all([1, 2, 3, 4].map(() => of.renew(one)));
    expect(await of.countOf(one.name)).toBe(1);
    await past(26 * DAY, async () => {
      await Promise.all([1, 2, 3, 4].map(() => of.renew(one)));
      expect(await of.countOf(one.name)).toBe(2);
      expect(await of.read(one.name)).toMatchObject({ lastOperationStatus: 'success' });
    });
  });

  it('is not renewed while it is disabled or has a valid certificate from elsewhere', async () => {
    const [off, disabled, served] = [
      await create({ enableAutoRenewal: false }),
      await create({ status: 'disabled' }),
      await create(),
    ];
    ok(await of.issue(served.name));
    for (const one of [off, disabled, served]) {
      expect(await of.due()).not.toContain(one.id);
      await of.renew(one);
    }
    expect(await Promise.all([off, disabled, served].map(({ name }) => of.countOf(name)))).toEqual([0, 0, 1]);
  });

  it('has its certificate with a key renewed, whatever was issued for a CSR', async () => {
    const one = await create();
    const sign = async () => {
      const { csr } = makeRequest({ subject: '/CN=app.example.com' });
      ok(await test.admin('POST', subscriberUrl(one.name, '/sign-certificate'), { projectId: of.projectId, csr }));
    };
    await of.renew(one);
    await sign();
    expect(await of.due()).not.toContain(one.id);
    await past(26 * DAY, async () => {
      await sign();
      expect(await of.due()).toContain(one.id);
      await of.renew(one);
      const { certificates } = await of.read(one.name, '/certificates');
      const [next, , , first] = certificates;
      expect(certificates).toHaveLength(4);
      expect(next).toMatchObject({ hasPrivateKey: true, renewedFromCertificateId: first.id });
      expect(await of.due()).not.toContain(one.id);
    });
  });

  it('is left alone where its certificates are for keys of CSRs, until one with a key is issued', async () => {
    const one = await create();
    const { csr } = makeRequest({ subject: '/CN=app.example.com' });
    ok(await test.admin('POST', subscriberUrl(one.name, '/sign-certificate'), { projectId: of.projectId, csr }));
    for (const time of [0, 26 * DAY, 40 * DAY])
      await past(time, async () => {
        expect(await of.due()).not.toContain(one.id);
        await of.renew(one);
        expect(await of.countOf(one.name)).toBe(1);
      });
    ok(await of.issue(one.name));
    await past(26 * DAY, async () => expect(await of.due()).toContain(one.id));
  });

  it('with a validity of an hour is renewed in its second half, well before expiry', async () => {
    const one = await create({ ttl: '1h', autoRenewalPeriodInDays: 30 });
    await of.renew(one);
    await past(25 * MINUTE, async () => expect(await of.due()).not.toContain(one.id));
    await past(35 * MINUTE, async () => {
      expect(await of.due()).toContain(one.id);
      await of.renew(one);
      expect(await of.countOf(one.name)).toBe(2);
    });
  });

  it('gets another one after a revocation', async () => {
    const one = await create();
    await of.renew(one);
    const revoke = async () => {
      const { serialNumber } = await of.read(one.name, '/latest-certificate-bundle');
      const url = `/api/v1/pki/certificates/${serialNumber}/revoke`;
      ok(await test.admin('POST', url, { revocationReason: 'KEY_COMPROMISE' }));
    };
    await revoke();
    expect(await of.due()).toContain(one.id);
    await of.renew(one);
    // The previous one was renewed by one that is revoked now: it is renewed again.
    await past(26 * DAY, async () => {
      await of.renew(one);
      await revoke();
      await of.renew(one);
      expect(await of.countOf(one.name)).toBe(4);
      expect(await of.due()).not.toContain(one.id);
    });
  });

  it('has the content at the time of the renewal, also if it is updated concurrently', async () => {
    const one = await create();
    const name = `${one.name}-renamed`;
    await renewWhile(one, `update pki_subscribers set name = '${name}', common_name = '10.1.2.3' where id = $1`);
    const { certificates } = await of.read(name, '/certificates');
    expect(certificates).toMatchObject([{ commonName: '10.1.2.3' }]);
    expect(await of.read(name)).toMatchObject({ lastOperationStatus: 'success' });
  });

  it('gets none if it is disabled or deleted during the renewal, without a failure', async () => {
    const [disabled, deleted] = [await create(), await create()];
    await renewWhile(disabled, `update pki_subscribers set status = 'disabled' where id = $1`);
    expect([await of.countOf(disabled.name), (await of.read(disabled.name)).lastOperationStatus]).toEqual([0, null]);
    const count = () => test.coffer.pool.query('select from certificates where project_id = $1', [of.projectId]);
    const { rowCount } = await count();
    await renewWhile(deleted, 'delete from pki_subscribers where id = $1');
    expect((await count()).rowCount).toBe(rowCount);
  });

  it('is renewed if its TTL was shortened', async () => {
    const one = await create();
    await of.renew(one);
    ok(await of.change(one.name, { ttl: '2d' }));
    await past(26 * DAY, async () => {
      await of.renew(one);
      expect(await of.read(one.name)).toMatchObject({ lastOperationStatus: 'success' });
      expect([await of.countOf(one.name), await of.due()]).toEqual([2, expect.not.arrayContaining([one.id])]);
    });
  });

  it('has no name that its authority may not sign, and reports why', async () => {
    const permitted = [{ type: 'dns', value: 'example.org' }];
    const { id: caId } = await makeIssuer(test, of.projectId, { nameConstraints: { permitted } });
    const one = await create({ caId });
    await of.renew(one);
    const why = '"app.example.com", which is outside the name constraints';
    expect([await of.countOf(one.name), await of.read(one.name)]).toMatchObject([
      0,
      { lastOperationStatus: 'failed', lastOperationMessage: expect.stringContaining(why) },
    ]);
    expect((await of.issue(one.name)).body.message).toContain(why);
    // By an authority that may, it is.
    ok(await of.change(one.name, { caId: of.ca.id }));
    await of.renew(one);
    expect([await of.countOf(one.name), (await of.read(one.name)).lastOperationStatus]).toEqual([1, 'success']);
  });

  it('is deleted with its project', async () => {
    const { id: projectId } = await test.project();
    const { id: caId } = await makeIssuer(test, projectId);
    const one = await create({ projectId, caId });
    await of.renew(one);
    ok(await test.admin('DELETE', `/api/v1/projects/${projectId}`));
    await past(26 * DAY, async () => {
      expect(await of.due()).not.toContain(one.id);
      await of.renew(one);
    });
    const { rowCount } = await test.coffer.pool.query('select from certificates where project_id = $1', [projectId]);
    expect(rowCount).toBe(0);
  });

  it('stores why it could not be renewed, is retried, and does not delay others', async () => {
    const broken = await makeIssuer(test, of.projectId);
    const [one, other] = [await create({ caId: broken.id }), await create()];
    const authority = `/api/v1/cert-manager/ca/internal/${broken.id}`;
    ok(await test.admin('PATCH', authority, { status: 'disabled' }));
    for (const subscriber of [one, other]) await of.renew(subscriber);
    expect(await of.read(one.name)).toMatchObject({
      lastOperationStatus: 'failed',
      lastOperationMessage: expect.stringContaining('disabled'),
      lastOperationAt: expect.any(String),
      lastAutoRenewAt: null,
    });
    expect(await of.read(other.name)).toMatchObject({ lastOperationStatus: 'success' });
    expect(await of.due()).toContain(one.id);
    ok(await test.admin('PATCH', authority, { status: 'active' }));
    await of.renew(one);
    expect([await of.countOf(one.name), (await of.read(one.name)).lastOperationStatus]).toEqual([1, 'success']);
  });

  it('comes before earlier failures, however many, and all of them after interactive work', async () => {
    const one = await create();
    await test.coffer.pool.query(
      `insert into pki_subscribers (id, organization_id, project_id, name, common_name, status, subject_alternative_names,
         key_usages, extended_key_usages, enable_auto_renewal, auto_renewal_period_in_days, last_operation_at)
       select gen_random_uuid(), $1, $2, 'broken-' || n, 'broken', 'active', '{}', '{}', '{}', true, 1, $3
       from generate_series(1, 1000) n`,
      [test.organizationId, of.projectId, test.coffer.now()],
    );
    try {
      const ids = await of.due();
      expect([ids.length, new Set(ids).size, ids.includes(one.id)]).toEqual([1000, 1000, true]);
      const { rows } = await test.coffer.pool.query<{ priority: number }>(
        `select distinct priority from graphile_worker.jobs where key like 'subscriber-renewal:%'`,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]!.priority).toBeGreaterThan(10);
    } finally {
      await test.coffer.pool.query(`delete from pki_subscribers where name like 'broken-%'`);
    }
  });

  it('has no certificate beyond its authority, and none for nothing', async () => {
    const notAfter = new Date(test.coffer.now().getTime() + 40 * DAY);
    const short = await makeIssuer(test, of.projectId, { notAfter });
    const one = await create({ caId: short.id });
    await of.renew(one);
    await past(26 * DAY, async () => {
      await of.renew(one);
      const { certificates } = await of.read(one.name, '/certificates');
      expect(certificates).toHaveLength(2);
      expect(Math.abs(Date.parse(certificates[0].notAfter) - notAfter.getTime())).toBeLessThan(1_000);
    });
    await past(36 * DAY, async () => {
      expect(await of.due()).toContain(one.id);
      await of.renew(one);
      expect(await of.countOf(one.name)).toBe(2);
      expect(await of.read(one.name)).toMatchObject({
        lastOperationStatus: 'failed',
        lastOperationMessage: expect.stringContaining('renew the authority'),
      });
    });
    await past(41 * DAY, async () => {
      await of.renew(one);
      expect((await of.read(one.name)).lastOperationMessage).toContain('expired');
    });
  });
});
