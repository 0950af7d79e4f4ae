import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine, world, type CommandLine, type World } from './harness/command-line.ts';

let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
  const here = { projectId: at.projectId, environment: 'dev', secretPath: '/' };
  await at.test.admin('POST', '/api/v4/secrets/A', {
    ...here,
    secretValue: 'x',
    secretComment: 'What it is\nfor */ readers',
  });
  await at.test.admin('POST', '/api/v4/secrets/B-C', { ...here, secretValue: 'x' });
});
afterAll(() => at.close());

describe('coffer access', () => {
  it('shows who may do what with a secret, and by which grant', async () => {
    const { id } = await at.test.identity();
    await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships/identities/${id}`, { role: 'viewer' });
    const done = await cli.run(['access', 'A', '--action', 'readValue', '--json']);
    const actors = JSON.parse(done.stdout) as {
      actor: { id: string };
      actions: { decidedBy: { grant: { slug: string } } }[];
    }[];
    expect(actors.find(({ actor }) => actor.id === id)?.actions[0]?.decidedBy.grant.slug).toBe('viewer');
    expect((await cli.run(['access', 'A', '--action', 'readValue'])).stdout).toMatch(
      /secrets: readValue\s+│ yes\s+│ role viewer/,
    );
    expect((await cli.run(['access', 'NOPE'])).code).toBe(1);
  });

  it('explains what the caller may do', async () => {
    const { id, token } = await at.test.identity();
    await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships/identities/${id}`, { role: 'viewer' });
    const { stdout } = await cli.run(['access', 'A', '--me'], { env: { COFFER_TOKEN: token } });
    expect(stdout).toMatch(/readValue\s+│ yes\s+│ role viewer/);
    expect(stdout).toMatch(/delete\s+│ no/);
  });
});

describe('coffer types', () => {
  it('declares the names of secrets, with their comments, and no values', async () => {
    const { stdout } = await cli.run(['types']);
    expect(stdout).toContain(
      '      /** What it is for *\u200B/ readers */\n      readonly "A": string;\n      readonly "B-C": string;\n',
    );
  });
});

describe('coffer doctor', () => {
  it('finds everything in order, or says what is not', async () => {
    const done = await cli.run(['doctor', '--json']);
    const findings = JSON.parse(done.stdout) as { check: string; isInOrder: boolean }[];
    expect([done.code, findings.map(({ isInOrder }) => isInOrder)]).toEqual([0, [true, true, true, true, true]]);
    writeFileSync(join(cli.home, '.coffer.json'), 'nope');
    const broken = await cli.run(['doctor'], { env: { COFFER_TOKEN: 'cfa_nope' } });
    expect([broken.code, broken.stdout]).toEqual([1, expect.stringMatching(/login\s+│ not ok/)]);
    expect(broken.stdout).toMatch(/project\s+│ not ok │ \S+ is no JSON/);
    const away = await cli.run(['doctor'], { env: { COFFER_DOMAIN: 'http://127.0.0.1:9' } });
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/server\s+│ not ok/)]);
  });
});

describe('a project file of another user', () => {
  // Files of others are made by root alone.
  it.skipIf(process.getuid?.() !== 0)('in a directory above is not obeyed, unless its directory is named', async () => {
    const above = mkdtempSync(join(tmpdir(), 'coffer-others-'));
    const below = join(above, 'of', 'mine');
    mkdirSync(below, { recursive: true });
    const file = join(above, '.coffer.json');
    writeFileSync(file, JSON.stringify({ projectId: at.projectId, flags: { secrets: { plain: true } } }));
    const elsewhere = commandLine({ COFFER_DOMAIN: at.url, COFFER_TOKEN: at.test.adminIdentity.token });
    const list = (...more: string[]) => elsewhere.run(['secrets', ...more], { cwd: below });
    const own = await list();
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining('B-C')]);
    chownSync(file, 65_534, 65_534);
    const foreign = await list();
    expect(foreign.code).not.toBe(0);
    expect(foreign.stderr).toContain(`${file} belongs to another user`);
    expect((await list('--project-config-dir', above)).code).toBe(0);
    elsewhere.remove();
    rmSync(above, { recursive: true });
  });
});
