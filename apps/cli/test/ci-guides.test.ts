// @long: runs programs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityProvider, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { world, type World } from './harness/command-line.ts';
import { guide, job, type Job } from './harness/recipe.ts';

const standIns = new StandIns();
let provider: IdentityProvider;
let at: World;
let checkout: Job;
let machine: { identityId: string; clientId: string; clientSecret: string };
beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
  at = await world({ fetch: standIns.fetch });
  machine = await makeMachine();
  const secrets = ['PASSWORD=one two', `NPM_TOKEN=it's "mine"`];
  await at.administrator().run(['secrets', 'set', '--env', 'prod', ...secrets]);
});
afterAll(async () => {
  await at.close();
  await standIns.close();
});
beforeEach(async () => {
  checkout = await job();
  checkout.write('deploy.sh', `#!/bin/sh\necho "deployed with $PASSWORD"; env | sed 's/=.*//' > names\n`, 0o755);
  return () => checkout.remove();
});

/** As the guides have it: with the token of the CI for the subject of the stand-in, and with universal auth. */
async function makeMachine() {
  const { admin } = at.test;
  const { id } = await at.test.identity();
  await admin('POST', `/api/v2/workspace/${at.projectId}/identity-memberships/${id}`, { role: 'viewer' });
  await admin('POST', `/api/v1/auth/oidc-auth/identities/${id}`, {
    oidcDiscoveryUrl: provider.issuer,
    boundIssuer: provider.issuer,
    boundAudiences: 'https://coffer.example.com',
    boundSubject: 'deploy-*',
  });
  const attached = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
  const secret = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}/client-secrets`, {});
  const { clientId } = attached.body.identityUniversalAuth;
  return { identityId: id, clientId, clientSecret: secret.body.clientSecret as string };
}

/** What readers put in the place of the examples. */
const filledIn = (recipe: string): string =>
  recipe
    .replaceAll('https://coffer.example.com', at.url)
    .replaceAll('7c1b4f0e-…', machine.identityId)
    .replaceAll('0d2c…', at.projectId);

const DEPLOYED = 'deployed with one two\n';
/** Names of variables in the environment of the program. */
const namesIn = (): string[] => checkout.read('names').trim().split('\n');

describe('the recipes of the CI guides', () => {
  it('of GitLab: by the token of the job, and by variables of the project', async () => {
    const { deploy } = parse(filledIn(guide('gitlab').blocks('yaml')[0]!)) as {
      deploy: { id_tokens: Record<string, { aud: string }>; variables: Record<string, string>; script: string[] };
    };
    const [name] = Object.keys(deploy.id_tokens);
    const token = await provider.token();
    const done = await checkout.run(deploy.script.join('\n'), { ...deploy.variables, [name!]: token });
    expect(done).toEqual({ code: 0, stdout: DEPLOYED, stderr: '' });
    expect(namesIn()).not.toContain('COFFER_TOKEN');
    const refused = await checkout.run(deploy.script.join('\n'), { ...deploy.variables, [name!]: `${token}x` });
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    const { COFFER_DOMAIN, COFFER_PROJECT_ID } = deploy.variables;
    const [clientId = '', clientSecret = ''] = guide('gitlab').whole.match(/COFFER_UNIVERSAL_AUTH_\w+/g) ?? [];
    const variables = {
      COFFER_DOMAIN,
      COFFER_PROJECT_ID,
      [clientId]: machine.clientId,
      [clientSecret]: machine.clientSecret,
    };
    expect(await checkout.run(deploy.script.at(-1)!, variables as Record<string, string>)).toMatchObject({
      code: 0,
      stdout: DEPLOYED,
    });
    expect(namesIn()).not.toContain(clientSecret);
  });

  it('of CircleCI: by the token of the job; later steps get the secrets by BASH_ENV', async () => {
    const { whole, blocks } = guide('circleci');
    const { jobs } = parse(filledIn(blocks('yaml')[0]!)) as {
      jobs: { deploy: { environment: Record<string, string>; steps: (string | { run: string })[] } };
    };
    const { environment, steps } = jobs.deploy;
    const env = { ...environment, CIRCLE_OIDC_TOKEN_V2: await provider.token(), BASH_ENV: checkout.at('bash-env') };
    checkout.write('bash-env', '');
    const runs = steps.flatMap((step) => (typeof step === 'string' ? [] : [step.run]));
    for (const run of runs) expect(await checkout.run(run, env)).toEqual({ code: 0, stdout: DEPLOYED, stderr: '' });
    const [, exported] = /`(npx coffer export .*?)`/.exec(whole)!;
    const logIn = runs
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('export '));
    expect(await checkout.run([...logIn, exported].join('\n'), env)).toMatchObject({ code: 0, stderr: '' });
    expect((await checkout.run('echo "$PASSWORD, $NPM_TOKEN"', env)).stdout).toBe(`one two, it's "mine"\n`);
  });

  it('of Jenkins: by credentials that the program does not inherit', async () => {
    const [recipe] = guide('jenkins').blocks('groovy').map(filledIn);
    const environment = Object.fromEntries(
      Array.from(recipe!.matchAll(/^ +(\w+) = '(.*)'$/gm), ([, name, value]) => [name!, value!]),
    );
    const variable = (of: string) => new RegExp(`${of}Variable: '(\\w+)'`).exec(recipe!)![1]!;
    const credentials = { [variable('username')]: machine.clientId, [variable('password')]: machine.clientSecret };
    const [, line] = /sh '(.*)'/.exec(recipe!)!;
    const done = await checkout.run(line!, { ...environment, ...credentials });
    expect(done).toEqual({ code: 0, stdout: DEPLOYED, stderr: '' });
    expect(namesIn()).not.toContain(variable('password'));
  });

  it('of GitHub: the search of what a pull request adds', async () => {
    const yaml = guide('github')
      .blocks('yaml')
      .find((block) => block.includes('coffer scan'))!;
    const steps = parse(yaml) as { run?: string }[];
    const scan = steps.find(({ run }) => run)!.run!.replaceAll('${{ github.base_ref }}', 'main');
    const token = `ghp_${createHash('sha256').update('of nobody').digest('hex').slice(0, 36)}`;
    const git = (...args: string[]) =>
      spawnSync('git', ['-C', checkout.at(), '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args]);
    git('init', '--quiet', '--initial-branch=main');
    const commit = (name: string, content: string) => {
      checkout.write(name, content);
      git('add', name);
      expect(git('commit', '--quiet', '--message', name).status).toBe(0);
    };
    commit('before', `${token}\n`);
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    commit('fine', 'nothing\n');
    expect((await checkout.run(scan)).code).toBe(0);
    commit('leak', `x ${token.toUpperCase().replace('GHP_', 'ghp_')}\n`);
    expect((await checkout.run(scan)).code).toBe(1);
    const { runs } = JSON.parse(checkout.read('leaks.sarif')) as { runs: [{ results: object[] }] };
    expect(runs[0].results).toHaveLength(1);
  });

  it('of GitHub: the Action has the inputs that the step gives it', () => {
    const [yaml] = guide('github').blocks('yaml');
    const { steps } = parse(yaml!) as { steps: { with?: object }[] };
    const declared = parse(readFileSync(join(import.meta.dirname, '../action/action.yml'), 'utf8')) as {
      inputs: Record<string, { required?: boolean }>;
    };
    const given = Object.keys(steps[0]!.with!);
    expect(Object.keys(declared.inputs)).toEqual(expect.arrayContaining(given));
    const required = Object.keys(declared.inputs).filter((name) => declared.inputs[name]!.required);
    expect(given).toEqual(expect.arrayContaining(required));
  });
});

/**
 * Stands in for `docker`: gives a build the secrets of its command line in the way of `RUN --mount=type=secret`, as a file or a variable, and runs
 * the command of the Dockerfile; gives a container the variables of `--env-file`.
 * https://docs.docker.com/build/building/secrets/
 */
const DOCKER = `
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [command, flag, given] = process.argv.slice(2);
const env = { PATH: process.env.PATH, HOME: process.env.HOME };
if (command === 'run') {
  if (flag !== '--env-file') throw new Error(flag);
  for (const line of readFileSync(given, 'utf8').split('\\n').filter(Boolean)) env[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
  execFileSync('sh', ['-c', 'echo "$PASSWORD, $NPM_TOKEN"'], { env, stdio: 'inherit' });
} else {
  if (command !== 'build' || flag !== '--secret') throw new Error(command);
  const secret = Object.fromEntries(given.split(',').map((part) => part.split('=')));
  const value = secret.src ? readFileSync(secret.src, 'utf8') : process.env[secret.env];
  const run = readFileSync('Dockerfile', 'utf8').replaceAll('\\\\\\n', ' ');
  const [, mount, line] = /^RUN --mount=(\\S+) +(.*)$/m.exec(run);
  const wanted = Object.fromEntries(mount.split(',').map((part) => part.split('=')));
  if (wanted.type !== 'secret' || wanted.id !== secret.id || value === undefined) throw new Error(mount);
  if (wanted.env) env[wanted.env] = value;
  mkdirSync('run-secrets', { recursive: true });
  if (!wanted.env) writeFileSync('run-secrets/' + secret.id, value);
  execFileSync('sh', ['-ec', line.replaceAll('/run/secrets/', 'run-secrets/')], { env, stdio: 'inherit' });
}
`;

describe('the recipes for Docker', () => {
  it('give a build the secrets as a file, as a variable, or a token with which it reads them itself', async () => {
    const { whole, blocks } = guide('docker');
    checkout.write('docker.mjs', DOCKER);
    checkout.write('stand-ins/docker', `#!/bin/sh\nexec '${process.execPath}' docker.mjs "$@"\n`, 0o755);
    checkout.write('stand-ins/npm', '#!/bin/sh\necho "npm $*: $NPM_TOKEN"\n', 0o755);
    checkout.write(
      'build.mjs',
      `import { readFileSync } from 'node:fs';
      const [name, path] = process.argv.slice(2);
      console.log(name, JSON.parse(readFileSync(path, 'utf8')).map(({ key }) => key).join());`,
    );
    const login = {
      COFFER_DOMAIN: at.url,
      COFFER_PROJECT_ID: at.projectId,
      COFFER_AUTH_METHOD: 'universal-auth',
      COFFER_UNIVERSAL_AUTH_CLIENT_ID: machine.clientId,
      COFFER_UNIVERSAL_AUTH_CLIENT_SECRET: machine.clientSecret,
    };
    const [shells, files] = [blocks('sh'), blocks('dockerfile')];
    expect(shells).toHaveLength(files.length);
    const printed: string[] = [];
    for (const [index, file] of files.entries()) {
      checkout.write('Dockerfile', filledIn(file));
      const done = await checkout.run(filledIn(shells[index]!), login);
      expect([done.code, done.stderr]).toEqual([0, expect.not.stringMatching(/error|warn/)]);
      printed.push(done.stdout);
    }
    expect(printed).toEqual([
      '--secrets NPM_TOKEN,PASSWORD\n',
      `npm ci: it's "mine"\n`,
      `npm run build: it's "mine"\n`,
    ]);
    expect(existsSync(checkout.at('secrets.json'))).toBe(false);
    const inline = Array.from(whole.matchAll(/`((?:coffer export|docker run) [^`]*)`/g), ([, line]) =>
      line!.replace('\n', ' '),
    );
    expect(inline).toHaveLength(2);
    const run = await checkout.run(filledIn(inline.join('\n')), { ...login, COFFER_ENVIRONMENT: 'prod' });
    expect(run).toMatchObject({ code: 0, stdout: `one two, it's "mine"\n` });
  });
});
