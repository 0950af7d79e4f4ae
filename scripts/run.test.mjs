import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const runner = join(import.meta.dirname, 'run.mjs');

/** Starts a task the way npm does, from a directory that is not the workspace. */
function start(...args) {
  const child = spawn(process.execPath, [runner, ...args], { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
  return { child, ended, output: text(child.stdout), errors: text(child.stderr) };
}

describe('run.mjs', () => {
  it('runs the task on Node 24 in the workspace, with its arguments', async () => {
    const show = 'console.log(JSON.stringify([process.versions.node, process.cwd(), ...process.argv.slice(1)]))';
    const [version, folder, ...rest] = JSON.parse(await start('node', '-e', show, 'a b', '--c').output);
    expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
    expect(folder).toBe(join(import.meta.dirname, '..'));
    expect(rest).toEqual(['a b', '--c']);
  });

  it('ends with the exit code of the task', async () => {
    expect(await start('node', '-e', 'process.exit(7)').ended).toBe(7);
    expect(await start('node', '-e', 'process.kill(process.pid, "SIGKILL")').ended).toBe(128 + 9);
  });

  it('gives each program a compile cache of its own: V8 rejects the code of a program with other flags', async () => {
    const env = { ...process.env };
    delete env.NODE_COMPILE_CACHE;
    const cacheOf = async (...program) => {
      const show = ['node', '-p', 'process.env.NODE_COMPILE_CACHE', ...program];
      const child = spawn(process.execPath, [runner, ...show], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      return basename((await text(child.stdout)).trim());
    };
    expect(await Promise.all([['src/main.ts'], ['src/cli.ts', 'b.ts'], []].map((args) => cacheOf(...args)))).toEqual([
      'main',
      'cli',
      'others',
    ]);
  });

  it('reports what could not be started', async () => {
    const { ended, errors } = start('no-such-command');
    expect(await ended).toBe(1);
    expect(await errors).toContain('no-such-command could not be started');
  });

  it.each(['SIGTERM', 'SIGINT'])('passes %s on and waits for the task to finish its work', async (signal) => {
    const task = `
      process.on('${signal}', () => setTimeout(() => { console.log('finished'); process.exit(3); }, 200));
      setInterval(() => {}, 1000);
      console.log('ready');`;
    const { child, ended, output } = start('node', '-e', task);
    child.stdout.once('data', () => child.kill(signal));
    expect(await ended).toBe(3);
    expect(await output).toBe('ready\nfinished\n');
  });
});
