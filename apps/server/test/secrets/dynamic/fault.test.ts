import { requeueOrphanedLeases, type Context } from '@coffer/domain';
import { openGate, type Gate } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { postgresTarget, type PostgresTarget } from '../../harness/dynamic-postgres.ts';
import { DynamicSecretAtWork, dynamicSecretsOf } from '../../harness/dynamic-secret.ts';

let target: PostgresTarget;
/** Another way to the same database: another target to Coffer. */
let other: Gate;
let platform: Context;
beforeAll(async () => {
  target = await postgresTarget({ clock: 'standing' });
  other = await openGate({ port: target.gate.to.port });
  platform = target.test.coffer.contextFor({ type: 'platform', organizationId: target.test.organizationId });
});
afterAll(async () => {
  await target.close();
  await other.close();
});
beforeEach(() => target.gate.open());

const MINUTE = 60_000;

const { made } = dynamicSecretsOf(
  () => target.test,
  'sql-database',
  () => target.inputs(),
);
const rows = async (one: DynamicSecretAtWork) => {
  const answer = await target.test.coffer.pool.query<{
    id: string;
    phase: string;
    status: string | null;
    external_entity_id: string;
    attempts: number;
  }>(
    `select l.* from dynamic_secret_leases l join dynamic_secrets d on d.id = l.dynamic_secret_id
     where d.project_id = $1 order by l.created_at, l.id`,
    [one.place.projectId],
  );
  return answer.rows;
};
/** A statement that waits at the target until the test opens the door. */
async function closedDoor(): Promise<{ wait: string; open(): Promise<void> }> {
  const holder = await target.test.owner.connect();
  await holder.query('select pg_advisory_lock(1)');
  const open = async () => void (await holder.query('select pg_advisory_unlock_all()'));
  onTestFinished(() => open().finally(() => holder.release()));
  return { wait: 'select pg_advisory_xact_lock_shared(1)', open };
}
const jobOf = async (leaseId: string) => {
  const { rows: found } = await target.test.coffer.pool.query<{ run_at: string }>(
    'select run_at from graphile_worker.jobs where key = $1',
    [`lease:${leaseId}`],
  );
  return found[0] && new Date(found[0].run_at);
};

describe('a dynamic secret that is deleted by force', () => {
  const forced = async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    await target.gate.shut();
    const { status, body } = await one.delete({ isForced: true });
    expect([status, body.dynamicSecret.status]).toEqual([200, 'Deleting']);
    expect(body.dynamicSecret.name).toMatch(/^target-deleted-[0-9a-f]{12}$/);
    expect((await one.get()).status).toBe(404);
    const waiting = new DynamicSecretAtWork(target.test, one.place, body.dynamicSecret.name);
    await waiting.reap(lease.id);
    return { one, waiting, lease, data };
  };

  it('frees its name and waits under another one until its logins are deleted', async () => {
    const { one, waiting, lease, data } = await forced();
    expect((await waiting.get()).body.dynamicSecret.status).toBe('Failed to delete');
    expect(await waiting.leases()).toMatchObject([{ id: lease.id, status: 'Failed to delete' }]);
    expect((await waiting.lease()).status).toBe(400);
    await target.gate.open();
    expect((await one.create('sql-database', target.inputs())).status).toBe(200);
    target.test.advance(60 * MINUTE);
    await waiting.reap(lease.id);
    expect([await target.works(data), (await waiting.get()).status, (await one.get()).status]).toEqual([
      false,
      404,
      200,
    ]);
  });

  it('is abandoned by a second forced deletion, and the event names the remaining logins', async () => {
    const { waiting, lease, data } = await forced();
    expect((await waiting.delete()).body.dynamicSecret.status).toBe('Deleting');
    // There was no attempt since, so it is not abandoned.
    expect((await waiting.delete({ isForced: true })).body.dynamicSecret.status).toBe('Deleting');
    target.test.advance(60 * MINUTE);
    await waiting.reap(lease.id);
    expect((await waiting.delete({ isForced: true })).status).toBe(200);
    expect([(await waiting.get()).status, await rows(waiting), await jobOf(lease.id)]).toEqual([404, [], undefined]);
    const { rows: events } = await target.test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where type = 'dynamic_secret.deleted' and data->>'dynamicSecretName' = $1`,
      [waiting.name],
    );
    expect(events.at(-1)!.data).toMatchObject({ isForced: true, leases: 1, left: [lease.externalEntityId] });
    await target.gate.open();
    expect(await target.works(data)).toBe(true);
    await target.test.owner.query(`drop role "${lease.externalEntityId}"`);
  });
});

describe('a lease', () => {
  it('is recorded, with the job that revokes it, before its target is called', async () => {
    const one = await made();
    target.gate.stall();
    const asked = one.lease();
    await expect.poll(() => rows(one)).toHaveLength(1);
    const [row] = await rows(one);
    expect(row).toMatchObject({ phase: 'issuing', status: null });
    expect(await jobOf(row!.id)).toBeInstanceOf(Date);
    expect(await target.logins()).not.toContain(row!.external_entity_id);
    await target.gate.open();
    expect((await asked).status).toBe(400);
  });

  it('that was lost is revoked immediately, and once more before its row is deleted', async () => {
    const one = await made();
    // The target receives and does it, and Coffer gets no response.
    const stalled = target.gate.stallAt('create role', true);
    const asked = one.lease();
    await stalled;
    await expect.poll(() => rows(one)).toHaveLength(1);
    const [row] = await rows(one);
    await expect.poll(() => target.logins()).toContain(row!.external_entity_id);
    await target.gate.open();
    expect((await asked).status).toBe(400);
    expect(await target.logins()).not.toContain(row!.external_entity_id);
    expect(await rows(one)).toMatchObject([{ phase: 'ending', status: null }]);
    await one.reap(row!.id);
    expect(await rows(one)).toHaveLength(1);
    target.test.advance(MINUTE);
    await one.reap(row!.id);
    expect(await rows(one)).toEqual([]);
  });

  it('whose creator died is revoked by its job', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    // As if the process had died before confirming the lease.
    await target.test.coffer.pool.query(
      `update dynamic_secret_leases set phase = 'issuing', due_at = created_at + interval '1 minute',
       held_until = created_at + interval '1 minute' where id = $1`,
      [lease.id],
    );
    await one.reap(lease.id);
    expect(await target.works(data)).toBe(true);
    target.test.advance(MINUTE);
    await one.reap(lease.id);
    expect([await target.works(data), await rows(one)]).toEqual([false, []]);
  });

  it('that is unreachable leaves no trace', async () => {
    const one = await made();
    await target.gate.shut();
    for (let i = 0; i < 5; i++)
      expect(await one.lease()).toMatchObject({ status: 400, body: { message: '127.0.0.1 refuses connections' } });
    expect(await rows(one)).toEqual([]);
  });

  it('is retried with backoff up to one hour, and deleted after the first success', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    await target.gate.shut();
    expect((await one.revoke(lease.id)).status).toBe(400);
    const waits: number[] = [];
    for (let i = 0; i < 12; i++) {
      const runAt = (await jobOf(lease.id))!;
      const wait = runAt.getTime() - target.test.coffer.now().getTime();
      waits.push(wait);
      await one.reap(lease.id);
      target.test.advance(wait + 1);
      await one.reap(lease.id);
    }
    expect((await rows(one))[0]).toMatchObject({ phase: 'ending', status: 'Failed to delete', attempts: 13 });
    expect(waits[0]).toBeGreaterThan(5_000);
    expect(waits[0]).toBeLessThan(12_000);
    expect(waits.every((wait) => wait <= 1.1 * 60 * MINUTE)).toBe(true);
    expect(waits.at(-1)).toBeGreaterThan(50 * MINUTE);
    await target.gate.open();
    target.test.advance(2 * 60 * MINUTE);
    await one.reap(lease.id);
    expect([await target.works(data), await rows(one), await jobOf(lease.id)]).toEqual([false, [], undefined]);
  });

  it('that is refused is reported briefly, and never with the generated password', async () => {
    const said = (words: string) => `select cast(${words} as integer) from pg_roles where rolname = '{{username}}'`;
    const { creationStatement } = target.inputs();
    const one = await made({
      // The error message of the target contains its own password on deletion.
      creationStatement: `${creationStatement as string}; comment on role "{{username}}" is '{{password}}'; commit;
        ${said("repeat('so many words. ', 1000)")}`,
      revocationStatement: said("shobj_description(oid, 'pg_authid')"),
    });
    const { status, body } = await one.lease();
    expect([status, body.message.slice(0, 50), body.message.length]).toEqual([
      400,
      '127.0.0.1 reports: invalid input syntax for type i',
      255,
    ]);
    const [left] = await one.leases();
    expect(left).toMatchObject({
      status: 'Failed to delete',
      statusDetails: '127.0.0.1 reports: invalid input syntax for type integer: "[hidden]"',
    });
    expect((await one.update({ inputs: { revocationStatement: 'drop role "{{username}}"' } })).status).toBe(200);
    expect((await one.revoke(left!.id)).status).toBe(200);
  });

  it('cannot be renewed once it is to be revoked', async () => {
    const one = await made();
    const { lease } = (await one.lease()).body;
    await target.gate.shut();
    expect((await one.revoke(lease.id)).status).toBe(400);
    await target.gate.open();
    expect((await one.renew(lease.id)).status).toBe(400);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('whose renewal fails keeps its expiry', async () => {
    const one = await made({ renewStatement: 'alter role "{{username}}" connection limit -2' });
    const { lease } = (await one.lease()).body;
    const refused = await one.renew(lease.id);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1 reports: /)]);
    expect((await one.getLease(lease.id)).body.lease).toMatchObject({
      version: 1,
      expireAt: lease.expireAt,
      status: null,
    });
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('is changed by one call at a time', async () => {
    const one = await made();
    const { lease } = (await one.lease()).body;
    const answers = await Promise.all([
      one.renew(lease.id),
      one.renew(lease.id),
      one.revoke(lease.id),
      one.revoke(lease.id),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    await one.revoke(lease.id);
    expect([await rows(one), await target.logins()]).toEqual([
      [],
      expect.not.arrayContaining([lease.externalEntityId]),
    ]);
  });

  it('ends for its holder when forced, and stays visible and retried until its login is deleted', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    await target.gate.shut();
    for (let i = 0; i < 2; i++) {
      const forced = await one.revoke(lease.id, { isForced: true });
      const failed = { id: lease.id, status: 'Failed to delete', statusDetails: expect.stringContaining('refuses') };
      expect(forced).toMatchObject({ status: 200, body: { lease: failed } });
      expect(await one.leases()).toMatchObject([failed]);
      expect((await one.getLease(lease.id)).body.lease).toMatchObject(failed);
    }
    expect((await one.renew(lease.id)).status).toBe(400);
    expect([await target.works(data), await jobOf(lease.id)]).toEqual([true, expect.any(Date)]);
    await target.gate.open();
    target.test.advance(60 * MINUTE);
    await one.reap(lease.id);
    expect([await target.works(data), await rows(one), await jobOf(lease.id)]).toEqual([false, [], undefined]);
  });

  it('gets a new job if its own is lost', async () => {
    const one = await made();
    const { lease, data } = (await one.lease({ ttl: '10m' })).body;
    await target.test.coffer.pool.query('select graphile_worker.remove_job($1)', [`lease:${lease.id}`]);
    target.test.advance(11 * MINUTE);
    await requeueOrphanedLeases(platform);
    expect(await jobOf(lease.id)).toBeUndefined();
    target.test.advance(2 * MINUTE);
    expect(await requeueOrphanedLeases(platform)).toBeGreaterThan(0);
    expect(await jobOf(lease.id)).toBeInstanceOf(Date);
    await one.reap(lease.id);
    expect([await target.works(data), await rows(one)]).toEqual([false, []]);
  });
});

describe('a silent target', () => {
  it('delays neither other leases nor the worker', async () => {
    const slow = await made();
    const fast = await made({ port: other.port });
    target.gate.stall();
    const order: string[] = [];
    const waiting = Array.from({ length: 6 }, () => slow.lease().finally(() => order.push('slow')));
    for (let i = 0; i < 3; i++) {
      const { status, body } = await fast.lease();
      expect(status).toBe(200);
      expect((await fast.revoke(body.lease.id)).status).toBe(200);
      order.push('fast');
    }
    expect(order).toEqual(Array(3).fill('fast'));
    await target.gate.open();
    // The waiting ones get their turn now.
    expect((await Promise.all(waiting)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 400, 400, 400, 400,
    ]);
  });

  it('does not block other organizations either', async () => {
    const { creationStatement } = target.inputs();
    const door = await closedDoor();
    const slow = await made({ creationStatement: `${creationStatement as string}; ${door.wait}` });
    const { identity } = await target.test.foreign();
    const call = target.test.as(identity.token);
    const { id: projectId, slug: projectSlug } = (await call('POST', '/api/v1/projects', { projectName: 'Shop' })).body
      .project;
    const theirs = { projectId, here: { ...slow.place.here, projectSlug }, query: '' };
    const foreign = new DynamicSecretAtWork(target.test, theirs, 'target', call);
    expect((await foreign.create('sql-database', target.inputs())).status).toBe(200);
    const order: string[] = [];
    const waiting = Array.from({ length: 8 }, () => slow.lease().finally(() => order.push('slow')));
    await expect.poll(() => rows(slow)).toHaveLength(8);
    const { status, body } = await foreign.lease();
    order.push('other');
    expect([status, order]).toEqual([200, ['other']]);
    await door.open();
    expect((await Promise.all(waiting)).map((one) => one.status)).toEqual(Array(8).fill(200));
    expect((await foreign.revoke(body.lease.id)).status).toBe(200);
  });

  it('is called by one lease for all that are due there', async () => {
    const one = await made();
    const leases = [];
    for (let i = 0; i < 3; i++) {
      leases.push((await one.lease({ ttl: '10m' })).body.lease.id as string);
      // The order in which they are due.
      target.test.advance(1);
    }
    await target.gate.shut();
    target.test.advance(10 * MINUTE);
    for (const id of leases) await one.reap(id);
    expect((await rows(one)).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
    await target.gate.open();
    target.test.advance(MINUTE);
    for (const id of leases) await one.reap(id);
    expect(await rows(one)).toEqual([]);
  });
});

describe('a dynamic secret', () => {
  it('that cannot be deleted has the reason, and is deleted when its target is back or its inputs are fixed', async () => {
    const one = await made({ revocationStatement: 'select 1' });
    const { lease } = (await one.lease()).body;
    expect((await one.delete()).body.dynamicSecret.status).toBe('Deleting');
    const { rows: events } = await target.test.coffer.pool.query(
      `select actor_type as actor, data->'leases' as leases from audit_events
       where type = 'dynamic_secret.deletion_started' and data->>'dynamicSecretName' = $1`,
      [one.name],
    );
    expect(events).toEqual([{ actor: 'identity', leases: 1 }]);
    await one.reap(lease.id);
    expect((await one.get()).body.dynamicSecret).toMatchObject({
      status: 'Failed to delete',
      statusDetails: 'The revocationStatement did not delete the login',
    });
    expect((await one.update({ inputs: { revocationStatement: 'drop role "{{username}}"' } })).status).toBe(200);
    expect((await one.lease()).status).toBe(400);
    expect((await one.delete()).body.dynamicSecret.status).toBe('Deleting');
    await one.reap(lease.id);
    expect((await one.get()).status).toBe(404);
  });

  it('is deleted if the lease that it waited for failed', async () => {
    const { creationStatement } = target.inputs();
    const door = await closedDoor();
    for (const failing of [`${creationStatement as string}; ${door.wait}; select 1/0`, undefined]) {
      const one = await made(failing === undefined ? {} : { creationStatement: failing });
      if (failing === undefined) target.gate.stall();
      const asked = one.lease();
      await expect.poll(() => rows(one)).toHaveLength(1);
      expect((await one.delete()).body.dynamicSecret.status).toBe('Deleting');
      await (failing === undefined ? target.gate.open() : door.open());
      expect((await asked).status).toBe(400);
      const [left] = await rows(one);
      target.test.advance(2 * MINUTE);
      if (left) await one.reap(left.id);
      expect([await rows(one), (await one.get()).status]).toEqual([[], 404]);
    }
  });

  it('keeps its target while leases exist there', async () => {
    const one = await made();
    const { lease } = (await one.lease()).body;
    const { password } = target.inputs();
    const move = () => one.update({ inputs: { port: other.port, password } });
    expect(await move()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Revoke the leases first') },
    });
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect((await move()).status).toBe(200);
  });

  it('is checked before an update of its inputs, and updated by one call at a time', async () => {
    const one = await made();
    expect(await one.update({ inputs: { database: 'nowhere' } })).toMatchObject({ status: 400 });
    expect((await one.get()).body.dynamicSecret).toMatchObject({ version: 1 });
    const answers = await Promise.all([1, 2, 3].map((n) => one.update({ inputs: { renewStatement: `select ${n}` } })));
    const done = answers.filter(({ status }) => status === 200);
    // Sequential ones were all done.
    expect(new Set(done.map(({ body }) => body.dynamicSecret.version))).toEqual(new Set(done.map((_, i) => 2 + i)));
    expect(answers.filter((answer) => !done.includes(answer)).map(({ body }) => body.message)).toEqual(
      Array(3 - done.length).fill('The dynamic secret was changed concurrently: try again'),
    );
    expect(done).not.toEqual([]);
  });
});
