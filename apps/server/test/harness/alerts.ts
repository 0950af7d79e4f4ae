import { randomUUID } from 'node:crypto';
import {
  alertDelivery,
  createMailer,
  createOutbound,
  evaluateAlert,
  evaluateAlerts,
  parseCidrs,
  startWorker,
  type Worker,
} from '@coffer/domain';
import { startMailServer, type MailServer } from '@coffer/domain/testing';
import { expect } from 'vitest';
import { Certificates, ok, type MadeAuthority, type MadeCertificate } from './certificates.ts';
import { openReceiver, type Received, type Receiver } from './receiver.ts';
import { testServer, type Answer, type TestServer } from './test-server.ts';

export const ALERTS = '/api/v1/cert-manager/alerts';
/** The older kind. */
export const LEGACY_ALERTS = '/api/v1/pki/alerts';
export const COLLECTIONS = '/api/v1/pki/collections';
/** With which webhooks are signed. */
export const SIGNING_SECRET = `a key that both sides know ${randomUUID()}`;

export const email = (...recipients: string[]) => ({ channelType: 'email', config: { recipients } });
export const webhook = (url: string, more: object = {}) => ({
  channelType: 'webhook',
  config: { url, signingSecret: SIGNING_SECRET, ...more },
});
export const slack = (webhookUrl: string, more: object = {}) => ({
  channelType: 'slack',
  config: { webhookUrl, ...more },
});

/** Notifies one mailbox of certificates that expire within thirty days. */
export const alertBody = (projectId: string, more: object = {}) => ({
  projectId,
  name: 'ends-soon',
  eventType: 'expiration',
  alertBefore: '30d',
  channels: [email('ops@example.com')],
  ...more,
});

/** A server with alerts, a mail server and a receiver of webhooks. */
export class AlertWorld {
  readonly #outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  #worker!: Worker;
  test!: TestServer;
  mail!: MailServer;
  receiver!: Receiver;
  of!: Certificates;
  ca!: MadeAuthority;

  static async open(): Promise<AlertWorld> {
    const world = new AlertWorld();
    world.mail = await startMailServer();
    world.test = await testServer({ sendMail: createMailer(world.mail.smtp), fetch: world.#outbound.fetch });
    world.#worker = await startWorker(world.test.coffer, [evaluateAlert, alertDelivery], { pollInterval: 100 });
    world.receiver = await openReceiver();
    return world;
  }

  async close(): Promise<void> {
    await this.#worker.stop();
    await this.test.close();
    await this.mail.close();
    await this.receiver.close();
    await this.#outbound.close();
  }

  /** Deletes all alerts and messages, and creates a new project: alerts cover everything in theirs. */
  async begin(): Promise<void> {
    await this.settled();
    await this.test.coffer.pool.query('delete from pki_alerts');
    this.receiver.answer();
    this.receiver.received.length = 0;
    this.mail.received.length = 0;
    this.of = await Certificates.in(this.test);
    this.ca = await this.of.authority();
  }

  async make(more: object = {}): Promise<Answer['body']> {
    return ok(await this.test.admin('POST', ALERTS, alertBody(this.of.projectId, more))).alert;
  }

  async lastRun(alertId: string): Promise<Answer['body']> {
    return ok(await this.test.admin('GET', `${ALERTS}/${alertId}`)).alert.lastRun;
  }

  /** A certificate that expires within the period of alerts. */
  soon(name?: string, more: object = {}): Promise<MadeCertificate> {
    return this.of.issue(this.ca.id, { ttl: '20d', ...(name && { commonName: name, altNames: name }), ...more });
  }

  /** A channel that leads to the receiver. */
  hook() {
    return webhook(`${this.receiver.url}/hook`);
  }

  /** Waits for running work, but not for retries. */
  async settled(): Promise<void> {
    await settled(this.test);
  }

  /** Does what the schedule does. */
  async look(): Promise<void> {
    const ctx = this.test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    await evaluateAlerts.run(ctx, {}, {} as never);
    await this.settled();
  }

  /** Runs waiting retries immediately. */
  async tryAgain(): Promise<void> {
    await this.test.coffer.pool.query('update pki_alert_deliveries set due_at = created_at');
    await this.test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
  }

  /** The messages since the last call, by recipient. */
  async sent(): Promise<{ to: string; subject: string; text: string }[]> {
    await this.settled();
    const all = this.mail.received.splice(0).map(({ to, subject, text }) => ({ to: to[0]!, subject, text }));
    return all.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  }

  /** The calls since the last call. */
  async called(): Promise<Received[]> {
    await this.settled();
    return this.receiver.received.splice(0);
  }
}

/** A delivery that takes a second goes on when its job has ended. */
const WAITING = `select 1 from graphile_worker.jobs where task_identifier like 'pki_alert.%' and run_at <= now()
  union all select 1 from pki_alert_deliveries where claim_id is not null`;
const settled = ({ coffer }: TestServer) =>
  expect.poll(async () => (await coffer.pool.query(WAITING)).rowCount).toBe(0);
