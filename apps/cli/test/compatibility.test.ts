// @long: runs programs
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeUser, sampleOf } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';
import { world, type CommandLine, type World } from './harness/command-line.ts';

/**
 * A command line as existing users type it, what the published command line prints to standard output, and its exit code if that is not 0.
 * `$VALUES` and other words with `$` are variables of the shell; see `env` below.
 */
type Case = readonly [line: string, stdout: string | RegExp, code?: number];
/** Where this one does something else: a heading of docs/cli-compatibility.md, and what it does. */
type Difference = readonly [heading: string, line: string, stdout: string | RegExp, code?: number];

const password = 'correct horse battery';
/** Found by a rule; of nobody. */
const leak = `ghp_${createHash('sha256').update('compatibility').digest('hex').slice(0, 36)}`;
/** The field of a list in JSON, by lines. */
const json = (field: string) =>
  `node -pe 'JSON.parse(require("fs").readFileSync(0)).map((one) => one.${field}).join()'`;

const DOTENV = `API_KEY='s3cr3t'\nDOMAIN='example.com'\nPORT='8080'\nURL='https://example.com:8080'\n`;
const PLAIN = `API_KEY=s3cr3t\nDOMAIN=example.com\nPORT=8080\nURL=https://example.com:8080\n`;
const table = (...rows: readonly (readonly [string, string, string])[]) =>
  new RegExp(
    rows.map((row) => `│ ${row.map((cell) => `${cell.replaceAll('*', String.raw`\*`)} *`).join('│ ')}│\n`).join('[^]*'),
  );

const SAME: Readonly<Record<string, readonly Case[]>> = {
  export: [
    ['infisical export', DOTENV],
    ['infisical export > .env; cat .env', DOTENV],
    ['infisical export --format=dotenv', DOTENV],
    ['infisical export --format dotenv', DOTENV],
    ['infisical export -f dotenv', DOTENV],
    ['infisical export --format=dotenv-export > .env; cat .env', DOTENV.replaceAll(/^(?=.)/gm, 'export ')],
    ['infisical export --format=csv > secrets.csv; cat secrets.csv', `Key,Value\n${PLAIN.replaceAll('=', ',')}`],
    [`infisical export --format=json | ${json('key')}`, 'API_KEY,DOMAIN,PORT,URL\n'],
    [`infisical export --format=json | ${json('value')}`, 's3cr3t,example.com,8080,https://example.com:8080\n'],
    [`infisical export --format=json | ${json('type')}`, 'shared,shared,shared,shared\n'],
    [
      'infisical export --format=yaml > secrets.yaml; cat secrets.yaml',
      'API_KEY: s3cr3t\nDOMAIN: example.com\nPORT: "8080"\nURL: https://example.com:8080\n',
    ],
    ['infisical export --env=prod', `DOMAIN='shop.example.com'\n`],
    ['infisical export --env prod --format=dotenv', `DOMAIN='shop.example.com'\n`],
    ['infisical export -e prod', `DOMAIN='shop.example.com'\n`],
    ['infisical export --expand=false | grep URL', `URL='https://\${DOMAIN}:\${PORT}'\n`],
    ['infisical export --expand=true | grep URL', `URL='https://example.com:8080'\n`],
    ['infisical export --path=/common/backend', `LEVEL='debug'\n`],
    ['infisical export --path="/common/backend" --env=dev', `LEVEL='debug'\n`],
    ['infisical export --tags=backend', `API_KEY='s3cr3t'\n`],
    ['infisical export -t backend', `API_KEY='s3cr3t'\n`],
    ['cd /; infisical export --projectId=$PROJECT --env=prod', `DOMAIN='shop.example.com'\n`],
    ['cd /; infisical export --projectId $PROJECT --env prod', `DOMAIN='shop.example.com'\n`],
    [
      'TOKEN=$INFISICAL_TOKEN; unset INFISICAL_TOKEN; infisical export --token=$TOKEN --env=prod',
      `DOMAIN='shop.example.com'\n`,
    ],
    ['infisical export --include-imports=false --env=staging', ''],
    ['infisical export --env=staging', `DOMAIN='shop.example.com'\n`],
    ['infisical export --secret-overriding=false', DOTENV],
    ['infisical export --output-file=out.env; cat out.env', DOTENV],
    ['infisical export -o out2.env; cat out2.env', DOTENV],
    ['mkdir -p out; infisical export --format=json --output-file=out/; ls out', 'secrets.json\n'],
    ['mkdir -p out3; infisical export --format=csv -o out3; ls out3', 'secrets.csv\n'],
    ['eval "$(infisical export --format=dotenv-export)"; echo $DOMAIN:$PORT', 'example.com:8080\n'],
    ['infisical export > .env; set -a; . ./.env; printenv URL', 'https://example.com:8080\n'],
    ['infisical export --silent --env=prod', `DOMAIN='shop.example.com'\n`],
    ['infisical export --log-level=debug --env=prod', `DOMAIN='shop.example.com'\n`],
    ['infisical export -l error --telemetry=false --env=prod', `DOMAIN='shop.example.com'\n`],
    ['infisical export --domain=$INFISICAL_DOMAIN/api --env=prod', `DOMAIN='shop.example.com'\n`],
    [
      'INFISICAL_API_URL=$INFISICAL_DOMAIN/api; unset INFISICAL_DOMAIN; export INFISICAL_API_URL; infisical export --env=prod',
      `DOMAIN='shop.example.com'\n`,
    ],
  ],
  run: [
    ['infisical run -- printenv DOMAIN', 'example.com\n'],
    ['infisical run --env=prod -- printenv DOMAIN', 'shop.example.com\n'],
    ['infisical run -e prod -- printenv DOMAIN', 'shop.example.com\n'],
    ['infisical run --env=dev --path=/common/backend -- printenv LEVEL', 'debug\n'],
    ["infisical run --path=/ --path=/common/backend -- sh -c 'echo $PORT $LEVEL'", '8080 debug\n'],
    ['infisical run --recursive -- printenv LEVEL', 'debug\n'],
    ['infisical run --command="printenv DOMAIN && printenv PORT; echo more"', 'example.com\n8080\nmore\n'],
    ['infisical run --command "echo first && echo second"', 'first\nsecond\n'],
    [`infisical run -c 'echo $PORT'`, '8080\n'],
    [`infisical run --tags=backend,other -- sh -c 'echo $API_KEY:$DOMAIN'`, 's3cr3t:\n'],
    ['infisical run --expand=false -- printenv URL', '${DOMAIN}:${PORT}\n'.replace(/^/, 'https://')],
    ['infisical run --token="$INFISICAL_TOKEN" -- printenv PORT', '8080\n'],
    ['cd /; infisical run --projectId=$PROJECT -- printenv PORT', '8080\n'],
    ['cd /; infisical run --project-config-dir=$HOME -- printenv PORT', '8080\n'],
    ['infisical run --include-imports=true --env=staging -- printenv DOMAIN', 'shop.example.com\n'],
    ['infisical run --secret-overriding=true -- printenv PORT', '8080\n'],
    ['infisical run -- sh -c \'test -n "$PATH" && test -n "$HOME" && echo kept\'', 'kept\n'],
    ['infisical run -- echo --env=x -v', '--env=x -v\n'],
    ['infisical run -- true', ''],
    ['infisical run -- false', '', 1],
  ],
  'secrets (reading)': [
    ['infisical secrets', table(['SECRET NAME', 'SECRET VALUE', 'SECRET TYPE'], ['DOMAIN', 'example.com', 'shared'])],
    ['infisical secrets --plain', PLAIN],
    ['infisical secrets --env=prod --plain', 'DOMAIN=shop.example.com\n'],
    ['infisical secrets --path="/" --env=dev --plain', PLAIN],
    ['infisical secrets --path=/common/backend --plain', 'LEVEL=debug\n'],
    ['infisical secrets --projectId=$PROJECT --plain --tags=backend', 'API_KEY=s3cr3t\n'],
    ['infisical secrets --recursive --plain', PLAIN.replace('PORT', 'LEVEL=debug\nPORT')],
    ['infisical secrets --expand=false --plain | tail -1', 'URL=https://${DOMAIN}:${PORT}\n'],
    [`infisical secrets --output=json | ${json('secretKey')}`, 'API_KEY,DOMAIN,PORT,URL\n'],
    [`infisical secrets -o json | ${json('secretValue')}`, 's3cr3t,example.com,8080,https://example.com:8080\n'],
    [
      'infisical secrets get DOMAIN',
      table(['SECRET NAME', 'SECRET VALUE', 'SECRET TYPE'], ['DOMAIN', 'example.com', 'shared']),
    ],
    ['infisical secrets get DOMAIN PORT', table(['DOMAIN', 'example.com', 'shared'], ['PORT', '8080', 'shared'])],
    ['infisical secrets get DOMAIN --plain', 'example.com\n'],
    ['infisical secrets get PORT DOMAIN --plain', '8080\nexample.com\n'],
    ['API_KEY=$(infisical secrets get API_KEY --plain); echo "[$API_KEY]"', '[s3cr3t]\n'],
    ['infisical secrets get DOMAIN --plain --silent', 'example.com\n'],
    ['infisical secrets get DOMAIN --raw-value', 'example.com\n'],
    ['infisical secrets get DOMAIN --env=prod --plain', 'shop.example.com\n'],
    ['infisical secrets get LEVEL --path=/common/backend --plain', 'debug\n'],
    ['infisical secrets get LEVEL --recursive --plain', 'debug\n'],
    ['infisical secrets get URL --expand=false --plain', 'https://${DOMAIN}:${PORT}\n'],
    ['infisical secrets get DOMAIN --env=staging --include-imports --plain', 'shop.example.com\n'],
    [`infisical secrets get DOMAIN --output=json | ${json('secretValue')}`, 'example.com\n'],
  ],
  'secrets (writing)': [
    [
      `infisical secrets set STRIPE_API_KEY=sjdgwkeudyjwe HASH=jebhfbwe -o json | ${json('operation')}`,
      'SECRET CREATED,SECRET CREATED\n',
    ],
    [
      `infisical secrets set STRIPE_API_KEY=other HASH=jebhfbwe -o json | ${json('operation')}`,
      'SECRET VALUE MODIFIED,SECRET VALUE UNCHANGED\n',
    ],
    ['infisical secrets set NEW=1', table(['SECRET NAME', 'SECRET VALUE', 'STATUS'])],
    ['infisical secrets get STRIPE_API_KEY HASH NEW --plain', 'other\njebhfbwe\n1\n'],
    [
      'infisical secrets set MAIN=example.com --path="common/backend" > /dev/null; infisical secrets get MAIN --path=/common/backend --plain',
      'example.com\n',
    ],
    [
      'printf "one\\ntwo" > cert.pem; infisical secrets set CERT=@cert.pem > /dev/null; infisical secrets get CERT --plain',
      'one\ntwo\n',
    ],
    ['infisical secrets set HANDLE="\\@coffer" > /dev/null; infisical secrets get HANDLE --plain', '@coffer\n'],
    [
      'printf "F1=a\\n# comment\\nF2=b\\n" > some.env; infisical secrets set --file=./some.env > /dev/null; infisical secrets get F1 F2 --plain',
      'a\nb\n',
    ],
    [
      'printf "Y1: a\\nY2: b\\n" > some.yaml; infisical secrets set --file=some.yaml > /dev/null; infisical secrets get Y1 Y2 --plain',
      'a\nb\n',
    ],
    [
      'infisical secrets set TYPED=1 --type=shared --env=prod > /dev/null; infisical secrets get TYPED --env=prod --plain',
      '1\n',
    ],
    ['infisical secrets delete TYPED --env=prod --type=shared', ''],
    ['infisical secrets delete STRIPE_API_KEY NEW HASH CERT HANDLE F1 F2 Y1 Y2 --type=shared', ''],
    ['infisical secrets delete MAIN --path="/common/backend" --type=shared', ''],
    ['infisical secrets --plain', PLAIN],
  ],
  folders: [
    ['infisical secrets folders get', /FOLDER NAME[^]*common/],
    ['infisical secrets folders get --path=/common', /backend/],
    [`infisical secrets folders get -p /common -o json | ${json('folderName')}`, 'backend\n'],
    [`infisical secrets folders get --path=/common --output=json | ${json('folderPath')}`, '/common\n'],
    ['infisical secrets folders create --path=/common --name=new -o json | grep -c folderId', '1\n'],
    [`infisical secrets folders get --path=/common -o json | ${json('folderName')}`, 'backend,new\n'],
    ['infisical secrets folders delete --path=/common --name=new > /dev/null', ''],
    ['infisical secrets folders delete -p /common -n nothing 2> /dev/null', '', 1],
  ],
  logins: [
    [
      'infisical login --method=universal-auth --client-id=$CLIENT_ID --client-secret=$CLIENT_SECRET --silent --plain',
      /^\S+\n$/,
    ],
    [
      'export INFISICAL_TOKEN=$(infisical login --method=universal-auth --client-id=$CLIENT_ID --client-secret=$CLIENT_SECRET --silent --plain); infisical secrets get PORT --plain',
      '8080\n',
    ],
    [
      'export INFISICAL_UNIVERSAL_AUTH_CLIENT_ID=$CLIENT_ID INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET=$CLIENT_SECRET; infisical login --method=universal-auth --silent --plain',
      /^\S+\n$/,
    ],
    [
      'export INFISICAL_AUTH_METHOD=universal-auth INFISICAL_UNIVERSAL_AUTH_CLIENT_ID=$CLIENT_ID INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET=$CLIENT_SECRET; infisical login --plain --silent',
      /^\S+\n$/,
    ],
    [
      'infisical token renew $(infisical login --method=universal-auth --client-id=$CLIENT_ID --client-secret=$CLIENT_SECRET --silent --plain)',
      /^\S+\n$/,
    ],
    [
      'unset INFISICAL_TOKEN; infisical login --method=user --email=$EMAIL --password="$PASSWORD" --organization-id=$ORGANIZATION',
      '',
    ],
    ['infisical user get token --plain', /^\S+\n$/],
    ['infisical user update domain $INFISICAL_DOMAIN', ''],
    ['infisical vault set file', ''],
    ['infisical vault', /file/],
    [
      'unset INFISICAL_TOKEN; infisical service-token create --scope=dev:/** --access-level=read --token-only',
      /^\S+\n$/,
    ],
    [
      'unset INFISICAL_TOKEN; infisical service-token create --scope=dev:/** --scope=prod:/common -a read -a write --name=ci --expiry-seconds=3600',
      /Token/,
    ],
    [
      'export INFISICAL_TOKEN=$(unset INFISICAL_TOKEN; infisical service-token create -s "dev:/**" -a read --token-only); infisical export | head -1',
      `API_KEY='s3cr3t'\n`,
    ],
    ['infisical reset', ''],
  ],
  scan: [
    ['infisical scan --no-git --source=clean', ''],
    ['infisical scan --no-git --source=leaky', '', 1],
    ['infisical scan --no-git -s leaky --exit-code=0', ''],
    ['infisical scan --no-git -s leaky --exit-code 42', '', 42],
    ['infisical scan --no-git -s leaky --verbose | grep -c "^Secret: *ghp_"', '1\n'],
    ['infisical scan --no-git -s leaky -v --redact | grep "^Secret"', /^Secret: +REDACTED\n$/],
    ['cat leaky/a.txt | infisical scan --pipe', '', 1],
    ['cat clean/a.txt | infisical scan --pipe', ''],
    [`infisical scan --no-git -s leaky --report-path=leaks.json; ${json('Secret')} < leaks.json`, `${leak}\n`],
    ['infisical scan --no-git -s leaky --baseline-path=leaks.json', ''],
    [
      'infisical scan --no-git -s leaky -f csv -r leaks.csv; head -1 leaks.csv | cut -d, -f1-5',
      'RuleID,Commit,File,SymlinkFile,Secret\n',
    ],
    ['infisical scan --no-git -s leaky -f sarif -r leaks.sarif; grep -c \'"version": "2.1.0"\' leaks.sarif', '1\n'],
    ['infisical scan --no-git -s leaky --max-target-megabytes=1 --follow-symlinks', '', 1],
    ['infisical scan -s repository', '', 1],
    ['infisical scan --source=repository --log-opts="--all HEAD~1..HEAD"', ''],
    ['cd repository; infisical scan git-changes', ''],
    [
      'cd repository; echo $LEAK > c.txt; git add c.txt; infisical scan git-changes --staged --verbose | grep -c Fingerprint',
      '1\n',
    ],
    ['cd repository; infisical scan install --pre-commit-hook; test -x .git/hooks/pre-commit && echo there', 'there\n'],
  ],
  others: [
    ['infisical --version', /^\S+ version \d+\.\d+\.\d+\n$/],
    ['infisical --help', /Usage:/],
    ['infisical help', /Usage:/],
    ['infisical run --help', /Usage:/],
    ['infisical man', /\.TH/],
    ['infisical completion bash', /complete/],
    ['infisical dynamic-secrets --env=dev --path=/ -o json', /^\[\]\n$/],
  ],
};

const DIFFERENT: readonly Difference[] = [
  ['Exit codes', `infisical run -- sh -c 'exit 7'`, '', 7],
  ['Exit codes', 'infisical export --env=nowhere 2> /dev/null', '', 1],
  ['Exit codes', 'INFISICAL_TOKEN=false infisical export 2> /dev/null', '', 3],
  ['Exit codes', 'infisical export --domain=http://127.0.0.1:9 2> /dev/null', '', 5],
  ['Exit codes', 'infisical exprot 2> /dev/null', '', 2],
  ['Missing secrets', 'infisical secrets get MISSING --plain 2> /dev/null', '', 1],
  ['Missing secrets', 'infisical secrets get MISSING 2> /dev/null', '', 1],
  ['Values of changes', `infisical secrets set SHOWN=x -o json | ${json('secretValue')}`, '***\n'],
  ['Values of changes', `infisical secrets set SHOWN=y --show-values -o json | ${json('secretValue')}`, 'y\n'],
  [
    'Exact values',
    `infisical secrets set SHOWN=@quoted.txt > /dev/null; eval "$(infisical export --format=dotenv-export)"; printf '%s' "$SHOWN" | cmp - quoted.txt`,
    '',
  ],
  ['Exact values', 'infisical export --format=docker 2> /dev/null', '', 1],
  [
    'Loader variables',
    'infisical secrets set SHOWN=z LD_PRELOAD=/x.so > /dev/null; infisical export 2> /dev/null | grep -c LD_PRELOAD',
    '0\n',
    1,
  ],
  ['Loader variables', 'infisical run -- printenv LD_PRELOAD 2> /dev/null', '', 1],
  ['Example files', 'infisical secrets generate-example-env | grep PORT', 'PORT=80\n'],
  [
    'Modes of files',
    `infisical export -o mode.env; node -pe '(fs.statSync("mode.env").mode & 0o777).toString(8)'`,
    '600\n',
  ],
  ['Commands that are not offered', 'infisical kmip start 2> /dev/null', '', 2],
  ['Commands that are not offered', 'infisical gateway 2> /dev/null', '', 2],
];

let at: World;
let cli: CommandLine;
let env: Record<string, string>;

beforeAll(async () => {
  at = await world();
  cli = at.administrator();
  const { admin } = at.test;
  const project = { projectId: at.projectId, environment: 'dev' };
  const tag = await admin('POST', `/api/v1/workspace/${at.projectId}/tags`, { slug: 'backend', color: '#112233' });
  await cli.run(['secrets', 'set', 'DOMAIN=example.com', 'PORT=8080', 'URL=https://${DOMAIN}:${PORT}']);
  await cli.run(['secrets', 'set', 'API_KEY=s3cr3t', '--tag', tag.body.workspaceTag.slug]);
  await cli.run(['secrets', 'set', 'DOMAIN=shop.example.com', '--env', 'prod']);
  await admin('POST', '/api/v2/folders', { ...project, path: '/', name: 'common' });
  await admin('POST', '/api/v2/folders', { ...project, path: '/common', name: 'backend' });
  await cli.run(['secrets', 'set', 'LEVEL=debug', '--path', '/common/backend']);
  await admin('PATCH', '/api/v3/secrets/raw/PORT', {
    workspaceId: at.projectId,
    environment: 'dev',
    secretComment: 'of the server DEFAULT:80',
  });
  const imported = {
    workspaceId: at.projectId,
    environment: 'staging',
    path: '/',
    import: { environment: 'prod', path: '/' },
  };
  await admin('POST', '/api/v1/secret-imports', imported);
  env = {
    ...(await logins()),
    PASSWORD: password,
    PROJECT: at.projectId,
    ORGANIZATION: at.test.organizationId,
    LEAK: leak,
  };
  await install();
});
afterAll(() => at.close());

/** A user, and a machine identity with universal auth, who may read the project. */
async function logins(): Promise<Record<string, string>> {
  const { admin } = at.test;
  const user = await makeUser(at.test.coffer, { organizationId: at.test.organizationId, password });
  await admin('POST', `/api/v2/workspace/${at.projectId}/memberships`, { emails: [user.email], roleSlugs: ['admin'] });
  const { id } = await at.test.identity();
  await admin('POST', `/api/v2/workspace/${at.projectId}/identity-memberships/${id}`, { role: 'admin' });
  const attached = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
  const secret = await admin('POST', `/api/v1/auth/universal-auth/identities/${id}/client-secrets`, {});
  const { clientId } = attached.body.identityUniversalAuth;
  return { EMAIL: user.email, CLIENT_ID: clientId, CLIENT_SECRET: secret.body.clientSecret };
}

/** The directory in which somebody works: `infisical` is this command line, the project file and the files are theirs. */
async function install(): Promise<void> {
  const { home } = cli;
  const file = (name: string, content: string, mode = 0o644) => {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), content, { mode });
  };
  file('bin/infisical', `#!/bin/sh\nexec '${process.execPath}' '${await bundle()}' "$@"\n`, 0o755);
  file('bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755);
  file(
    '.infisical.json',
    JSON.stringify({ workspaceId: at.projectId, defaultEnvironment: '', gitBranchToEnvironmentMapping: null }),
  );
  file('clean/a.txt', 'nothing\n');
  file('leaky/a.txt', `token: ${leak}\n`);
  file('repository/a.txt', `token: ${leak}\n`);
  file('quoted.txt', `it's "$(date)"\nand \\n`);
  const git = 'git -c user.name=Ann -c user.email=ann@example.com';
  await shell(
    `cd repository && git init -q && ${git} add . && ${git} commit -qm one && echo > a.txt && ${git} commit -qam two`,
  );
}

async function shell(line: string) {
  const { home } = cli;
  const names = { PATH: `${home}/bin:${process.env['PATH']}`, HOME: home, SHELL: '/bin/sh' };
  const own = {
    INFISICAL_DOMAIN: at.url,
    INFISICAL_TOKEN: at.test.adminIdentity.token,
    INFISICAL_DISABLE_UPDATE_CHECK: 'true',
  };
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: home,
    env: { ...names, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

/** In their order: some change what the next ones read. */
async function expectOf(line: string, stdout: string | RegExp, code: number) {
  const done = await shell(line);
  const said = `${line}\n${done.stderr}`;
  const expected = typeof stdout === 'string' ? stdout : stdout.test(done.stdout) ? done.stdout : String(stdout);
  expect([said, done.stdout, done.code]).toEqual([said, expected, code]);
}

/** These read what is there, each for itself: a sixth of them in `npm test`, all in `pnpm search compatibility`. */
const INDEPENDENT: ReadonlySet<string> = new Set(['export', 'run', 'secrets (reading)']);

const ALL = Object.entries(SAME).flatMap(([group, cases]) =>
  (INDEPENDENT.has(group) ? sampleOf(cases, 6) : cases).map(([line, stdout, code = 0]) => ({
    group,
    line,
    stdout,
    code,
  })),
);
const OTHERS = DIFFERENT.map(([heading, line, stdout, code = 0]) => ({ heading, line, stdout, code }));

describe('what users of the published command line type', () => {
  it('is more than a hundred command lines', () => expect(Object.values(SAME).flat().length).toBeGreaterThan(100));

  it.each(ALL)('$group: $line', async ({ line, stdout, code }) => expectOf(line, stdout, code));

  describe('does something else where docs/cli-compatibility.md says so', () => {
    it.each(OTHERS)('$heading: $line', async ({ line, stdout, code }) => expectOf(line, stdout, code));

    it('and there only', () => {
      const page = readFileSync(join(import.meta.dirname, '../../../docs/cli-compatibility.md'), 'utf8');
      const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(new Set(headings)).toEqual(new Set(DIFFERENT.map(([heading]) => heading)));
    });
  });
});
