// @long: runs programs
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AUDIENCE, AwsAccount, IdentityProvider, StandIns } from '@coffer/domain/testing';
import { build } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { world, type World } from './harness/command-line.ts';

const PACKAGE = join(import.meta.dirname, '..');
const standIns = new StandIns();
const aws = new AwsAccount({ region: 'eu-west-2' });
/** By which steps have logged in and done their work. */
const methods = new Set<string>();
let at: World;
let provider: IdentityProvider;
let github: Server;
let action: string;
let job: string;
let machine: { identityId: string; clientId: string; clientSecret: string };
let slug: string;
/** What the service of GitHub that issues tokens was asked. */
const asked: { url: string | undefined; authorization: string | undefined }[] = [];

beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
  await standIns.serve('sts.eu-west-2.amazonaws.com', aws.listener('sts'));
  at = await world({ fetch: standIns.fetch });
  github = createServer((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    provider.token().then(
      (value) => response.end(JSON.stringify({ value })),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  mkdirSync(join(PACKAGE, 'dist'), { recursive: true });
  action = mkdtempSync(join(PACKAGE, 'dist/action-'));
  await build({ configFile: join(PACKAGE, 'vite.action.config.ts'), build: { outDir: action } });
  machine = await makeMachine();
  slug = (await at.test.admin('GET', `/api/v1/workspace/${at.projectId}`)).body.workspace.slug;
  const secrets = ['A=one two', 'PEM=first line\n}\nlast line', 'LD_PRELOAD=/evil.so', 'GITHUB_TOKEN=x', 'EMPTY='];
  await at.administrator().run(['secrets', 'set', ...secrets]);
});
afterAll(async () => {
  rmSync(action, { recursive: true, force: true });
  github.close();
  await at.close();
  await standIns.close();
});

/** A machine identity in the project that logs in by OIDC and by universal auth. */
async function makeMachine() {
  const { admin } = at.test;
  const { id } = await at.test.identity();
  await admin('POST', `/api/v2/workspace/${at.projectId}/identity-memberships/${id}`, {
    role: 'viewer',
  });
  await admin('POST', `/api/v1/auth/aws-auth/identities/${id}`, { allowedAccountIds: '123456789012' });
  await admin('POST', `/api/v1/auth/oidc-auth/identities/${id}`, {
    oidcDiscoveryUrl: provider.issuer,
    boundIssuer: provider.issuer,
    boundAudiences: AUDIENCE,
    boundSubject: 'deploy-*',
  });
  const attached = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
  const secret = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}/client-secrets`, {});
  const { clientId } = attached.body.identityUniversalAuth;
  return { identityId: id, clientId, clientSecret: secret.body.clientSecret };
}

beforeEach(() => {
  job = mkdtempSync(join(tmpdir(), 'coffer-action-'));
  mkdirSync(join(job, 'workspace'));
  return () => rmSync(job, { recursive: true, force: true });
});

const universal = () => ({ 'client-id': machine.clientId, 'client-secret': machine.clientSecret });

/** Runs a step as the runner does. */
async function step(inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const { main } = (parse(readFileSync(join(action, 'action.yml'), 'utf8')) as { runs: { main: string } }).runs;
  const all = { domain: at.url, 'project-slug': slug, 'env-slug': 'dev', ...inputs };
  const variables = Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const files = {
    GITHUB_ENV: join(job, 'env'),
    GITHUB_OUTPUT: join(job, 'output'),
    GITHUB_WORKSPACE: join(job, 'workspace'),
  };
  const child = spawn(process.execPath, [join(action, main)], {
    cwd: job,
    env: { PATH: process.env['PATH'], HOME: job, ...files, ...Object.fromEntries(variables), ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) methods.add(inputs['method'] ?? 'universal');
  return { code, stdout, stderr };
}

/** The values of a file of the runner, as it reads them: `NAME<<END`, lines, `END`. */
function valuesIn(name: 'env' | 'output'): Record<string, string> {
  const path = join(job, name);
  if (!existsSync(path)) return {};
  const found: Record<string, string> = {};
  const lines = readFileSync(path, 'utf8').split('\n');
  for (let line = lines.shift(); line; line = lines.shift()) {
    const [, key, end] = /^([^<]+)<<(.+)$/.exec(line)!;
    found[key!] = lines.splice(0, lines.indexOf(end!)).join('\n');
    lines.shift();
  }
  return found;
}

const VALUES = { A: 'one two', EMPTY: '', PEM: 'first line\n}\nlast line' };

describe('the GitHub Action', () => {
  it('is one file beside its declaration, which lists each input that it reads', () => {
    expect(readdirSync(action).toSorted()).toEqual(['action.yml', 'index.mjs']);
    const { inputs, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as {
      inputs: Record<string, { default?: string }>;
      runs: object;
    };
    expect(runs).toEqual({ using: 'node24', main: 'index.mjs' });
    const source = readFileSync(join(PACKAGE, 'src/action/action.ts'), 'utf8');
    const read = [...source.matchAll(/(?:input|required|flag)\((?:input, )?'([a-z-]+)'/g)].map(([, name]) => name);
    expect(new Set(Object.keys(inputs))).toEqual(new Set(read));
  });

  it('logs in by universal auth, and gives further steps the secrets, masked line by line', async () => {
    const { code, stdout, stderr } = await step(universal());
    expect([code, stderr]).toEqual([0, '']);
    expect(valuesIn('env')).toEqual(VALUES);
    const masked = [...stdout.matchAll(/^::add-mask::(.*)$/gm)].map(([, value]) => value);
    expect(masked).toEqual(expect.arrayContaining([machine.clientSecret, 'one two', 'first line', 'last line']));
    expect(masked).not.toContain('}');
    for (const value of ['one two', 'first line', machine.clientSecret])
      expect(stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(value);
  });

  it('logs in by the token that GitHub issues, for the audience that is asked for', async () => {
    asked.length = 0;
    const { port } = github.address() as AddressInfo;
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
    };
    const oidc = { method: 'oidc', 'identity-id': machine.identityId, 'oidc-audience': AUDIENCE };
    const { code, stdout } = await step(oidc, env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 secrets are set')]);
    expect(valuesIn('env')).toEqual(VALUES);
    expect(asked).toEqual([
      { url: `/token?api-version=2.0&audience=${encodeURIComponent(AUDIENCE)}`, authorization: 'bearer of the job' },
    ]);
    const without = await step(oidc);
    expect([without.code, without.stdout]).toEqual([
      1,
      expect.stringContaining('::error::GitHub issues no token to this job'),
    ]);
  });

  it('logs in by the AWS credentials of its environment, which only the token service of AWS verifies', async () => {
    const keys = aws.keysOf('arn:aws:sts::123456789012:assumed-role/deploy/job');
    const env = (secret: string) => ({
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_REGION: 'eu-west-2',
      ...(keys.sessionToken && { AWS_SESSION_TOKEN: keys.sessionToken }),
    });
    const input = { method: 'aws-iam', 'identity-id': machine.identityId };
    const { code, stdout } = await step(input, env(keys.secretAccessKey));
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 secrets are set')]);
    expect(valuesIn('env')).toEqual(VALUES);
    expect(standIns.called.at(-1)).toBe('https://sts.eu-west-2.amazonaws.com/');
    const refused = await step(input, env('guessed'));
    expect([refused.code, refused.stdout]).toEqual([1, expect.not.stringContaining('guessed')]);
    expect(await step(input)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('There are no AWS credentials'),
    });
  });

  it('has run by each method that its declaration names', () => {
    const { inputs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as {
      inputs: { method: { description: string } };
    };
    const [, names = ''] = /: (.*)$/.exec(inputs.method.description) ?? [];
    expect(names.split(/, | or /).toSorted()).toEqual([...methods].toSorted());
  });

  it('revokes its token at the end', async () => {
    const { stdout } = await step(universal());
    const token = [...stdout.matchAll(/^::add-mask::(cfi_.*)$/gm)].at(-1)![1]!;
    expect(
      (await at.test.as(token)('GET', `/api/v3/secrets/raw?workspaceId=${at.projectId}&environment=dev`)).status,
    ).toBe(401);
  });

  it('sets no variables by which programs load code or that are the runner’s, unless the former are wanted', async () => {
    const { stdout } = await step(universal());
    for (const name of ['LD_PRELOAD', 'GITHUB_TOKEN']) expect(stdout).toContain(`::warning::${name} is left out`);
    await step({ ...universal(), 'loader-variables': 'true' });
    expect(valuesIn('env')).toEqual({ ...VALUES, LD_PRELOAD: '/evil.so' });
  });

  it('sets outputs, or writes a file in the workspace', async () => {
    await step({ ...universal(), 'export-type': 'output' });
    expect([valuesIn('output'), valuesIn('env')]).toEqual([VALUES, {}]);
    expect((await step({ ...universal(), 'export-type': 'file', 'file-output-path': '/config/app.json' })).code).toBe(
      0,
    );
    const file = join(job, 'workspace/config/app.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((JSON.parse(readFileSync(file, 'utf8')) as { key: string }[]).map(({ key }) => key)).toEqual([
      'A',
      'EMPTY',
      'PEM',
    ]);
    expect((await step({ ...universal(), 'export-type': 'file' })).code).toBe(0);
    expect(readFileSync(join(job, 'workspace/.env'), 'utf8')).toContain(`A='one two'\n`);
  });

  it('writes no file outside of the workspace, also not through a link', async () => {
    symlinkSync(job, join(job, 'workspace/link'));
    symlinkSync(join(job, 'nothing'), join(job, 'workspace/dangling'));
    for (const path of ['../.env', 'link/.env', 'link/new/deep/.env', '/../../etc/x']) {
      const { code, stdout } = await step({ ...universal(), 'export-type': 'file', 'file-output-path': path });
      expect([path, code, stdout]).toEqual([path, 1, expect.stringContaining('not in the workspace')]);
    }
    const dangling = { ...universal(), 'export-type': 'file', 'file-output-path': 'dangling/.env' };
    expect((await step(dangling)).code).toBe(1);
    // Not even a directory is made.
    expect(readdirSync(job).toSorted()).toEqual(['workspace']);
  });

  it('fails with a message for the log, which has no secret', async () => {
    const wrong = await step({ ...universal(), 'client-secret': 'not this one' });
    expect([wrong.code, wrong.stdout.match(/^::error::/gm)?.length]).toEqual([1, 1]);
    expect(wrong.stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain('not this one');
    expect(await step({ ...universal(), 'env-slug': '' })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('env-slug is missing'),
    });
    expect(await step({ ...universal(), recursive: 'maybe' })).toMatchObject({ code: 1 });
    expect(await step({ ...universal(), 'project-slug': 'of-nobody' })).toMatchObject({ code: 1 });
    expect(await step({ ...universal(), method: 'magic' })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('none of universal, oidc'),
    });
  });
});
