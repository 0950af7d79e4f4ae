import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  AwsAccount,
  AzureCloud,
  AzureDnsZone,
  Cloudflare,
  makeConnection,
  StandIns,
  startChallengeServer,
  startPebble,
  type ChallengeServer,
  type Pebble,
} from '@coffer/domain/testing';
import { nameOf, ok } from './certificates.ts';
import { Orders } from './orders.ts';
import { testServer, type Caller } from './test-server.ts';

type DnsName = 'route53' | 'cloudflare' | 'azure-dns';

export const ACME = '/api/v1/cert-manager/ca/acme';

/**
 * A server, pebble as an ACME authority, and providers of DNS whose records the name server has that pebble asks. Work is done
 * when a test says so.
 */
export class OrderWorld extends Orders {
  readonly pebble: Pebble;
  readonly challenges: ChallengeServer;
  readonly standIns: StandIns;
  readonly aws: AwsAccount;
  readonly cloudflare = new Cloudflare();
  readonly azure = new AzureCloud();
  readonly azureZone = new AzureDnsZone();
  readonly zones: Readonly<Record<DnsName, string>> = {
    route53: 'Z0EXAMPLE',
    cloudflare: '023e105f4ecef8ad9ca31a8372d0c353',
    'azure-dns': this.azureZone.id,
  };

  private constructor(parts: Pick<OrderWorld, 'test' | 'pebble' | 'challenges' | 'standIns' | 'aws' | 'projectId'>) {
    super(parts.test, parts.projectId);
    ({ pebble: this.pebble, challenges: this.challenges, standIns: this.standIns, aws: this.aws } = parts);
    const publish = async (host: string, values: readonly string[]) => {
      await this.challenges.tell('clear-txt', { host });
      for (const value of values) await this.challenges.tell('set-txt', { host, value });
    };
    this.aws.route53.published = publish;
    this.aws.route53.zones.set(this.zones.route53, 'example.com');
    this.cloudflare.published = publish;
    this.azureZone.published = publish;
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
    await world.azure.serve(standIns);
    await world.azure.serveApi(standIns, world.azureZone);
    return world;
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.standIns.close();
    await this.pebble.stop();
    await this.challenges.stop();
  }

  /** A connection to a provider of DNS; its ID. */
  async connection(provider: DnsName, projectId: string | undefined = this.projectId): Promise<string> {
    const { organizationId, coffer } = this.test;
    const place = { organizationId, ...(projectId !== undefined && { projectId }), name: nameOf('connection') };
    const { accountId, token: apiToken } = this.cloudflare;
    const { azure, azureZone } = this;
    const using = {
      route53: { app: 'aws', credentials: { method: 'access-key', ...this.aws.keys } },
      cloudflare: { app: 'cloudflare', credentials: { method: 'api-token', accountId, apiToken } },
      'azure-dns': {
        app: 'azure-dns',
        credentials: {
          ...{ method: 'client-secret', tenantId: azure.tenantId, subscriptionId: azureZone.subscriptionId },
          ...azure.application,
        },
      },
    } as const;
    const { id } = await makeConnection(coffer, { ...place, ...using[provider] });
    return id;
  }

  /** The body of a new authority. */
  async wanted(provider: DnsName = 'route53', more: object = {}) {
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
  async authority(provider: DnsName = 'route53', call: Caller = this.test.admin): Promise<string> {
    return ok(await call('POST', ACME, await this.wanted(provider))).id;
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
}
