import { describe, expect, it } from 'vitest';
import { sealedFieldsOf } from '../family/index.ts';
import { examplesOf } from '../family/testing/examples.ts';
import { appExamples } from './app-connection/testing/index.ts';
import { isSameSystem, type Connector, type Credentials } from './connection/index.ts';
import { connectors, rotations, syncs } from './registry.ts';
import type { RotationExample } from './rotation/testing/example.ts';
import { credentialsAt, type DestinationExample } from './sync/testing/example.ts';

/**
 * Fields beside a credential that do not change the system: who somebody is there, how the server is trusted, and tokens of
 * which another one opens nothing of this.
 */
const OF_THE_SAME = {
  auth0: ['clientId', 'audience'],
  aws: ['accessKeyId', 'roleArn'],
  'azure-app-configuration': ['tenantId', 'clientId'],
  'azure-client-secrets': ['tenantId', 'clientId'],
  'azure-dns': ['tenantId', 'clientId'],
  'azure-key-vault': ['tenantId', 'clientId'],
  camunda: ['clientId'],
  databricks: ['clientId'],
  'external-infisical': ['machineIdentityClientId'],
  // Whether `host` counts.
  github: ['installationId', 'instanceType'],
  'hashicorp-vault': ['roleId'],
  ldap: ['provider', 'dn', 'sslRejectUnauthorized', 'sslCertificate'],
  mongodb: ['username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'],
  // The logins are those of the server.
  mssql: ['database', 'username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'],
  mysql: ['database', 'username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'],
  postgres: ['database', 'username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'],
  redis: ['username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'],
  ssh: ['username', 'hostKey'],
} as Readonly<Record<string, readonly string[] | undefined>>;

const folder = (path: string) => new URL(path, import.meta.url);
const destinations = await examplesOf<DestinationExample>(folder('sync/destinations/'), syncs.names);
const rotated = await examplesOf<RotationExample>(folder('rotation/types/'), rotations.names);

/** Credentials of each app. */
const samples: readonly [Connector, Credentials][] = [
  ...syncs.members.map(({ destination, connector }): [Connector, Credentials] => [
    connector,
    credentialsAt(destinations[destination]!.target(), 'organization'),
  ]),
  ...rotations.members.map(({ type, connector }): [Connector, Credentials] => [connector, rotated[type]!.connection]),
  ...Object.entries(appExamples).flatMap(([app, { standIn }]) =>
    Object.entries(standIn().methods).map(([method, { given }]): [Connector, Credentials] => [
      connectors.require(app),
      { ...given, method },
    ]),
  ),
  ...['azure-dns', 'azure-key-vault', 'azure-app-configuration'].map((app): [Connector, Credentials] => [
    connectors.require(app),
    {
      method: 'client-secret',
      ...{ tenantId: '11112222-bbbb-3333-cccc-4444dddd5555', clientId: '00001111-aaaa-2222-bbbb-3333cccc4445' },
      ...{ clientSecret: 'qWgdYAmab0YSkuL1qKv5bPX', subscriptionId: '33334444-dddd-5555-eeee-6666ffff7777' },
    },
  ]),
  [
    connectors.require('gcp'),
    {
      method: 'service-account-impersonation',
      serviceAccountEmail: 'coffer-organization@shop.iam.gserviceaccount.com',
    },
  ],
  [
    connectors.require('cloudflare'),
    { method: 'api-token', accountId: '0123456789abcdef0123456789abcdef', apiToken: 'x' },
  ],
  [connectors.require('digicert'), { method: 'api-key', region: 'us', apiKey: 'x' }],
];

/** Other values of a field, for those that are addresses at least one of each part. */
const OTHERS: readonly ((value: string) => unknown)[] = [
  (value) => value.replace('://', '://z'),
  (value) => `${value.replace(/\/+$/, '')}/tenant-z`,
  (value) => `${value}z`,
  (value) => value.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0')),
  (value) => Number(value) + 1,
  () => 'https://z.example.com/tenant',
  () => 'z.example.com',
  () => 'eu',
];

describe('the system of credentials', () => {
  it('is known of each app', () => {
    expect([...new Set(samples.map(([{ app }]) => app))].toSorted()).toEqual(connectors.names.toSorted());
  });

  it.each(samples.map(([connector, credentials]) => ({ connector, credentials, app: connector.app })))(
    'is another one at another address: $app',
    ({ connector, credentials, app }) => {
      const { credentials: Schema } = connector.methods[credentials.method]!;
      const given = { method: credentials.method, ...Schema.parse(credentials) };
      const system = connector.systemOf(given);
      expect(isSameSystem(system, connector.systemOf(given))).toBe(true);
      const fields = new Set([...sealedFieldsOf(Schema.shape).values()].flatMap(({ sentTo }) => sentTo));
      for (const field of [...fields].filter((name) => !OF_THE_SAME[app]?.includes(name))) {
        const changes = OTHERS.map((other) => ({ ...given, [field]: other(String(given[field as never] ?? '')) }));
        const accepted = changes.filter((changed) => Schema.safeParse(changed).success);
        expect(accepted.length, `${field} has another value`).toBeGreaterThan(0);
        for (const { method, ...changed } of accepted) {
          const other = { method, ...Schema.parse(changed) };
          if (other[field as never] === given[field as never]) continue;
          expect([field, other[field as never], isSameSystem(system, connector.systemOf(other))]).toEqual([
            field,
            other[field as never],
            false,
          ]);
        }
      }
    },
  );

  it('is the same in all spellings of an address', () => {
    const vault = connectors.require('hashicorp-vault');
    const at = (instanceUrl: string) => vault.systemOf({ method: 'access-token', instanceUrl, accessToken: 'x' });
    const one = at('https://vault.example.com/tenant');
    for (const same of ['https://VAULT.example.com:443/tenant/', 'https://vault.example.com./tenant//'])
      expect([same, isSameSystem(one, at(same))]).toEqual([same, true]);
    for (const other of [
      'https://vault.example.com',
      'https://vault.example.com/tenant/eve',
      'https://vault.example.com/Tenant',
    ])
      expect([other, isSameSystem(one, at(other))]).toEqual([other, false]);
    const github = (given: object) => connectors.require('github').systemOf({ method: 'pat', ...given });
    const server = { host: 'github.example.com' };
    expect(isSameSystem(github(server), github({ ...server, instanceType: 'server' }))).toBe(true);
    expect(isSameSystem(github(server), github({ ...server, instanceType: 'cloud' }))).toBe(false);
    expect(isSameSystem(github(server), github({ instanceUrl: 'https://github.example.com/tenant' }))).toBe(false);
  });
});
