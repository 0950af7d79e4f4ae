import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { world, type CommandLine, type World } from './harness/command-line.ts';

let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
  const { body } = await at.test.admin('GET', `/api/v1/projects/${at.projectId}`);
  await at.test.admin('POST', '/api/v1/dynamic-secrets', {
    projectSlug: body.project.slug,
    environmentSlug: 'dev',
    path: '/',
    name: 'codes',
    defaultTTL: '1m',
    provider: { type: 'totp', inputs: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
  });
});
afterAll(() => at.close());

describe('coffer dynamic-secrets', () => {
  it('lists them, and creates, lists and revokes leases', async () => {
    expect(JSON.parse((await cli.run(['dynamic-secrets', '--json'])).stdout)).toMatchObject([
      { name: 'codes', type: 'totp' },
    ]);
    const lease = ['dynamic-secrets', 'lease'];
    const plain = await cli.run([...lease, 'create', 'codes', '--plain']);
    expect([plain.code, plain.stdout]).toEqual([0, expect.stringMatching(/^TOTP=\d{6}$/m)]);
    const made = JSON.parse((await cli.run([...lease, 'create', 'codes', '--json'])).stdout);
    expect(made).toMatchObject({ lease: { id: expect.any(String) }, data: { TOTP: expect.stringMatching(/^\d{6}$/) } });
    const listed = JSON.parse((await cli.run([...lease, 'list', 'codes', '--json'])).stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toContain(made.lease.id);
    expect((await cli.run([...lease, 'delete', made.lease.id])).code).toBe(0);
    expect((await cli.run([...lease, 'create', 'none'])).code).toBe(1);
    expect((await cli.run([...lease, 'create'])).code).toBe(2);
    expect((await cli.run([...lease, 'create', 'codes', '--ttl', 'soon'])).code).toBe(1);
  });
});
