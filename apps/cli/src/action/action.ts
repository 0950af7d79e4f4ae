import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { CofferClient } from '@coffer/client';
import { signedIdentityRequest } from '../commands/login/aws.ts';
import { failure, usage } from '../exit.ts';
import { fetch } from '../fetch.ts';
import { makeDirectory, writeWhole } from '../files.ts';
import { FORMATS } from '../format/formats.ts';
import { processIo, type Io } from '../io.ts';
import type { Environment } from '../parse.ts';
import { readSecrets, type Secret } from '../secrets.ts';
import { clientFor, headersIn } from '../client.ts';
import { settable } from '../variables.ts';
import { command, mask, put } from './workflow.ts';

/** The inputs of the step, which the runner sets as variables. */
type Input = (name: string) => string;

/** Gives the secrets of a folder to the further steps of a job. @throws CommandError, CofferError */
export async function runAction(env: Environment): Promise<void> {
  const input: Input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
  const say: Io['say'] = (level, message) =>
    void process.stdout.write(command(level === 'warn' ? 'warning' : 'debug', message));
  const io = { ...processIo({ level: 'info', format: 'console', destination: 'stdout', silent: false }), env, say };
  const domain = required(input, 'domain').replace(/(?:\/api)?\/?$/, '');
  const headers = headersIn(input('extra-headers'), 'extra-headers');
  const token = await logIn(input, io, clientFor(io, domain, { headers }));
  mask(token);
  const client = clientFor(io, domain, { headers, token });
  try {
    const secrets = await secretsOf(input, client, io);
    for (const { secretValue } of secrets) mask(secretValue);
    await write(secrets, input, io);
  } finally {
    await client.accessTokens.revoke.mutate({ accessToken: token }).catch(() => undefined);
  }
}

/** Logs in, and returns the token. */
async function logIn(input: Input, io: Io, client: CofferClient): Promise<string> {
  const method = input('method') || 'universal';
  const logins: Readonly<Record<string, () => Promise<{ accessToken: string }>>> = {
    universal: async () => {
      const clientSecret = required(input, 'client-secret');
      mask(clientSecret);
      return client.universalAuth.logIn.mutate({ clientId: required(input, 'client-id'), clientSecret });
    },
    oidc: async () => {
      const jwt = await ownToken(input('oidc-audience'), io.env);
      mask(jwt);
      return client.oidcAuth.logIn.mutate({ identityId: required(input, 'identity-id'), jwt });
    },
    'aws-iam': async () =>
      client.awsAuth.logIn.mutate({ identityId: required(input, 'identity-id'), ...(await signedIdentityRequest(io)) }),
  };
  const login = logins[method];
  if (!login) throw usage(`The method ${method} is none of ${Object.keys(logins).join(', ')}`);
  return (await login()).accessToken;
}

/**
 * The token by which GitHub says which workflow this is.
 * https://docs.github.com/actions/reference/security/oidc
 */
async function ownToken(audience: string, env: Environment): Promise<string> {
  const [url, token] = [env['ACTIONS_ID_TOKEN_REQUEST_URL'], env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']];
  if (!url || !token) throw failure('GitHub issues no token to this job: give it the permission id-token: write');
  const address = new URL(url);
  if (audience) address.searchParams.set('audience', audience);
  const headers = { authorization: `bearer ${token}` };
  const signal = AbortSignal.timeout(30_000);
  const answer = await fetch(address.href, { method: 'GET', headers, body: null, signal });
  const text = await answer.text();
  const { value } = answer.ok ? (JSON.parse(text) as { value?: string }) : {};
  if (!value) throw failure(`GitHub issued no token: it answered ${answer.status}`);
  return value;
}

/** The secrets of the folder, without those that the runner or a loader would act on. */
async function secretsOf(input: Input, client: CofferClient, io: Io): Promise<Secret[]> {
  const { id: projectId } = await client.projects.getBySlug.query({ slug: required(input, 'project-slug') });
  const place = { projectId, environment: required(input, 'env-slug'), secretPath: input('secret-path') || '/' };
  const flags = {
    expand: true,
    'include-imports': flag(input, 'include-imports', true),
    recursive: flag(input, 'recursive', false),
    'secret-overriding': false,
    tags: undefined,
  };
  const all = await readSecrets(client, [place], flags, io);
  const choice = {
    keepsLoaders: flag(input, 'loader-variables', false),
    toKeep: 'To set it all the same: loader-variables: true',
  };
  return settable(
    all.filter(({ secretKey }) => isAllowed(secretKey, io)),
    choice,
    io,
  );
}

/** Variables of the runner itself: a secret could lead the further steps to another server. */
const OF_RUNNER = /^(?:GITHUB|RUNNER|ACTIONS)_|^(?:CI|NODE_EXTRA_CA_CERTS)$/i;

function isAllowed(name: string, io: Pick<Io, 'say'>): boolean {
  const reason =
    (!/^[A-Za-z_][\w.-]*$/.test(name) && 'no variable can have this name') ||
    (OF_RUNNER.test(name) && 'programs need this variable as it is');
  if (reason) io.say('warn', `${name} is left out: ${reason}`);
  return !reason;
}

async function write(secrets: readonly Secret[], input: Input, io: Io): Promise<void> {
  const type = input('export-type') || 'env';
  if (type === 'file') return writeFile(secrets, input('file-output-path') || '/.env', io);
  const file = ({ env: 'GITHUB_ENV', output: 'GITHUB_OUTPUT' } as const)[type];
  if (!file) throw usage(`export-type is ${type}; it can be env, output, file`);
  for (const { secretKey, secretValue } of secrets) put(io.env, file, secretKey, secretValue);
  process.stdout.write(`${secrets.length} secrets are set\n`);
}

/** Writes a file in the workspace, and nowhere else: nothing is made where a link would lead out of it. */
async function writeFile(secrets: readonly Secret[], given: string, io: Io): Promise<void> {
  const workspace = realpathSync(io.env['GITHUB_WORKSPACE'] ?? io.cwd);
  const path = resolve(workspace, `.${sep}${given}`);
  if (!path.startsWith(workspace + sep) || !`${realpathSync(nearestAbove(path))}${sep}`.startsWith(workspace + sep))
    throw usage(`file-output-path is ${given}, which is not in the workspace`);
  makeDirectory(dirname(path));
  const form = /\.(json|ya?ml)$/i.exec(path)?.[1]?.toLowerCase().replace('yml', 'yaml') ?? 'dotenv';
  writeWhole(path, await FORMATS[form]!.render(secrets, io));
  process.stdout.write(`${secrets.length} secrets are in ${given}\n`);
}

/** The nearest directory above a path that is there. @throws CommandError for a link to nothing: what is made there would be elsewhere. */
function nearestAbove(path: string): string {
  let at = dirname(path);
  for (; !lstatSync(at, { throwIfNoEntry: false }); at = dirname(at));
  if (statSync(at, { throwIfNoEntry: false })?.isDirectory()) return at;
  throw usage(`${at} is no directory`);
}

function required(input: Input, name: string): string {
  const value = input(name);
  if (value) return value;
  throw usage(`The input ${name} is missing`);
}

/** YAML's ways to write a boolean (core schema, 10.3.2). */
function flag(input: Input, name: string, fallback: boolean): boolean {
  const value = input(name).toLowerCase();
  if (!value) return fallback;
  if (value === 'true' || value === 'false') return value === 'true';
  throw usage(`The input ${name} is ${value}; it can be true or false`);
}
