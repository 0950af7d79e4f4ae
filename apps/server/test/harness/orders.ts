import { randomUUID } from 'node:crypto';
import { runOrder, type Context } from '@coffer/domain';
import { expect } from 'vitest';
import { NEWER, nameOf, ok } from './certificates.ts';
import type { Answer, TestServer } from './test-server.ts';
import { wholeAttempt } from './whole-attempt.ts';

interface Stored {
  status: string;
  due_at: string | null;
  progress: { records?: unknown[]; url?: string };
  message: string | null;
}

/** Whether an ACME authority issues the certificate of an order: its last answer was that. */
export const isBeingIssued = ({ message }: Stored): boolean => message === 'The authority issues the certificate';

const untilNothingIsDue = (attempt: () => Promise<Stored>) =>
  expect.poll(async () => (await attempt()).due_at, { timeout: 30_000, interval: 50 }).toBeNull();

/** Orders from external authorities in a project, carried out when a test says so. */
export class Orders {
  readonly test: TestServer;
  readonly projectId: string;

  constructor(test: TestServer, projectId: string) {
    this.test = test;
    this.projectId = projectId;
  }

  /** A profile of an authority; its ID. */
  async profile(
    caId: string,
    { rules = {}, ...more }: { rules?: object; [field: string]: unknown } = {},
  ): Promise<string> {
    const { test, projectId } = this;
    const policyId = randomUUID();
    await test.coffer.pool.query(
      'insert into certificate_policies (id, organization_id, project_id, name, rules) values ($1, $2, $3, $4, $5)',
      [policyId, test.organizationId, projectId, `policy-${policyId}`, rules],
    );
    const body = {
      projectId,
      caId,
      certificatePolicyId: policyId,
      slug: nameOf('profile'),
      enrollmentType: 'api',
      ...more,
    };
    return ok(await test.admin('POST', '/api/v1/cert-manager/certificate-profiles', body)).certificateProfile.id;
  }

  /** Orders a certificate by a profile; the ID of the request. */
  async order(profileId: string, attributes: object, more: object = {}): Promise<string> {
    const body = ok(await this.test.admin('POST', NEWER, { profileId, attributes, ...more }));
    if (body.certificate !== null || body.status !== 'pending') throw new Error('An order waits for its authority');
    return body.certificateRequestId;
  }

  request = async (requestId: string): Promise<Answer['body']> =>
    ok(await this.test.admin('GET', `${NEWER}/certificate-requests/${requestId}`));

  platform = (): Context => this.test.coffer.contextFor({ type: 'platform', organizationId: this.test.organizationId });

  async stored(orderId: string): Promise<Stored> {
    const { rows } = await this.test.coffer.pool.query<Stored>(
      'select status, due_at, progress, message from certificate_orders where id = $1',
      [orderId],
    );
    return rows[0]!;
  }

  /** Takes the next attempt at an order, at the time when it is due. */
  async attempt(orderId: string): Promise<Stored> {
    const { due_at: due } = await this.stored(orderId);
    if (due) this.test.advance(Math.max(0, Date.parse(due) - this.test.coffer.now().getTime()));
    await wholeAttempt(this.test, 'certificate_orders', orderId, () =>
      runOrder.run(this.platform(), { organizationId: this.test.organizationId, orderId }, {} as never),
    );
    return this.stored(orderId);
  }

  /** Carries out an order until nothing remains to be done for it. */
  async finish(orderId: string): Promise<Stored> {
    await untilNothingIsDue(() => this.attempt(orderId));
    return this.stored(orderId);
  }

  /** The same for an order by which a certificate is issued. */
  async issue(orderId: string): Promise<void> {
    const { status, message } = await this.finish(orderId);
    if (status !== 'issued') throw new Error(`The order is ${status}: ${message}`);
  }
}
