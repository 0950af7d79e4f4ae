// @long: runs programs
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import { auditSigningKey, openCoffer, parseRootKey, startSealer } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment, NODE_FLAGS } from './harness/child-environment.ts';
import { testServer, type TestServer } from './harness/test-server.ts';

const CLI = join(import.meta.dirname, '../../cli/bin/coffer.mjs');
const PATIENCE = 300_000;

let home: string;
let test: TestServer;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coffer-cli-'));
  test = await testServer();
});
afterAll(async () => {
  await test.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a command the way an operator does. */
async function coffer(args: readonly string[], environment: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, [...NODE_FLAGS, CLI, 'server', ...args], {
    cwd: home,
    env: { ...childEnvironment(), ...environment },
  });
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((done) => child.on('close', done)),
  ]);
  return { output, errors, code };
}

const onDatabase = () => ({ DATABASE_URL: test.databaseUrl, COFFER_ROOT_KEY: test.rootKey });

describe('coffer keys', () => {
  it('shows the fingerprint of the root key', async () => {
    const { output, code } = await coffer(['keys', 'fingerprint'], { COFFER_ROOT_KEY: test.rootKey });
    expect({ output, code }).toEqual({ output: `${parseRootKey(test.rootKey).fingerprint}\n`, code: 0 });
  });

  it(
    'creates nothing without a server',
    async () => {
      const directory = join(home, 'nothing');
      for (const command of [['fingerprint'], ['rotate'], ['rotate-root']]) {
        const { code, errors } = await coffer(['keys', ...command], { COFFER_DATA_DIR: directory });
        expect(code).toBe(78);
        expect(errors).toBe(
          `coffer: the root key ${join(directory, 'root.key')} does not exist: correct COFFER_DATA_DIR or COFFER_ROOT_KEY_FILE\n`,
        );
      }
      await expect(stat(directory)).rejects.toThrow('ENOENT');
    },
    PATIENCE,
  );

  it(
    'rotates the keys of organizations while a server runs',
    async () => {
      const project = await test.project();
      const at = { projectId: project.id, environment: 'dev' };
      await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'kept' });
      const { output, errors, code } = await coffer(
        ['keys', 'rotate', '--organization', test.organizationId],
        onDatabase(),
      );
      expect({ errors, code }).toEqual({ errors: '', code: 0 });
      expect(output).toMatch(
        new RegExp(`^${test.organizationId}: [1-9]\\d* values re-encrypted, [1-9]\\d* keys retired\n$`),
      );
      const { body } = await test.admin('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev`);
      expect(body.secret.secretValue).toBe('kept');
      expect(
        await coffer(['keys', 'rotate'], { ...onDatabase(), COFFER_ROOT_KEY: Buffer.alloc(32, 1).toString('base64') }),
      ).toMatchObject({
        code: 78,
        errors: expect.stringContaining('belongs to the root key with fingerprint') as string,
      });
    },
    PATIENCE,
  );

  it(
    'rewraps everything with a new root key, which it generates',
    async () => {
      const file = join(home, 'new.key');
      expect(await coffer(['keys', 'rotate-root'], onDatabase())).toMatchObject({
        code: 78,
        errors: expect.stringContaining('--new-key-file') as string,
      });
      const first = await coffer(['keys', 'rotate-root', '--new-key-file', file], onDatabase());
      expect(first.code).toBe(0);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const key = parseRootKey(await readFile(file, 'utf8'));
      expect(first.output).toContain(`keys are wrapped with the root key of fingerprint ${key.fingerprint}`);
      // Interrupted and run again: it is done already.
      expect((await coffer(['keys', 'rotate-root', '--new-key-file', file], onDatabase())).code).toBe(0);
      const reopened = await openCoffer({
        databaseUrl: test.databaseUrl,
        rootKey: key,
        fetch: () => Promise.reject(new Error('none')),
      });
      await reopened.close();
    },
    PATIENCE,
  );
});

describe('coffer audit verify', () => {
  it(
    'distinguishes an intact export from a changed one',
    async () => {
      // The root key of this database was changed above.
      const exported = await testServer();
      await exported.admin('POST', '/api/v1/projects', { projectName: 'My project' });
      const { pool, log } = exported.coffer;
      const signingKey = await auditSigningKey(pool, parseRootKey(exported.rootKey));
      const sealer = startSealer({ pool, log, signingKey, now: () => new Date() });
      const download = async () =>
        (await exported.admin('GET', '/api/v1/organization/audit-logs/export')).body as string;
      // An event is sealed after every earlier transaction of the database server has ended.
      await expect.poll(async () => (await sealer.sealNow(), download()), { timeout: 40_000 }).toContain('project');
      const body = await download();
      await sealer.stop();
      await exported.close();
      const file = join(home, 'audit.jsonl');
      await writeFile(file, body);

      const valid = await coffer(['audit', 'verify', file]);
      expect(valid).toMatchObject({ code: 0, errors: '' });
      expect(valid.output).toMatch(/^Valid: [1-9]\d* events in [1-9]\d* blocks of organization /);
      expect(valid.output).toContain('--public-key');
      const [, sequence, hash] = /Blocks \d+ to (\d+); the last one's hash is ([0-9a-f]{64})/.exec(valid.output) ?? [];
      expect(await coffer(['audit', 'verify', '-', '--checkpoint', `${sequence}:${hash}`], {}, body)).toMatchObject({
        code: 0,
      });
      expect(await coffer(['audit', 'verify', file, '--checkpoint', `${sequence}:${'0'.repeat(64)}`])).toMatchObject({
        code: 1,
      });

      const compressed = join(home, 'audit.jsonl.zst');
      await writeFile(compressed, zstdCompressSync(body));
      expect(await coffer(['audit', 'verify', compressed])).toEqual(valid);
      const changed = await coffer(['audit', 'verify', '-'], {}, body.replace('project', 'produce'));
      expect(changed).toMatchObject({ code: 1, output: expect.stringMatching(/^NOT VALID: line \d+: /) as string });
      const report = await coffer(['audit', 'verify', '-', '--json'], {}, 'nonsense');
      expect(report.code).toBe(1);
      expect(JSON.parse(report.output)).toMatchObject({ valid: false });
      expect(await coffer(['audit', 'verify', join(home, 'nowhere')])).toMatchObject({
        code: 78,
        errors: expect.stringContaining('cannot be read') as string,
      });
    },
    PATIENCE,
  );
});

describe('coffer users reset-password', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await testServer();
  });
  afterAll(() => own.close());
  const resetPassword = (email: string) =>
    coffer(['users', 'reset-password', email], {
      DATABASE_URL: own.databaseUrl,
      COFFER_ROOT_KEY: own.rootKey,
      COFFER_SITE_URL: 'https://coffer.example.com',
    });

  it(
    'prints a link that works once, in place of any earlier one, and is on the audit log',
    async () => {
      const { id, email } = await makeUser(own.coffer, { password: 'forgotten', organizationId: own.organizationId });
      const [first, second] = [await resetPassword(email), await resetPassword(email.toUpperCase())];
      const links = [first, second].map(({ output, errors, code }) => {
        expect({ errors, code }).toEqual({ errors: '', code: 0 });
        return new URL(/https:\S+/.exec(output)![0]);
      });
      expect(links[1]!.href).toMatch(/^https:\/\/coffer\.example\.com\/password-reset\?token=cfp_/);
      const verify = (link: URL) =>
        own.as()('POST', '/api/v1/password/email/password-reset-verify', {
          email: link.searchParams.get('to'),
          code: link.searchParams.get('token'),
        });
      expect((await verify(links[0]!)).status).toBe(401);
      const { token } = (await verify(links[1]!)).body;
      expect((await verify(links[1]!)).status).toBe(401);
      const newPassword = 'remembered now';
      expect((await own.as(token)('POST', '/api/v2/password/password-reset', { newPassword })).status).toBe(200);
      expect((await own.as()('POST', '/api/v3/auth/login', { email, password: newPassword })).status).toBe(200);
      const { rows } = await own.coffer.pool.query(
        `select actor_type, organization_id from audit_events where type = 'user.password_reset_issued' and data->>'userId' = $1`,
        [id],
      );
      const issued = { actor_type: 'platform', organization_id: own.organizationId };
      expect(rows).toEqual([issued, issued]);
    },
    PATIENCE,
  );

  it(
    'reports an address without an account',
    async () => {
      for (const email of ['nobody@example.com', 'nonsense']) {
        expect(await resetPassword(email)).toEqual({
          output: '',
          errors: 'coffer: no account has this e-mail address\n',
          code: 1,
        });
      }
    },
    PATIENCE,
  );
});
