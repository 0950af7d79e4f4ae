import { enqueueDueSubscribers, renewSubscriberJob, type Context } from '@coffer/domain';
import { makeIssuer, ok, type Issuer } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const SUBSCRIBERS = '/api/v1/pki/subscribers';
export const subscriberUrl = (name: string, what = '') => `${SUBSCRIBERS}/${name}${what}`;

/** Subscribers of one project and one authority of it. */
export class Subscribers {
  readonly test: TestServer;
  readonly projectId: string;
  readonly ca: Issuer;
  #number = 0;

  constructor(test: TestServer, projectId: string, ca: Issuer) {
    this.test = test;
    this.projectId = projectId;
    this.ca = ca;
  }

  static async in(test: TestServer): Promise<Subscribers> {
    const { id } = await test.project();
    return new Subscribers(test, id, await makeIssuer(test, id));
  }

  wanted(more: object = {}) {
    return {
      projectId: this.projectId,
      caId: this.ca.id,
      name: `subscriber-${this.#number++}`,
      commonName: 'app.example.com',
      subjectAlternativeNames: ['app.example.com', '10.1.2.3'],
      extendedKeyUsages: ['serverAuth'],
      ttl: '30d',
      ...more,
    };
  }

  async create(more: object = {}): Promise<Answer['body']> {
    return ok(await this.test.admin('POST', SUBSCRIBERS, this.wanted(more)));
  }

  /** Of a subscriber, or of something of it: `/certificates`. */
  async read(name: string, what = ''): Promise<Answer['body']> {
    return ok(await this.test.admin('GET', `${subscriberUrl(name, what)}?projectId=${this.projectId}`));
  }

  async countOf(name: string): Promise<number> {
    return (await this.read(name, '/certificates')).totalCount;
  }

  issue(name: string, call: Caller = this.test.admin): Promise<Answer> {
    return call('POST', subscriberUrl(name, '/issue-certificate'), { projectId: this.projectId });
  }

  change(name: string, body: object, call: Caller = this.test.admin): Promise<Answer> {
    return call('PATCH', subscriberUrl(name), { projectId: this.projectId, ...body });
  }

  /** Without an actor, for searches over all organizations. */
  platform(organizationId?: string): Context {
    return this.test.coffer.contextFor({ type: 'platform', organizationId });
  }

  /** Does what the job of its renewal does. */
  renew({ id }: { id: string }): Promise<void> {
    const { organizationId } = this.test;
    return renewSubscriberJob.run(this.platform(organizationId), { organizationId, id }, { job: {} as never });
  }

  /** The IDs of due ones. */
  async due(): Promise<string[]> {
    const { pool } = this.test.coffer;
    await pool.query(`delete from graphile_worker._private_jobs where key like 'subscriber-renewal:%'`);
    await enqueueDueSubscribers(this.platform());
    const { rows } = await pool.query<{ key: string }>(
      `select key from graphile_worker.jobs where key like 'subscriber-renewal:%'`,
    );
    return rows.map(({ key }) => key.replace('subscriber-renewal:', ''));
  }
}
