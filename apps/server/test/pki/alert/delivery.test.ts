import { randomUUID } from 'node:crypto';
import { alertDelivery, BACKOFF, orphanedDeliveries } from '@coffer/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALERTS, AlertWorld, email, webhook } from '../../harness/alerts.ts';
import { ok } from '../../harness/certificates.ts';
import { openReceiver, type Receiver } from '../../harness/receiver.ts';

// How messages of alerts are sent, whatever happens to processes; for channels see pki/alert/channel.test.ts.

let world: AlertWorld;
beforeAll(async () => void (world = await AlertWorld.open()));
afterAll(() => world.close());
beforeEach(() => world.begin());

const fails: Parameters<Receiver['answer']>[0] = (_req, res) => res.writeHead(503).end();
const query = async (text: string, values: unknown[] = []) => (await world.test.coffer.pool.query(text, values)).rows;
const context = () => world.test.coffer.contextFor({ type: 'platform', organizationId: world.test.organizationId });
const waiting = () => query('select * from pki_alert_deliveries order by id');
const jobs = () => query(`select * from graphile_worker.jobs where task_identifier = 'pki_alert.deliver'`);
/** Messages to hosts without a response, of which one begins each second; the time in which others are to be sent is shorter. */
const MANY = 12;
const BEFORE = { timeout: (MANY - 3) * 1_000 };
/** Fewer than this have begun: not all, unless the machine was slow. */
const mostSince = (since: number) => Math.max(MANY, 1 + (performance.now() - since) / 1_000);
/** Alerts that notify each of these hosts. */
async function makeFor(urls: readonly string[]): Promise<void> {
  for (let n = 0; n < urls.length; n += 6)
    await world.make({ name: randomUUID(), channels: urls.slice(n, n + 6).map((url) => webhook(url)) });
}
const BLOCKED = `select 1 from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'`;
const deleteJobs = () => query('delete from graphile_worker._private_jobs');
const requeueOrphaned = () => orphanedDeliveries.run(context(), {}, {} as never);
/** As its job does. */
const deliver = (deliveryId: string) =>
  alertDelivery.run(context(), { organizationId: world.test.organizationId, deliveryId }, {} as never);

/** A message that has failed once, and is due; without a job. */
async function oneWaiting() {
  await world.soon();
  world.receiver.answer(fails);
  const alert = await world.make({ channels: [world.hook()] });
  const [call] = await world.called();
  await deleteJobs();
  await query('update pki_alert_deliveries set due_at = created_at');
  world.receiver.answer();
  return { alertId: alert.id as string, id: call!.headers['idempotency-key'] as string };
}

/** What the previous release writes for a message by e-mail; its ID is the first value. */
async function rowOfBefore(): Promise<[string, ...unknown[]]> {
  const { id, channels } = await world.make({ enabled: false });
  const { organizationId } = world.test;
  return [randomUUID(), organizationId, id, channels[0].id, 'ops@example.com', '[]', 1, world.test.coffer.now()];
}
const insert = (row: readonly unknown[]) =>
  query(
    `insert into pki_alert_deliveries
       (id, organization_id, alert_id, channel_id, recipient, certificates, total, created_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8)`,
    [...row],
  );

describe('a message', () => {
  it('is sent once by concurrent processes', async () => {
    const { id } = await oneWaiting();
    await Promise.all([1, 2, 3, 4].map(() => deliver(id)));
    expect(await world.called()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('of a process that was killed is sent by another, and the first writes no result', async () => {
    const { id, alertId } = await oneWaiting();
    let refuse = () => {};
    world.receiver.answer((_req, res) => void (refuse = () => void res.writeHead(500).end()));
    const lost = deliver(id);
    await expect.poll(() => world.receiver.received.length).toBe(1);
    world.receiver.answer();
    await requeueOrphaned();
    expect(await jobs()).toEqual([]);
    world.test.advance(180_000);
    await requeueOrphaned();
    const [first, second, ...others] = await world.called();
    expect([second!.headers['idempotency-key'], others]).toEqual([first!.headers['idempotency-key'], []]);
    refuse();
    await lost;
    expect(await waiting()).toEqual([]);
    expect(await world.lastRun(alertId)).toMatchObject({ status: 'success', error: null });
  });

  it('that fails is retried with backoff, and dropped after the last retry, which the alert shows', async () => {
    const { id, alertId } = await oneWaiting();
    world.receiver.answer(fails);
    const waits: number[] = [];
    for (;;) {
      await deliver(id);
      const [row] = await waiting();
      if (!row) break;
      const [job] = await jobs();
      expect(new Date(job.run_at)).toEqual(new Date(row.due_at));
      waits.push(new Date(row.due_at).getTime() - world.test.coffer.now().getTime());
      const calls = world.receiver.received.length;
      await deliver(id);
      expect(world.receiver.received).toHaveLength(calls);
      world.test.advance(waits.at(-1)! + 1);
    }
    expect(waits).toHaveLength(23);
    for (const [n, wait] of waits.entries()) {
      const expected = Math.min(BACKOFF.firstMs * 2 ** (n + 1), BACKOFF.longestMs);
      expect(wait / expected).toBeGreaterThan(0.8);
      expect(wait / expected).toBeLessThan(1.11);
    }
    const error = `${new URL(world.receiver.url).host} answered 503`;
    expect(await world.lastRun(alertId)).toMatchObject({ status: 'failed', error });
  });

  it('to a host without a response does not delay others, also as a retry', async () => {
    const dead = await openReceiver();
    dead.answer(fails);
    await world.soon();
    await makeFor(Array.from({ length: MANY }, () => dead.url));
    await world.settled();
    dead.received.length = 0;
    const held: (() => void)[] = [];
    dead.answer((_req, res) => void held.push(() => res.end()));
    const since = performance.now();
    await world.tryAgain();
    await world.make({ channels: [world.hook(), email('ops@example.com')] });
    await expect.poll(() => world.mail.received.length + world.receiver.received.length, BEFORE).toBe(2);
    // Others that were due before have not even begun, and what has begun has no answer.
    expect(dead.received.length).toBeLessThan(mostSince(since));
    expect(held.length).toBe(dead.received.length);
    dead.answer();
    for (const end of held) end();
    await world.settled();
    expect(new Set(dead.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(MANY);
    await dead.close();
  });

  it('to many hosts without a response leaves workers to others, first and as retries', async () => {
    const hosts = await Promise.all(Array.from({ length: MANY }, () => openReceiver()));
    let held: (() => void)[] = [];
    const hold = () =>
      hosts.forEach((host) => host.answer((_req, res) => void held.push(() => res.writeHead(503).end())));
    const refuse = async () => {
      for (const host of hosts) host.answer(fails);
      for (const end of held) end();
      await world.settled();
      held = [];
    };
    hold();
    await world.soon();
    let since = performance.now();
    await makeFor(hosts.map(({ url }) => url));
    await world.make({ channels: [email('ops@example.com')] });
    await expect.poll(() => world.mail.received.length, BEFORE).toBe(1);
    expect(held.length).toBeLessThan(mostSince(since));
    await refuse();
    expect(await waiting()).toHaveLength(MANY);
    hold();
    since = performance.now();
    await world.tryAgain();
    await world.make({ name: 'later', channels: [world.hook(), email('ops@example.com')] });
    await expect.poll(() => world.mail.received.length + world.receiver.received.length, BEFORE).toBe(3);
    expect(held.length).toBeLessThan(mostSince(since));
    await query('delete from pki_alerts');
    await refuse();
    await Promise.all(hosts.map((host) => host.close()));
  });

  it('by e-mail has the same ID each time that it is sent', async () => {
    const row = await rowOfBefore();
    for (const _ of [1, 2]) {
      await insert(row);
      await deliver(row[0]);
    }
    const ids = world.mail.received.map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([[`<${row[0]}@example.com>`], [`<${row[0]}@example.com>`]]);
  });

  it('is discarded while it is being sent, if its alert is disabled', async () => {
    const { id, alertId } = await oneWaiting();
    let end = () => {};
    world.receiver.answer((_req, res) => void (end = () => void res.end()));
    const attempt = deliver(id);
    await expect.poll(() => world.receiver.received.length).toBe(1);
    ok(await world.test.admin('PATCH', `${ALERTS}/${alertId}`, { enabled: false }));
    end();
    await attempt;
    expect(await waiting()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('has no lock while its result waits for a change of its alert', async () => {
    const { id, alertId } = await oneWaiting();
    const change = await world.test.coffer.pool.connect();
    try {
      await change.query(`begin; set local lock_timeout = '500ms'`);
      await change.query('select id from pki_alerts where id = $1 for update', [alertId]);
      const attempt = deliver(id);
      await expect.poll(async () => (await query(BLOCKED)).length).toBe(1);
      await change.query('delete from pki_alert_deliveries where alert_id = $1', [alertId]);
      await change.query('commit');
      await attempt;
    } finally {
      change.release();
    }
    expect(await world.called()).toHaveLength(1);
  });
});

describe('a message of the previous release', () => {
  it('is sent by its own job', async () => {
    const row = await rowOfBefore();
    await insert(row);
    await query(
      `select graphile_worker.add_job('pki_alert.deliver', payload := $1, max_attempts := 12, priority := 10)`,
      [{ organizationId: world.test.organizationId, deliveryId: row[0] }],
    );
    expect((await world.sent()).map(({ to }) => to)).toEqual(['ops@example.com']);
    expect(await waiting()).toEqual([]);
  });

  it('is sent if its job is lost', async () => {
    await insert(await rowOfBefore());
    world.test.advance(181_000);
    await requeueOrphaned();
    expect((await world.sent()).map(({ to }) => to)).toEqual(['ops@example.com']);
    expect(await waiting()).toEqual([]);
  });
});
