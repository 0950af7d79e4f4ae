import { client, type Client } from './client.ts';

/** The data of a run: one organization, and a project in it. */
export interface World {
  /** The instance's first machine identity, which administers everything. */
  readonly admin: Client;
  readonly token: string;
  readonly organizationId: string;
  readonly identityId: string;
  readonly projectId: string;
  readonly projectSlug: string;
}

interface Bootstrapped {
  organization: { id: string };
  identity: { id: string; credentials: { token: string } };
}

/** Claims a new instance and makes a project with the usual environments. */
export async function makeWorld(url: string): Promise<World> {
  const account = { email: 'bench@example.com', password: 'a long password for nobody', organization: 'Bench' };
  const { organization, identity } = await client(url)<Bootstrapped>('POST', '/api/v1/admin/bootstrap', account);
  const { token } = identity.credentials;
  const admin = client(url, token);
  const { project } = await admin<{ project: { id: string; slug: string } }>('POST', '/api/v1/projects', {
    projectName: 'Bench',
  });
  return {
    admin,
    token,
    organizationId: organization.id,
    identityId: identity.id,
    projectId: project.id,
    projectSlug: project.slug,
  };
}

export const ENVIRONMENT = 'dev';

const BATCH = 1000;

/** Writes secrets `<prefix>0` … through the API, so that each is really validated, sealed and recorded. */
export async function writeSecrets(world: World, prefix: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    await writeBatch(
      world,
      '/',
      Array.from({ length: size }, (_, i) => secretOf(`${prefix}${from + i}`)),
    );
  }
}

/** Writes these secrets in one batch. */
export async function writeBatch(world: World, path: string, secrets: readonly NewSecret[]): Promise<void> {
  await world.admin('POST', '/api/v4/secrets/batch', { ...folderOf(world, path), secrets });
}

/** The fields that name a folder in the body of a request about secrets. */
export const folderOf = ({ projectId }: Pick<World, 'projectId'>, secretPath: string) => ({
  projectId,
  environment: ENVIRONMENT,
  secretPath,
});

export interface NewSecret {
  readonly secretKey: string;
  readonly secretValue: string;
}

export const secretOf = (secretKey: string): NewSecret => ({
  secretKey,
  secretValue: `value of ${secretKey} `.padEnd(32, 'x'),
});

export async function makeFolder({ admin, projectId }: World, name: string, path = '/'): Promise<void> {
  await admin('POST', '/api/v2/folders', { projectId, environment: ENVIRONMENT, name, path });
}

/** Inputs of a dynamic secret whose leases are logins of a PostgreSQL. */
export function postgresLogins(url: string) {
  const target = new URL(url);
  return {
    client: 'postgres',
    host: target.hostname,
    port: Number(target.port),
    database: target.pathname.slice(1),
    username: target.username,
    password: decodeURIComponent(target.password),
    creationStatement: `create role "{{username}}" login password '{{password}}' valid until '{{expiration}}'`,
    revocationStatement: 'drop role "{{username}}"',
  };
}
