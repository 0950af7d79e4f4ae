// Writes what a database of an earlier commit holds, for the test that this release opens it:
//
//   node scripts/run.mjs node scripts/upgrade-fixture.mjs <commit> [file]
//
// The server of that commit runs in a folder of its own, on a PostgreSQL of its own, and is asked over HTTP for one of
// each thing. The file (gzip, JSON) has the statements by which the schema came about, the rows, the root key, and what
// the server answers about each thing.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startEmbeddedPostgres } from '../packages/postgres/src/index.ts';

const root = join(import.meta.dirname, '..');
const FILE = 'apps/server/test/harness/upgrade/fixture.json.gz';
const { Pool } = createRequire(join(root, 'packages/postgres/package.json'))('pg');

const [commit, file = join(root, FILE)] = process.argv.slice(2);
if (!commit) throw new Error('Name the commit whose database is to be written');
const home = mkdtempSync(join(tmpdir(), 'coffer-upgrade-'));
try {
  checkOut(join(home, 'sources'));
  const postgres = await startEmbeddedPostgres({ directory: join(home, 'data') });
  try {
    const rootKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
    const made = await withServer({ DATABASE_URL: postgres.url, COFFER_ROOT_KEY: rootKey }, makeThings);
    const { migrations } = await import(pathToFileURL(join(home, 'sources/packages/domain/src/migrations/index.ts')));
    const fixture = { commit, madeAt: new Date(), rootKey, ...made, migrations, ...(await rowsOf(postgres.url)) };
    const text = gzipSync(JSON.stringify(fixture), { level: 9 });
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    console.log(`${file}: ${Math.round(text.length / 1024)} KiB, ${made.reads.length} answers`);
  } finally {
    await postgres.stop();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The sources of the commit, with the dependencies that are installed here. */
function checkOut(folder) {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const links of globSync('{packages,apps}/*/node_modules', { cwd: root }))
    cpSync(join(root, links), join(folder, links), { recursive: true, verbatimSymlinks: true });
}

async function withServer(environment, work) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(home, 'sources/apps/server/src/main.ts')], {
    cwd: home,
    env: { PATH, HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const url = await new Promise((resolve, reject) => {
      let said = '';
      // Read to the end: a full pipe would block the server.
      child.stdout.on('data', (chunk) => {
        const [, served] = /Coffer serves on (http:\/\/[\d.:]+)/.exec((said += chunk)) ?? [];
        if (served) resolve(served);
      });
      child.once('exit', () => reject(new Error(`The server does not start: ${said}`)));
    });
    return await work(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** One of each resource, created over HTTP. */
async function makeThings(url) {
  let token = '';
  const call = async (method, path, body) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const { reqId: _, ...said } = await answer.json();
    return said;
  };
  const post = (path, body) => call('POST', path, body);
  /** The reads of each resource. */
  const paths = {};

  const admin = { email: 'admin@example.com', password: 'correct horse battery staple', organization: 'Acme' };
  const { identity: machine, organization, user } = await post('/api/v1/admin/bootstrap', admin);
  token = machine.credentials.token;
  const { project } = await post('/api/v1/projects', { projectName: 'Shop' });
  const projectId = project.id;
  await post(`/api/v1/projects/${projectId}/memberships`, {
    usernames: [user.email],
    emails: [],
    roleSlugs: ['admin'],
  });
  paths['a project'] = `/api/v1/projects/${projectId}`;

  const dev = { projectId, environment: 'dev' };
  const query = (more) => new URLSearchParams({ ...dev, ...more }).toString();
  await post('/api/v2/folders', { ...dev, name: 'web', path: '/' });
  await post('/api/v4/secrets/HOST', { ...dev, secretValue: 'db.example.com', secretComment: 'ask Ann' });
  await post('/api/v4/secrets/URL', { ...dev, secretPath: '/web', secretValue: 'postgres://${dev.HOST}/shop' });
  await call('PATCH', '/api/v4/secrets/HOST', { ...dev, secretValue: 'db.example.net' });
  await post('/api/v2/secret-imports', { ...dev, path: '/web', import: { environment: 'dev', path: '/' } });
  Object.assign(paths, {
    'a secret': `/api/v4/secrets/HOST?${query({ secretPath: '/' })}`,
    'its first version': `/api/v4/secrets/HOST?${query({ secretPath: '/', version: 1 })}`,
    'secrets with references and imports': `/api/v4/secrets?${query({ secretPath: '/web', includeImports: true, expandSecretReferences: true })}`,
    'a folder': `/api/v2/folders?${query({ path: '/' })}`,
    'an import': `/api/v2/secret-imports?${query({ path: '/web' })}`,
  });

  const github = { workspaceId: projectId, integration: 'github', accessToken: 'ghp_sealed_by_an_earlier_release' };
  const { integrationAuth } = await post('/api/v1/integration-auth/access-token', github);
  const { integration } = await post('/api/v1/integration', {
    ...{ integrationAuthId: integrationAuth.id, isActive: false, owner: 'acme', app: 'web' },
    ...{ sourceEnvironment: 'dev', secretPath: '/', metadata: { secretPrefix: 'SHOP_' } },
  });
  paths['the authentication of an integration'] = `/api/v1/integration-auth/${integrationAuth.id}`;
  paths['an integration'] = `/api/v1/integration/${integration.id}`;

  const { webhook } = await post('/api/v1/webhooks', {
    ...{ ...dev, workspaceId: projectId, secretPath: '/' },
    ...{ webhookUrl: 'https://hooks.example.com/shop?key=x', webhookSecretKey: 'a signing key' },
  });
  paths['a webhook'] = `/api/v1/webhooks?workspaceId=${projectId}`;

  const there = { projectSlug: project.slug, environmentSlug: 'dev', path: '/' };
  const totp = {
    type: 'totp',
    inputs: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', digits: 8 },
  };
  await post('/api/v1/dynamic-secrets', { ...there, name: 'codes', defaultTTL: '1h', provider: totp });
  paths['a dynamic secret'] = `/api/v1/dynamic-secrets/codes?${new URLSearchParams(there)}`;

  const { identity } = await post('/api/v1/identities', {
    name: 'ci',
    organizationId: organization.id,
    role: 'member',
  });
  const auth = (kind) => `/api/v1/auth/${kind}/identities/${identity.id}`;
  await post(`/api/v2/workspace/${projectId}/identity-memberships/${identity.id}`, { role: 'viewer' });
  const { identityUniversalAuth } = await post(auth('universal-auth'), {});
  const { clientSecret } = await post(`${auth('universal-auth')}/client-secrets`, { description: 'ci' });
  await post(auth('kubernetes-auth'), {
    ...{ kubernetesHost: 'https://cluster.example.com', tokenReviewerJwt: 'e30.e30.c2ln' },
    ...{ allowedNamespaces: 'apps', allowedNames: '', allowedAudience: '' },
  });
  await post(auth('token-auth'), {});
  const { accessToken } = await post(`${auth('token-auth')}/tokens`, { name: 'ci' });
  paths['an identity'] = `/api/v1/identities/${identity.id}`;
  for (const kind of ['universal-auth', 'kubernetes-auth', 'token-auth']) paths[`its ${kind}`] = auth(kind);

  const approvers = [{ type: 'user', id: user.id }];
  const policy = { workspaceId: projectId, environment: 'prod', secretPath: '/', approvals: 1, approvers };
  const { approval } = await post('/api/v1/secret-approvals', { ...policy, name: 'four eyes' });
  paths['a change policy'] = `/api/v1/secret-approvals/${approval.id}`;

  const configuration = { type: 'root', commonName: 'Acme Root', keyAlgorithm: 'EC_prime256v1', maxPathLength: -1 };
  const authority = await post('/api/v1/cert-manager/ca/internal', { projectId, name: 'acme-root', configuration });
  const issued = { commonName: 'web.example.com', ttl: '30d' };
  const { serialNumber } = await post(`/api/v1/pki/ca/${authority.id}/issue-certificate`, issued);
  paths['an authority'] = `/api/v1/cert-manager/ca/internal/${authority.id}`;
  paths['a certificate'] = `/api/v1/pki/certificates/${serialNumber}`;

  const reads = [];
  for (const [what, path] of Object.entries(paths)) reads.push({ what, path, body: await call('GET', path) });
  const ids = { organization: organization.id, project: projectId };
  return {
    reads,
    // The data with which the test continues.
    world: {
      ...{ ids, place: there, admin, adminToken: token, accessToken, integration: integration.id, webhook: webhook.id },
      ...{ authority: authority.id, clientId: identityUniversalAuth.clientId, clientSecret },
      gitHubToken: github.accessToken,
    },
  };
}

/** All rows by table, and the values of sequences. The queue is omitted: a new one is created. */
async function rowsOf(url) {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    const { rows: tables } = await pool.query(`
      select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      group by 1 order by 1`);
    for (const table of tables) {
      const { rows } = await pool.query(`select to_jsonb(t) as row from public.${table.name} t`);
      table.rows = rows.map(({ row }) => row);
    }
    const { rows: sequences } = await pool.query(
      `select sequencename as name, last_value as at from pg_sequences where schemaname = 'public' and last_value is not null`,
    );
    return { tables: tables.filter(({ rows }) => rows.length > 0), sequences };
  } finally {
    await pool.end();
  }
}
