import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  AUDIENCE,
  IdentityProvider,
  LDAP_ACCOUNT,
  LDAP_BASE,
  signedBy,
  slapdServer,
  StandIns,
  startSlapd,
} from '@coffer/domain/testing';
import { AwsAccount, AzureTenant, Cluster, Google } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginFlags } from '../src/commands/login/flags.ts';
import { commandLine, world, type CommandLine, type World } from './harness/command-line.ts';

const standIns = new StandIns();
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world({ fetch: standIns.fetch, connect: outbound.connect });
  cli = commandLine({ COFFER_DOMAIN: at.url });
});
afterAll(async () => {
  cli.remove();
  await at.close();
  await outbound.close();
  await standIns.close();
});

/** What a machine with this method has: its flags, variables and files. */
interface Machine {
  readonly method: string;
  readonly attached: object;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  end?(): Promise<void>;
}

/** A file of the machine. */
const file = (name: string, content: string): string => {
  writeFileSync(join(cli.home, name), content, { mode: 0o600 });
  return name;
};

/** The metadata service of a cloud: one path with one header, and one answer. */
async function metadata(path: string, header: string, answer: string): Promise<{ host: string; server: Server }> {
  const server = createServer((request, response) => {
    const isRight = request.url!.startsWith(path) && request.headers[header] !== undefined;
    response.writeHead(isRight ? 200 : 403).end(isRight ? answer : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** By the name of the method on the command line: what the machine has, for an identity with this ID. */
const MACHINES: Readonly<Record<string, (identityId: string) => Promise<Machine>>> = {
  kubernetes: async () => {
    const cluster = await Cluster.start();
    cluster.reviewers.add('system:serviceaccount:apps:web');
    await standIns.serve('cluster.test', cluster.listener);
    return {
      method: 'kubernetes-auth',
      attached: {
        kubernetesHost: 'https://cluster.test',
        allowedNamespaces: 'apps',
        allowedNames: 'web',
        allowedAudience: '',
      },
      args: ['--service-account-token-path', file('token', await cluster.token('apps', 'web'))],
    };
  },
  azure: async () => {
    const [tenant] = await AzureTenant.start(standIns, 1);
    const token = JSON.stringify({ access_token: signedBy(tenant!) });
    const { host, server } = await metadata('/metadata/identity/oauth2/token?', 'metadata', token);
    return {
      method: 'azure-auth',
      attached: { tenantId: tenant!.tenantId, resource: 'https://management.azure.com/' },
      env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: `http://${host}` },
      end: async () => void server.close(),
    };
  },
  'gcp-id-token': async (identityId) => {
    const google = await Google.start(standIns, identityId);
    const path = `/computeMetadata/v1/instance/service-accounts/default/identity?audience=${identityId}&`;
    const { host, server } = await metadata(path, 'metadata-flavor', signedBy(google.itself));
    return {
      method: 'gcp-auth',
      attached: { type: 'gce', allowedProjects: 'acme-prod' },
      env: { GCE_METADATA_HOST: host },
      end: async () => void server.close(),
    };
  },
  'gcp-iam': async () => {
    const email = 'deploy@acme-prod.iam.gserviceaccount.com';
    const account = await (await Google.start(standIns, '')).account(email);
    const key = {
      client_email: email,
      private_key_id: account.kid,
      private_key: account.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    return {
      method: 'gcp-auth',
      attached: { type: 'iam', allowedServiceAccounts: email },
      args: ['--service-account-key-file-path', file('key.json', JSON.stringify(key))],
    };
  },
  'aws-iam': async () => {
    const account = new AwsAccount({ region: 'eu-west-2' });
    await standIns.serve('sts.eu-west-2.amazonaws.com', account.listener('sts'));
    const keys = account.keysOf('arn:aws:sts::123456789012:assumed-role/web/i-0123456789');
    return {
      method: 'aws-auth',
      attached: { allowedAccountIds: '123456789012' },
      env: {
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
        AWS_SESSION_TOKEN: keys.sessionToken!,
        AWS_REGION: 'eu-west-2',
      },
    };
  },
  'oidc-auth': async () => {
    const provider = await IdentityProvider.start(standIns);
    return {
      method: 'oidc-auth',
      attached: {
        oidcDiscoveryUrl: provider.issuer,
        boundIssuer: provider.issuer,
        boundAudiences: AUDIENCE,
        boundSubject: 'deploy-*',
      },
      env: { COFFER_JWT: await provider.token() },
    };
  },
  'jwt-auth': async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const now = Math.floor(Date.now() / 1000);
    const claims = () => ({ iss: 'https://ci.example.com', sub: 'job-1', aud: 'coffer', iat: now, exp: now + 600 });
    return {
      method: 'jwt-auth',
      attached: {
        configurationType: 'static',
        publicKeys: [keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
      },
      env: { INFISICAL_JWT: signedBy({ kid: undefined, ...keys, claims }) },
    };
  },
  'ldap-auth': async () => {
    const slapd = await startSlapd();
    return {
      method: 'ldap-auth',
      attached: { url: slapd.url, ...LDAP_ACCOUNT, searchBase: `ou=people,${LDAP_BASE}` },
      args: ['--username', 'alice'],
      env: { COFFER_PASSWORD: 'password of alice' },
      end: () => slapd.stop(),
    };
  },
};

describe('coffer login of a machine identity', () => {
  it('has a case here for each method that it offers; login.test.ts has universal auth', () => {
    const methods = loginFlags.method.choices!.filter((name) => name !== 'user' && name !== 'universal-auth');
    expect(Object.keys(MACHINES).toSorted()).toEqual(methods.toSorted());
  });

  it.for(Object.keys(MACHINES))('works by %s, and is refused to another identity', async (name, { skip }) => {
    skip(name === 'ldap-auth' && slapdServer.isMissing, slapdServer.orSkipped);
    const { id } = await at.test.identity();
    const machine = await MACHINES[name]!(id);
    const attach = async (identityId: string, more: object = {}) => {
      const url = `/api/v1/auth/${machine.method}/identities/${identityId}`;
      expect(await at.test.admin('POST', url, { ...machine.attached, ...more })).toMatchObject({ status: 200 });
    };
    await attach(id);
    const logIn = (identityId: string) =>
      cli.run(
        [
          'login',
          '--method',
          name,
          '--machine-identity-id',
          identityId,
          ...(machine.args ?? []),
          '--plain',
          '--silent',
        ],
        { env: machine.env ?? {} },
      );
    const done = await logIn(id);
    expect([done.code, done.stderr]).toEqual([0, '']);
    const status = await cli.run(['login', 'status', '--json'], { env: { COFFER_TOKEN: done.stdout.trim() } });
    expect(JSON.parse(status.stdout)).toMatchObject({ authenticated: true, type: 'identity', id });
    // Nothing is attached to the other one.
    const { id: other } = await at.test.identity();
    expect(await logIn(other)).toMatchObject({ stdout: '', code: expect.toSatisfy((code: number) => code !== 0) });
    await machine.end?.();
  });
});
