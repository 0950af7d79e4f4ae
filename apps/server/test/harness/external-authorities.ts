import { createOutbound, parseCidrs, runOrder, type Context } from '@coffer/domain';
import {
  AwsAccount,
  Cloudflare,
  makeConnection,
  StandIns,
  startChallengeServer,
  startPebble,
  type ChallengeServer,
  type Pebble,
} from '@coffer/domain/testing';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { NEWER, nameOf, ok } from './certificates.ts';
import { testServer, type Answer, type Caller, type TestServer } from './test-server.ts';

export const ACME = '/api/v1/cert-manager/ca/acme';

interface Stored {
  status: string;
  due_at: string | null;
  progress: { records?: unknown[] };
  message: string | null;
}

const untilNothingIsDue = (attempt: () => Promise<Stored>) =>
  expect.poll(async () => (await attempt()).due_at, { timeout: 30_000, interval: 50 }).toBeNull();

/**
 * A server, pebble as an ACME authority, and providers of DNS whose records the name server has that pebble asks. Work is done
 * when a test says so.
 */
export class OrderWorld {
  readonly test: TestServer;
  readonly pebble: Pebble;
  readonly challenges: ChallengeServer;
  readonly standIns: StandIns;
  readonly aws: AwsAccount;
  readonly cloudflare = new Cloudflare();
  readonly projectId: string;
  readonly zones = { route53: 'Z0EXAMPLE', cloudflare: '023e105f4ecef8ad9ca31a8372d0c353' } as const;

  private constructor(parts: Pick<OrderWorld, 'test' | 'pebble' | 'challenges' | 'standIns' | 'aws' | 'projectId'>) {
    ({
      test: this.test,
      pebble: this.pebble,
      challenges: this.challenges,
      standIns: this.standIns,
      aws: this.aws,
      projectId: this.projectId,
    } = parts);
    const publish = async (host: string, values: readonly string[]) => {
      await this.challenges.tell('clear-txt', { host });
      for (const value of values) await this.challenges.tell('set-txt', { host, value });
    };
    this.aws.route53.published = publish;
    this.aws.route53.zones.set(this.zones.route53, 'example.com');
    this.cloudflare.published = publish;
    this.cloudflare.zones.set(this.zones.cloudflare, 'example.net');
  }

  static async start(options: { needsExternalAccount?: boolean } = {}): Promise<OrderWorld> {
    const challenges = await startChallengeServer();
    const pebble = await startPebble(challenges.nameServer, options);
    const standIns = new StandIns();
    const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
    const test = await testServer({
      fetch: (url, request) => (pebble.isAt(url) ? pebble.fetch(url, request) : standIns.fetch(url, request)),
      connect: outbound.connect,
    });
    await outbound.close();
    const aws = new AwsAccount({ region: 'us-east-1' });
    aws.now = () => test.coffer.now().getTime();
    const { id: projectId } = await test.project();
    const world = new OrderWorld({ test, pebble, challenges, standIns, aws, projectId });
    await aws.serve(standIns);
    await standIns.serve('api.cloudflare.com', world.cloudflare.listener);
    return world;
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.standIns.close();
    await this.pebble.stop();
    await this.challenges.stop();
  }

  /** A connection to a provider of DNS; its ID. */
  async connection(
    provider: 'route53' | 'cloudflare',
    projectId: string | undefined = this.projectId,
  ): Promise<string> {
    const { organizationId, coffer } = this.test;
    const place = { organizationId, ...(projectId !== undefined && { projectId }), name: nameOf('connection') };
    const { accountId, token: apiToken } = this.cloudflare;
    const { id } =
      provider === 'route53'
        ? await makeConnection(coffer, {
            ...place,
            app: 'aws',
            credentials: { method: 'access-key', ...this.aws.keys },
          })
        : await makeConnection(coffer, {
            ...place,
            app: 'cloudflare',
            credentials: { method: 'api-token', accountId, apiToken },
          });
    return id;
  }

  /** The body of a new authority. */
  async wanted(provider: 'route53' | 'cloudflare' = 'route53', more: object = {}) {
    const configuration = {
      dnsAppConnectionId: await this.connection(provider),
      dnsProviderConfig: { provider, hostedZoneId: this.zones[provider] },
      directoryUrl: this.pebble.directoryUrl,
      accountEmail: 'ops@example.com',
      ...more,
    };
    return { projectId: this.projectId, name: nameOf('authority'), configuration };
  }

  /** A new authority; its ID. */
  async authority(provider: 'route53' | 'cloudflare' = 'route53', call: Caller = this.test.admin): Promise<string> {
    return ok(await call('POST', ACME, await this.wanted(provider))).id;
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

  /** A caller with these rights in the project. */
  async holder(permissions: readonly object[]): Promise<Caller> {
    const { test, projectId } = this;
    const role = nameOf('role');
    ok(await test.admin('POST', `/api/v1/projects/${projectId}/roles`, { slug: role, name: role, permissions }));
    const { id, call } = await test.identity();
    ok(await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { role }));
    return call;
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
    await runOrder.run(this.platform(), { organizationId: this.test.organizationId, orderId }, {} as never);
    return this.stored(orderId);
  }

  /** Carries out an order until nothing remains to be done for it. */
  async finish(orderId: string): Promise<Stored> {
    await untilNothingIsDue(() => this.attempt(orderId));
    return this.stored(orderId);
  }
}
