// @long: runs programs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';
import { commandLine, world, type CommandLine, type World } from './harness/command-line.ts';

let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world();
  cli = commandLine();
});
afterAll(async () => {
  cli.remove();
  await at.close();
});

describe('coffer server', () => {
  it('runs the commands of the server that is installed beside it, with its configuration', async () => {
    // The server beside it is this checkout: its sources are compiled once.
    const { NODE_COMPILE_CACHE } = process.env;
    const compiled = { ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
    const env = { ...compiled, DATABASE_URL: at.test.databaseUrl, COFFER_ROOT_KEY: at.test.rootKey };
    const shown = await cli.run(['server', 'keys', 'fingerprint'], { env });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^\S+\n$/)]);
    const rotated = await cli.run(['server', 'keys', 'rotate', '--organization', at.test.organizationId], { env });
    expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining('values re-encrypted')]);
  });

  it('ends with the exit code of the server, and its message', async () => {
    const { code, stderr } = await cli.run(['server', 'keys', 'rotate'], {
      env: { COFFER_DATA_DIR: join(cli.home, 'nothing') },
    });
    expect([code, stderr]).toEqual([78, expect.stringContaining('does not exist: correct COFFER_DATA_DIR')]);
  });

  it('says what to do where no server is installed', async () => {
    const copy = join(cli.home, 'elsewhere');
    mkdirSync(copy);
    cpSync(dirname(await bundle()), copy, { recursive: true });
    const args = [join(copy, 'main.mjs'), 'server', 'keys', 'fingerprint'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, env: {}, encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('needs the package @coffer/server')]);
    expect(stderr).toContain('npm run coffer');
  });
});
