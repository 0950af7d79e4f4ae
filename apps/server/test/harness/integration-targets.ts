import {
  AwsAccount,
  GitHub,
  integrationExamples,
  Vault,
  type DestinationStandIn,
  type StandIns,
} from '@coffer/domain/testing';
import type { SyncedProject } from './integrations.ts';
import type { TestServer } from './test-server.ts';

export type IntegrationTarget = Omit<DestinationStandIn, 'listener'>;

/** Destinations with a stand-in in their `examples.ts`. */
const brought = Object.entries(integrationExamples).flatMap(([slug, { standIn }]) =>
  standIn ? [{ slug, standIn }] : [],
);

/** Every destination with a new stand-in for one project. */
export class IntegrationTargets {
  readonly aws = new AwsAccount();
  readonly github: GitHub;
  readonly vault: Vault;
  readonly #standIns: StandIns;
  readonly #brought = new Map(brought.map(({ slug, standIn }) => [slug, standIn()]));

  constructor(test: TestServer, standIns: StandIns, project: SyncedProject) {
    this.#standIns = standIns;
    this.aws.now = () => test.coffer.now().getTime();
    this.github = new GitHub(`ghp_${project.id.replaceAll('-', '')}`);
    this.vault = new Vault(`hvs.${project.id}`);
    this.vault.two.set('secret', new Map());
  }

  /** Replaces the stand-ins of all of them. */
  async serve(): Promise<void> {
    await this.aws.serve(this.#standIns);
    await this.#standIns.serve('api.github.com', this.github.listener);
    await this.#standIns.serve('vault.acme.example', this.vault.listener);
    for (const { host, listener } of this.#brought.values()) await this.#standIns.serve(host, listener);
  }

  readonly #keys = () => ({ accessId: this.aws.keys.accessKeyId, accessToken: this.aws.keys.secretAccessKey });

  readonly of = {
    'aws-secret-manager': {
      host: 'secretsmanager.eu-central-1.amazonaws.com',
      auth: this.#keys,
      target: { region: 'eu-central-1', app: 'app' },
      held: () => JSON.parse(this.aws.secrets.get('app')?.value ?? '{}') as Record<string, unknown>,
    },
    'aws-parameter-store': {
      host: 'ssm.eu-central-1.amazonaws.com',
      auth: this.#keys,
      target: { region: 'eu-central-1', path: '/app/' },
      held: () =>
        Object.fromEntries([...this.aws.parameters].map(([name, { value }]) => [name.slice('/app/'.length), value])),
    },
    github: {
      host: 'api.github.com',
      auth: () => ({ accessToken: this.github.token }),
      target: { owner: 'acme', app: 'web' },
      held: () => this.github.values('/repos/acme/web/actions'),
    },
    'hashicorp-vault': {
      host: 'vault.acme.example',
      auth: () => ({ accessToken: this.vault.token, url: 'https://vault.acme.example' }),
      target: { app: 'secret', path: 'app' },
      held: () => this.vault.two.get('secret')!.get('app')?.data ?? {},
    },
  } satisfies Record<string, IntegrationTarget>;

  /** Of each of `integrationSlugs`. */
  at(slug: string): IntegrationTarget {
    return this.#brought.get(slug) ?? this.of[slug as keyof typeof this.of];
  }
}

/** For lists of tests. */
export const integrationSlugs: readonly string[] = [
  ...['aws-secret-manager', 'aws-parameter-store', 'github', 'hashicorp-vault'],
  ...brought.map(({ slug }) => slug),
];
