import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createOutbound, makeRootKey, openCoffer, parseCidrs, parseRootKey } from '@coffer/domain';
import { startEmbeddedPostgres } from '@coffer/postgres';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../src/app.ts';

/** Text that occurs nowhere else, of a length that compression does not shorten. */
const canary = (name: string): string => `${name}-${randomBytes(24).toString('base64url')}`;

/** Every file below a directory as one text of bytes. */
async function bytesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  return files.join('\n');
}

it('no secret is in plaintext in the data directory, the logs or error responses', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'coffer-canary-'));
  const postgres = await startEmbeddedPostgres({ directory });
  const logged: string[] = [];
  const logger = pino(
    { level: 'trace' },
    new Writable({ write: (chunk: Buffer, _encoding, done) => (logged.push(chunk.toString()), done()) }),
  );
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.1/32') });
  const coffer = await openCoffer({
    databaseUrl: postgres.servingUrl,
    migrationUrl: postgres.url,
    rootKey: parseRootKey(makeRootKey()),
    fetch: outbound.fetch,
    connect: outbound.connect,
    log: logger,
  });
  const app = await createApp({ coffer, logger });
  const secrets: string[] = [];
  const faults: string[] = [];
  let token = '';
  const plant = (name: string): string => {
    const text = canary(name);
    secrets.push(text);
    return text;
  };
  const raw = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object | string) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' };
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    if (answer.statusCode >= 400) faults.push(answer.body);
    return answer;
  };
  const call = async (...asked: Parameters<typeof raw>) => (await raw(...asked)).json();

  const password = plant('password');
  const { identity, organization } = await call('POST', '/api/v1/admin/bootstrap', {
    email: 'a@example.com',
    password,
    organization: 'Acme',
  });
  secrets.push((token = identity.credentials.token));
  await call('POST', '/api/v3/auth/login', { email: 'a@example.com', password: plant('wrong-password') });
  const session: string = (await call('POST', '/api/v3/auth/login', { email: 'a@example.com', password })).accessToken;
  secrets.push(session);
  const withHeader = async (header: object, method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers: { ...header }, ...(payload && { payload }) });
    if (answer.statusCode >= 400) faults.push(answer.body);
    return answer.json();
  };
  const chosen = await withHeader({ authorization: `Bearer ${session}` }, 'POST', '/api/v3/auth/select-organization', {
    organizationId: organization.id,
  });
  const asUser = { authorization: `Bearer ${chosen.token}` };
  const keys = '/api/v2/users/me/api-keys';
  const { apiKey } = await withHeader(asUser, 'POST', keys, { name: 'deploy', expiresIn: 3600 });
  const [, keyId, keySecret] = apiKey.split('.');
  secrets.push(chosen.token, keySecret);
  await withHeader({ 'x-api-key': apiKey }, 'GET', '/api/v1/projects');
  await withHeader({ 'x-api-key': apiKey }, 'POST', keys, { name: 'refused', expiresIn: 3600 });
  await withHeader({ 'x-api-key': `ak.${keyId}.${plant('wrong-key')}` }, 'GET', '/api/v1/projects');
  await withHeader({ ...asUser, 'x-api-key': apiKey }, 'GET', '/api/v1/projects');
  const made = await call('POST', '/api/v1/identities', {
    name: 'app',
    organizationId: organization.id,
    role: 'member',
  });
  const method = `/api/v1/auth/universal-auth/identities/${made.identity.id}`;
  const { clientId } = (await call('POST', method, {})).identityUniversalAuth;
  const { clientSecret } = await call('POST', `${method}/client-secrets`, {});
  secrets.push(
    clientSecret,
    (await call('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret })).accessToken,
  );
  await call('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: plant('wrong-client-secret') });

  const { project } = await call('POST', '/api/v2/workspace', { projectName: 'Shop' });
  const at = { projectId: project.id, environment: 'dev' };
  const detailed = {
    secretValue: plant('value'),
    secretComment: plant('comment'),
    secretMetadata: [{ key: 'k', value: plant('metadata'), isEncrypted: true }],
  };
  await call('POST', '/api/v4/secrets/KEY', { ...at, ...detailed });
  await call('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: plant('second-value') });
  await call('POST', '/api/v4/secrets/KEY', { ...at, secretValue: plant('value-of-a-taken-name') });
  await call('POST', '/api/v4/secrets/a:b', { ...at, secretValue: plant('value-of-a-wrong-name') });
  await call('POST', '/api/v4/secrets/KEY2', { ...at, secretValue: [plant('value-of-a-wrong-type')] });
  await call('POST', '/api/v4/secrets/KEY2', `{"secretValue": "${plant('value-in-broken-json')}`);
  await call('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev`);
  await call('GET', `/api/v4/secrets?projectId=${project.id}&environment=dev&expandSecretReferences=true`);
  await call('DELETE', '/api/v4/secrets/KEY', at);

  const here = { projectSlug: project.slug, environmentSlug: 'dev', path: '/' };
  const target = new URL(postgres.url);
  const credential = plant('credential-of-a-target');
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  await owner.query(`create role maker login createrole password '${credential}'`);
  const inputs = {
    client: 'postgres',
    host: target.hostname,
    port: Number(target.port),
    database: target.pathname.slice(1),
    username: 'maker',
    password: credential,
    creationStatement: `create role "{{username}}" login password '{{password}}'`,
    revocationStatement: `drop role "{{username}}"`,
    renewStatement: `comment on role nobody is '${plant('what-a-statement-says')}'`,
  };
  const logins = { ...here, name: 'logins', defaultTTL: '1h', provider: { type: 'sql-database', inputs } };
  await call('POST', '/api/v1/dynamic-secrets', logins);
  const leased = { ...here, dynamicSecretName: 'logins' };
  const { lease, data } = await call('POST', '/api/v1/dynamic-secrets/leases', leased);
  secrets.push(data.DB_PASSWORD);
  await call('POST', `/api/v1/dynamic-secrets/leases/${lease.id}/renew`, here);
  await call('PATCH', '/api/v1/dynamic-secrets/logins', {
    ...here,
    data: { inputs: { password: plant('wrong-credential') } },
  });
  await call('POST', '/api/v1/dynamic-secrets', {
    ...logins,
    provider: { type: 'sql-database', inputs: { ...inputs, port: plant('port') } },
  });
  await call('DELETE', `/api/v1/dynamic-secrets/leases/${lease.id}`, here);
  const inProject = { projectId: project.id };
  const ca = await call('POST', '/api/v1/cert-manager/ca/internal', {
    ...inProject,
    name: 'root',
    configuration: { type: 'root', commonName: 'Root', keyAlgorithm: 'EC_prime256v1' },
  });
  const issued = await call('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, { commonName: 'a', ttl: '1d' });
  const { d } = createPrivateKey(issued.privateKey).export({ format: 'jwk' });
  secrets.push(issued.privateKey.split('\n')[1], d!, Buffer.from(d!, 'base64url').toString('latin1'));
  const brought = generateKeyPairSync('ed25519').privateKey;
  const seed = brought.export({ format: 'jwk' }).d!;
  const privateKey = brought.export({ type: 'pkcs8', format: 'pem' }).toString();
  secrets.push(privateKey.split('\n')[1]!, seed, Buffer.from(seed, 'base64url').toString('latin1'));
  const sshCa = { ...inProject, friendlyName: 'users', privateKey };
  const { ca: users } = await call('POST', '/api/v1/ssh/ca', sshCa);
  await call('POST', '/api/v1/ssh/ca', { ...sshCa, publicKey: plant('key-of-nobody') });
  await call('POST', '/api/v1/ssh/ca', { ...sshCa, privateKey: plant('ssh-key-that-is-none') });
  const sshTemplate = await call('POST', '/api/v1/ssh/certificate-templates', {
    ...{ sshCaId: users.id, name: 'deploy', allowedUsers: ['deploy'], allowedHosts: [] },
    ...{ allowUserCertificates: true, allowHostCertificates: false, allowCustomKeyIds: false },
  });
  const credentials = { certificateTemplateId: sshTemplate.id, principals: ['deploy'] };
  const ssh = await call('POST', '/api/v1/ssh/certificates/issue', credentials);
  secrets.push(...ssh.privateKey.split('\n').slice(2, 5));
  const leaf = `/api/v1/cert-manager/certificates/${issued.certificateId}`;
  await call('GET', `${leaf}/bundle`);
  await raw('POST', `${leaf}/pkcs12`, { password: plant('bundle-password'), alias: 'a' });
  await raw('POST', `${leaf}/pkcs12`, { password: plant('password-of-a-wrong-bundle'), alias: 5 });
  const bring = { ...inProject, certificatePem: issued.certificate };
  await call('POST', '/api/v1/cert-manager/certificates/import-certificate', {
    ...bring,
    privateKeyPem: plant('key-that-is-none'),
  });
  const { certificatePolicy } = await call('POST', '/api/v1/cert-manager/certificate-policies', {
    ...inProject,
    name: 'all',
  });
  const profile = async (enrollmentType: string, more: object = {}) => {
    const all = { ...inProject, caId: ca.id, certificatePolicyId: certificatePolicy.id, enrollmentType, ...more };
    const answer = await call('POST', '/api/v1/cert-manager/certificate-profiles', { ...all, slug: enrollmentType });
    return answer.certificateProfile.id as string;
  };
  const passphrase = plant('passphrase');
  const est = await profile('est', { estConfig: { passphrase, disableBootstrapCaValidation: true } });
  for (const said of [passphrase, plant('wrong-passphrase')]) {
    const basic = Buffer.from(`x:${said}`).toString('base64');
    secrets.push(basic);
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/pkcs10' };
    const answer = await app.inject({
      method: 'POST',
      url: `/.well-known/est/${est}/simpleenroll`,
      headers,
      payload: 'x',
    });
    faults.push(answer.body);
  }
  const acme = await profile('acme');
  const bound = await call('GET', `/api/v1/cert-manager/certificate-profiles/${acme}/acme/eab-secret/reveal`);
  secrets.push(bound.eabSecret);
  const alert = {
    ...{ ...inProject, name: 'soon', eventType: 'expiration', alertBefore: '30d' },
    channels: [
      { channelType: 'webhook', config: { url: 'http://127.0.0.1:9/', signingSecret: plant('signing-secret') } },
      { channelType: 'slack', config: { webhookUrl: `http://127.0.0.1:9/${plant('address')}` } },
    ],
  };
  await call('POST', '/api/v1/cert-manager/alerts', alert);
  await call('POST', '/api/v1/cert-manager/alerts', { ...alert, name: 'a b' });
  const kmsKeys = '/api/v1/kms/keys';
  const material = plant('key-material').padEnd(32, 'x').slice(0, 32);
  secrets.push(material);
  const toImport = { algorithm: 'aes-256-gcm', keyMaterial: Buffer.from(material).toString('base64') };
  const imported = await call('POST', `${kmsKeys}/bulk-import`, {
    projectId: project.id,
    keys: [
      { name: 'imported', isExportable: true, ...toImport },
      { name: 'wrong', ...toImport, algorithm: 'ED25519' },
    ],
  });
  const kmsKey = `${kmsKeys}/${imported.keys[0].id}`;
  const plaintext = Buffer.from(plant('plaintext')).toString('base64');
  const { ciphertext } = await call('POST', `${kmsKey}/encrypt`, { plaintext });
  const opened = await call('POST', `${kmsKey}/decrypt`, { ciphertext });
  expect(opened.plaintext).toBe(plaintext);
  await call('POST', `${kmsKey}/decrypt`, { ciphertext: plaintext });
  await call('POST', `${kmsKey}/encrypt`, { plaintext: [plant('plaintext-of-a-wrong-type')] });
  const dataKey = await call('POST', `${kmsKey}/data-key`, {});
  const exported = await call('GET', `${kmsKey}/private-key`);
  secrets.push(plaintext, dataKey.plaintext, exported.privateKey);
  token = plant('token-that-is-none');
  await call('GET', '/api/v1/workspace');

  await owner.query('checkpoint');
  await owner.end();
  await app.close();
  await coffer.close();
  await postgres.stop();
  const onDisk = await bytesBelow(directory);
  await rm(directory, { recursive: true, force: true });

  // The search finds known text: names are in plaintext, as documented.
  expect(onDisk).toContain('Shop');
  expect(logged.length).toBeGreaterThan(10);
  expect(faults.length).toBeGreaterThan(5);
  for (const [place, text] of Object.entries({ onDisk, logs: logged.join(''), faults: faults.join('') })) {
    const found = secrets.filter(
      (secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')),
    );
    expect({ place, found }).toEqual({ place, found: [] });
  }
});
