// @long: runs programs
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentHome, type AgentHome, type RunningAgent } from './harness/agent.ts';
import { world, type CommandLine, type World } from './harness/command-line.ts';
import { gateTo } from './harness/gate.ts';

let at: World;
let cli: CommandLine;
const homes: AgentHome[] = [];
const running: RunningAgent[] = [];
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
});
afterAll(async () => {
  for (const one of running) await one.stop('SIGKILL');
  for (const one of homes) one.cli.remove();
  await at.close();
});

async function home(options: Parameters<typeof agentHome>[1] = {}): Promise<AgentHome> {
  const made = await agentHome(at, options);
  homes.push(made);
  return made;
}

async function start(agent: AgentHome, ...args: string[]): Promise<RunningAgent> {
  const started = await agent.start(...args);
  running.push(started);
  return started;
}

/** A folder of its own with these secrets. */
let folders = 0;
async function folder(...pairs: string[]): Promise<string> {
  const name = `agent-${folders++}`;
  await at.test.admin('POST', '/api/v2/folders', { projectId: at.projectId, environment: 'dev', path: '/', name });
  await set(`/${name}`, ...pairs);
  return `/${name}`;
}

async function set(path: string, ...pairs: string[]): Promise<void> {
  const done = await cli.run(['secrets', 'set', '--path', path, ...pairs]);
  expect([done.code, done.stderr]).toEqual([0, '']);
}

const lines = (path: string): string =>
  `{{- range listSecrets "${at.projectId}" "dev" "${path}" }}{{ .Key }}={{ .Value }}\\n{{ end }}`;

/** A template of a folder, written to out/env. */
const template = (path: string, more = ''): string => `
templates:
  - template-content: "${lines(path).replaceAll('"', String.raw`\"`)}"
    destination-path: ./out/env
    config:
      polling-interval: 1h
${more}`;

const sinks = `
sinks:
  - type: file
    config:
      path: ./out/token
`;

describe('coffer agent --once', () => {
  it('logs in, writes the token and the template with mode 0600, runs the command, and ends', async () => {
    const agent = await home();
    const path = await folder('A=1', 'B=it is "2"');
    agent.configure(sinks + template(path, '      execute:\n        command: cp out/env out/seen\n'));
    const done = await agent.once('--once');
    expect([done.code, done.stdout]).toEqual([0, '']);
    expect(agent.read('out/env')).toBe('A=1\nB=it is "2"\n');
    expect(agent.read('out/seen')).toBe(agent.read('out/env'));
    expect([agent.mode('out/env'), agent.mode('out/token')]).toEqual([0o600, 0o600]);
    const status = await agent.cli.run(['login', 'status'], { env: { COFFER_TOKEN: agent.read('out/token')! } });
    expect(status.code).toBe(0);
    expect(agent.files()).toEqual(['env', 'seen', 'token']);
  });

  it('writes nothing and runs nothing where nothing has changed, and keeps the rights of the file', async () => {
    const agent = await home();
    const path = await folder('A=1');
    agent.configure(template(path, '      execute:\n        command: echo run >> out/log\n'));
    await agent.once('--once');
    chmodSync(agent.at('out/env'), 0o640);
    await agent.once('--once');
    expect(agent.read('out/log')).toBe('run\n');
    await set(path, 'A=2');
    expect((await agent.once('--once')).code).toBe(0);
    expect([agent.read('out/env'), agent.mode('out/env'), agent.read('out/log')]).toEqual([
      'A=2\n',
      0o640,
      'run\nrun\n',
    ]);
  });

  it('ends with the exit code for what went wrong, and leaves the file as it is', async () => {
    const agent = await home();
    const path = await folder('A=1');
    agent.configure(template(path));
    writeFileSync(agent.at('out/env'), 'before');
    writeFileSync(agent.at('client-secret'), 'invented');
    const refused = await agent.once('--once');
    expect([refused.code, refused.stderr]).toEqual([3, expect.not.stringContaining('invented')]);
    const away = await agent.once('--once', '--domain', 'http://127.0.0.1:9');
    expect([away.code, agent.read('out/env')]).toEqual([5, 'before']);
  });

  it('reads the configuration from a variable, removes the client secret if it is to, and accepts published names', async () => {
    const agent = await home();
    const path = await folder('A=1');
    agent.configure(template(path).replace('listSecrets', 'secret'));
    const yaml = `infisical:\n  address: ${at.url}\n  exit-after-auth: true\n${agent.read('agent.yaml')!}`;
    const config = yaml.replace('client-secret: ./client-secret', '$&\n    remove_client_secret_on_read: true');
    const env = { COFFER_AGENT_CONFIG_BASE64: Buffer.from(config).toString('base64'), COFFER_DOMAIN: '' };
    expect(await agent.cli.run(['agent'], { env })).toMatchObject({ code: 0 });
    expect([agent.read('out/env'), existsSync(agent.at('client-secret'))]).toEqual(['A=1\n', false]);
  });
});

describe('the configuration of coffer agent', () => {
  it('is refused with the lines of all its faults', async () => {
    const agent = await home();
    agent.configure(`
sinks:
  - type: fil
    config: {}
templates:
  - source-path: ./x
    template-content: y
    destination-path: out/env
    config:
      polling-intervall: 5m
      execute: { command: x, timeout: soon }
`);
    const { code, stderr } = await agent.once();
    expect([code, stderr.split('\n').slice(1, -1)]).toEqual([
      2,
      [
        '  line 9: sinks[0].type has to be one of: file',
        '  line 10: sinks[0].config.path is missing',
        '  line 16: templates[0].config.polling-intervall is not known; did you mean polling-interval?',
        '  line 17: templates[0].config.execute.timeout is soon; it has to be a duration, such as 30s, 5m or 1h',
        '  line 12: templates[0] has to have exactly one of source-path, template-content and base64-template-content',
      ],
    ]);
    writeFileSync(agent.at('agent.yaml'), 'auth:\n  type: nothing\n  - x\n');
    expect(await agent.once()).toMatchObject({ code: 2, stderr: expect.stringContaining('line 3') });
    expect((await agent.cli.run(['agent', '--config', 'none.yaml'])).code).toBe(1);
  });

  it('is refused with the line of a fault in a template, and where a credential is missing', async () => {
    const agent = await home();
    agent.configure(`
templates:
  - template-content: "one\\n{{ if }}\\n"
    destination-path: out/env
`);
    expect(await agent.once()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 2: template of out/env: a value is missing'),
    });
    writeFileSync(agent.at('agent.yaml'), 'auth:\n  type: kubernetes\n');
    expect(await agent.once()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('auth.config.identity-id is missing'),
    });
  });
});

describe('coffer agent', () => {
  it('follows changes, runs the command after each, shows its health, and is alone with its configuration', async () => {
    const agent = await home();
    const path = await folder('A=1');
    agent.configure(sinks + template(path, '      execute:\n        command: cat out/env >> out/log\n'));
    const first = await start(agent);
    await expect.poll(() => agent.read('out/log')).toBe('A=1\n');
    await expect.poll(async () => (await agent.health())?.status).toBe(200);
    await set(path, 'A=2');
    await expect.poll(() => agent.read('out/log')).toBe('A=1\nA=2\n');
    const second = await agent.once();
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Another agent runs')]);
    const metrics = (await agent.get('/metrics'))!.body;
    expect(metrics).toContain('coffer_agent_template_writes_total{destination="./out/env"} 2');
    expect(`${first.said()}${metrics}${(await agent.health())!.body}`).not.toContain(agent.read('out/token')!);
    expect(agent.mode('state')).toBe(0o755);
    expect(await first.stop()).toBe(0);
    expect((await agent.once('--once')).code).toBe(0);
  });

  it('goes on with the last values while the server is away, and is up to date when it is back', async () => {
    const gate = await gateTo(at.url);
    const agent = await home({ url: gate.url });
    const path = await folder('A=1');
    agent.configure(template(path).replace('1h', '1s'));
    const process = await start(agent);
    await expect.poll(() => agent.read('out/env')).toBe('A=1\n');
    await gate.shut();
    await set(path, 'A=2');
    await expect.poll(async () => (await agent.health())?.status).toBe(503);
    expect([agent.read('out/env'), process.child.exitCode]).toEqual(['A=1\n', null]);
    await gate.open();
    await expect.poll(() => agent.read('out/env')).toBe('A=2\n');
    await expect.poll(async () => (await agent.health())?.status).toBe(200);
    await process.stop();
    await gate.shut();
  });

  it('has a valid token in its sink at any time', async () => {
    const agent = await home({ settings: { accessTokenTTL: 6, accessTokenMaxTTL: 9 } });
    agent.configure(sinks);
    const process = await start(agent);
    const tokens = new Set<string>();
    await expect
      .poll(async () => {
        const token = agent.read('out/token');
        if (token === undefined) return 0;
        expect((await at.test.as(token)('GET', '/api/v1/identities/details')).status).toBe(200);
        return tokens.add(token).size;
      })
      .toBeGreaterThan(2);
    await process.stop();
  });
});
