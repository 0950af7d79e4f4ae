// @long: kills processes
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inTitle, runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentHome, dynamicSecret, leasesOf, type AgentHome, type RunningAgent } from './harness/agent.ts';
import { world, type World } from './harness/command-line.ts';

let at: World;
let slug: string;
const homes: AgentHome[] = [];
const running: RunningAgent[] = [];
beforeAll(async () => {
  at = await world();
  slug = (await at.test.admin('GET', `/api/v1/projects/${at.projectId}`)).body.project.slug;
});
afterAll(async () => {
  for (const one of running) await one.stop('SIGKILL');
  for (const one of homes) one.cli.remove();
  await at.close();
});

async function home(yaml: string): Promise<AgentHome> {
  const made = await agentHome(at);
  homes.push(made);
  made.configure(yaml);
  return made;
}

async function start(agent: AgentHome, ...args: string[]): Promise<RunningAgent> {
  const started = await agent.start(...args);
  running.push(started);
  return started;
}

const leased = (name: string, ttl = ''): string => `
templates:
  - template-content: 'code={{ (dynamicSecret "${slug}" "dev" "/" "${name}"${ttl && ` "${ttl}"`}).TOTP }}'
    destination-path: ./out/code
    config:
      polling-interval: 1s
`;

describe('leases of templates', () => {
  it('are one for the same call, are kept while the agent runs, and are revoked at its end', async () => {
    await dynamicSecret(at, 'kept');
    const both = `${leased('kept')}${leased('kept').replace('\ntemplates:', '').replace('out/code', 'out/again')}`;
    const agent = await home(both);
    const process = await start(agent);
    await expect.poll(() => agent.read('out/again')).toMatch(/^code=\d{6}$/);
    await expect.poll(() => agent.read('out/code')).toBe(agent.read('out/again'));
    expect(await leasesOf(at, slug, 'kept')).toHaveLength(1);
    expect(agent.read(`state/${agent.files('state').find((one) => one.endsWith('.json'))!}`)).not.toContain(
      agent.read('out/code')!.slice(5),
    );
    expect(await process.stop()).toBe(0);
    expect(await leasesOf(at, slug, 'kept')).toEqual([]);
  });

  it('stay after --once, for those who use them, and are replaced and revoked by the next start', async () => {
    await dynamicSecret(at, 'once');
    const agent = await home(leased('once'));
    expect((await agent.once('--once')).code).toBe(0);
    const [first] = await leasesOf(at, slug, 'once');
    expect((await agent.once('--once')).code).toBe(0);
    const [second, ...none] = await leasesOf(at, slug, 'once');
    expect([second === first, none]).toEqual([false, []]);
    const process = await start(agent);
    await expect.poll(async () => (await leasesOf(at, slug, 'once'))[0]).not.toBe(second);
    await expect.poll(async () => (await leasesOf(at, slug, 'once')).length).toBe(1);
    await process.stop();
  });

  it('are replaced when they end: the file is written before the old one is revoked', async () => {
    // The agent learns that it has ended when it renews it, after two thirds of its time.
    await dynamicSecret(at, 'ending', { defaultTTL: '15s' });
    const agent = await home(
      leased('ending').replace(
        'polling-interval: 1s',
        'execute: { command: "cat out/code >> out/log; echo >> out/log" }',
      ),
    );
    const process = await start(agent);
    await expect.poll(async () => (await leasesOf(at, slug, 'ending')).length).toBe(1);
    const [first] = await leasesOf(at, slug, 'ending');
    // Somebody else revokes it: it can no longer be renewed.
    await at.test.admin('DELETE', `/api/v1/dynamic-secrets/leases/${first!}`, {
      projectSlug: slug,
      environmentSlug: 'dev',
      path: '/',
    });
    await expect.poll(() => leasesOf(at, slug, 'ending'), { timeout: 120_000 }).not.toEqual([]);
    await expect.poll(() => agent.read('out/code')).toMatch(/^code=\d{6}$/);
    await process.stop();
    expect(await leasesOf(at, slug, 'ending')).toEqual([]);
  });
});

const KILLS = runs(6, 200);

describe('an agent that is killed', () => {
  it(
    `${inTitle(KILLS)} times leaves whole files and no temporary ones, runs its command in the end, and no lease is left`,
    { timeout: searchTime(300_000) },
    async () => {
      await dynamicSecret(at, 'killed');
      const cli = at.administrator();
      await at.test.admin('POST', '/api/v2/folders', {
        projectId: at.projectId,
        environment: 'dev',
        path: '/',
        name: 'killed',
      });
      const set = async (n: number): Promise<void> => {
        const done = await cli.run([
          'secrets',
          'set',
          '--path',
          '/killed',
          `N=${n}`,
          `LONG=${String(n).padStart(60_000, '.')}`,
        ]);
        expect(done.code).toBe(0);
      };
      await set(0);
      const agent = await home(`${leased('killed')}
  - template-content: '{{ range listSecrets "${at.projectId}" "dev" "/killed" }}{{ .Key }}={{ .Value }}|{{ end }}END'
    destination-path: ./out/env
    config:
      execute: { command: "cp out/env out/seen" }
`);
      const whole = /^LONG=\.*(\d+)\|N=\1\|END$/;
      for (let kill = 1; kill <= KILLS; kill++) {
        const process = await start(agent);
        const changed = set(kill);
        await pause(Math.random() * 1500);
        await process.stop('SIGKILL');
        const text = agent.read('out/env');
        expect(text === undefined || whole.test(text)).toBe(true);
        expect(agent.read('out/code') ?? 'code=000000').toMatch(/^code=\d{6}$/);
        await changed;
      }
      const last = await start(agent);
      // What follows may be there from before: it is at work once it answers.
      await expect.poll(async () => (await agent.health())?.status).toBe(200);
      await expect.poll(() => agent.read('out/env')?.match(whole)?.[1]).toBe(String(KILLS));
      await expect.poll(() => agent.read('out/seen')).toBe(agent.read('out/env'));
      await expect.poll(async () => (await leasesOf(at, slug, 'killed')).length, { timeout: 90_000 }).toBe(1);
      expect(agent.files()).toEqual(['code', 'env', 'seen']);
      expect(await last.stop()).toBe(0);
      expect(await leasesOf(at, slug, 'killed')).toEqual([]);
      expect(agent.files('state').filter((one) => !one.endsWith('.json'))).toEqual([]);
    },
  );
});

/** A small file system, where root may mount one. */
const mounts = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;
const mounted: string[] = [];
afterAll(() => {
  for (const path of mounted) spawnSync('umount', ['-l', path]);
});

describe.runIf(mounts)('a file system that refuses', () => {
  const mount = (path: string, options: string): boolean => {
    mkdirSync(path, { recursive: true });
    const done = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', path]).status === 0;
    if (done && !mounted.includes(path)) mounted.push(path);
    return done;
  };

  it('leaves the file as it is while it is full, and gets the new one when there is room', async ({ skip }) => {
    await at.test.admin('POST', '/api/v2/folders', {
      projectId: at.projectId,
      environment: 'dev',
      path: '/',
      name: 'full',
    });
    const cli = at.administrator();
    await cli.run(['secrets', 'set', '--path', '/full', 'A=1']);
    const agent = await home(`
templates:
  - template-content: '{{ range listSecrets "${at.projectId}" "dev" "/full" }}{{ .Value }}{{ end }}'
    destination-path: ./small/env
    config: { polling-interval: 1s }
`);
    skip(!mount(agent.at('small'), 'size=64k'));
    const process = await start(agent);
    await expect.poll(() => agent.read('small/env')).toBe('1');
    writeFileSync(agent.at('small/filler'), Buffer.alloc(48 * 1024));
    await cli.run(['secrets', 'set', '--path', '/full', `A=${'2'.repeat(20_000)}`]);
    await expect.poll(() => process.said()).toContain('stays as it is: ');
    expect(process.said()).toContain('ENOSPC');
    expect([agent.read('small/env'), agent.files('small')]).toEqual(['1', ['env', 'filler']]);
    expect((await agent.health())!.status).toBe(503);
    rmSync(agent.at('small/filler'));
    await expect.poll(() => agent.read('small/env')).toHaveLength(20_000);
    expect(spawnSync('mount', ['-o', 'remount,ro', agent.at('small')]).status).toBe(0);
    await cli.run(['secrets', 'set', '--path', '/full', 'A=3']);
    await expect.poll(() => process.said()).toContain('EROFS');
    expect(readFileSync(agent.at('small/env'), 'utf8')).toHaveLength(20_000);
    await process.stop();
  });
});

describe('a command after a change', () => {
  it('is ended with all that it has started when its time is over, and the agent goes on', async () => {
    const agent = await home(`
templates:
  - template-content: x
    destination-path: ./out/x
    config:
      execute: { command: "sleep 300 & echo $! > out/pid; wait", timeout: 1s }
`);
    const process = await start(agent);
    await expect.poll(() => process.said()).toContain('has not ended within 1 seconds');
    const pid = Number(agent.read('out/pid'));
    await expect.poll(() => spawnSync('kill', ['-0', String(pid)]).status).not.toBe(0);
    expect((await agent.health())!.status).toBe(200);
    await process.stop();
  });

  it('does not get the credentials of the agent', async () => {
    const agent = await home(`
templates:
  - template-content: x
    destination-path: ./out/x
    config:
      execute: { command: "env > out/env" }
`);
    const env = { COFFER_TOKEN: 'invented', COFFER_UNIVERSAL_AUTH_CLIENT_SECRET: agent.read('client-secret')! };
    const done = await agent.cli.run(['agent', '--config', agent.at('agent.yaml'), '--once'], { env });
    expect([done.code, agent.read('out/env')]).toEqual([0, expect.not.stringMatching(/COFFER_TOKEN|CLIENT_SECRET/)]);
  });
});
