import { onDatabase } from '../subject/stage.ts';
import {
  ENVIRONMENT,
  folderOf,
  makeFolder,
  secretOf,
  writeBatch,
  postgresLogins,
  type World,
} from '../subject/world.ts';

/** What all callers use: it is made once and stays. */
export interface Fixtures {
  readonly world: World;
  readonly keys: readonly string[];
  readonly login: { readonly clientId: string; readonly clientSecret: string };
  readonly encryptionKey: string;
  readonly signingKey: string;
  readonly authority: string;
  /** A machine identity of the organization that belongs to no project. */
  readonly stranger: { readonly id: string; readonly token: string };
  /** The names of dynamic secrets. */
  readonly dynamic: readonly string[];
}

export const ACCOUNT = { email: 'bench@example.com', password: 'a long password for nobody' };
const SECRETS = 100;
const MINUTES = 60;

/** `databaseUrl`: of a role that may create others, as the target of leases; without it leases are codes alone. */
export async function prepareFixtures(world: World, databaseUrl: string | undefined): Promise<Fixtures> {
  const { admin, projectId, projectSlug, organizationId } = world;
  const keys = Array.from({ length: SECRETS }, (_, n) => `SECRET_${String(n).padStart(3, '0')}`);
  await writeBatch(
    world,
    '/',
    keys.map((key) => secretOf(key)),
  );
  await makeFolder(world, 'references');
  await writeBatch(
    world,
    '/references',
    keys.slice(0, 10).map((key) => ({ secretKey: key, secretValue: `\${${ENVIRONMENT}.${key}}` })),
  );
  await makeFolder(world, 'imports');
  await admin('POST', '/api/v2/secret-imports', {
    ...{ projectId, environment: ENVIRONMENT, path: '/imports' },
    import: { environment: ENVIRONMENT, path: '/' },
  });
  const machine = await identity('machine');
  await admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${machine}`, { role: 'member' });
  const method = `/api/v1/auth/universal-auth/identities/${machine}`;
  const { identityUniversalAuth } = await admin<{ identityUniversalAuth: { clientId: string } }>('POST', method, {
    accessTokenTTL: MINUTES,
    accessTokenMaxTTL: MINUTES,
  });
  const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${method}/client-secrets`, {});
  const stranger = await identity('stranger');
  const tokens = `/api/v1/auth/token-auth/identities/${stranger}`;
  await admin('POST', tokens, {});
  const { accessToken } = await admin<{ accessToken: string }>('POST', `${tokens}/tokens`, {});
  const ca = await admin<{ id: string }>('POST', '/api/v1/cert-manager/ca/internal', {
    ...{ projectId, name: 'soak' },
    configuration: { type: 'root', commonName: 'Soak', keyAlgorithm: 'EC_prime256v1' },
  });
  return {
    world,
    keys,
    login: { clientId: identityUniversalAuth.clientId, clientSecret },
    encryptionKey: await makeKey('encrypt', 'aes-256-gcm'),
    signingKey: await makeKey('sign', 'ECC_NIST_P256'),
    authority: ca.id,
    stranger: { id: stranger, token: accessToken },
    dynamic: [
      await codes(),
      ...(databaseUrl !== undefined && (await mayCreateRoles(databaseUrl)) ? [await logins(databaseUrl)] : []),
    ],
  };

  async function identity(name: string): Promise<string> {
    const body = { name, organizationId, role: 'member' };
    return (await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', body)).identity.id;
  }

  async function makeKey(name: string, algorithm: string): Promise<string> {
    const made = await admin<{ key: { id: string } }>('POST', '/api/v1/kms/keys', { projectId, name, algorithm });
    return made.key.id;
  }

  async function dynamicSecret(name: string, provider: object): Promise<string> {
    const here = { projectSlug, environmentSlug: ENVIRONMENT, path: '/' };
    await admin('POST', '/api/v1/dynamic-secrets', { ...here, name, defaultTTL: '10m', maxTTL: '1h', provider });
    return name;
  }

  function codes(): Promise<string> {
    const inputs = { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
    return dynamicSecret('codes', { type: 'totp', inputs });
  }

  function logins(url: string): Promise<string> {
    const inputs = postgresLogins(url);
    return dynamicSecret('logins', { type: 'sql-database', inputs });
  }
}

/** A folder of a caller, with secrets that it updates. */
export async function makeCallerFolder(world: World, name: string, keys: readonly string[]): Promise<void> {
  await makeFolder(world, name);
  await world.admin('POST', '/api/v4/secrets/batch', {
    ...folderOf(world, `/${name}`),
    secrets: keys.map((key) => secretOf(key)),
  });
}

const mayCreateRoles = (url: string): Promise<boolean> =>
  onDatabase(url, async (client) => {
    const text = 'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user';
    return (await client.query<{ may: boolean }>(text)).rows[0]!.may;
  });
