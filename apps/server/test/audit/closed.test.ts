import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string };
beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  await test.admin('POST', '/api/v4/secrets/KEY', {
    projectId: project.id,
    environment: 'dev',
    secretValue: 'canary-4711',
  });
});
afterAll(() => test.close());

const tags = async (): Promise<number> => {
  const { rows } = await test.coffer.pool.query<{ n: number }>('select count(*)::int as n from tags');
  return rows[0]!.n;
};
const events = async (published: string): Promise<number> => {
  const { rows } = await test.coffer.pool.query<{ n: number }>(
    'select count(*)::int as n from audit_events where published = $1',
    [published],
  );
  return rows[0]!.n;
};

describe('while the audit log cannot be written', () => {
  it('rejects every read that must be recorded, and discloses no secret', async () => {
    const query = `projectId=${project.id}&environment=dev`;
    const reads = [
      `/api/v4/secrets/KEY?${query}`,
      `/api/v4/secrets?${query}`,
      `/api/v3/secrets/raw/KEY?workspaceId=${project.id}&environment=dev`,
    ];
    for (const url of reads) expect((await test.admin('GET', url)).status).toBe(200);
    await test.owner.query('alter table audit_events rename to audit_events_away');
    try {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) => test.admin('GET', reads[i % reads.length]!)),
      );
      for (const { status, body, headers } of answers) {
        expect(status).toBe(503);
        expect(headers['retry-after']).toBe('1');
        expect(JSON.stringify([body, headers])).not.toContain('canary');
      }
    } finally {
      await test.owner.query('alter table audit_events_away rename to audit_events');
    }
    for (const url of reads) expect((await test.admin('GET', url)).status).toBe(200);
  });

  it('makes no change', async () => {
    const before = await tags();
    await test.owner.query('alter table audit_events rename to audit_events_away');
    try {
      const { status, body } = await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, {
        slug: 'blue',
        color: '',
      });
      expect(status).toBe(503);
      expect(body.error).toBe('ServiceUnavailable');
    } finally {
      await test.owner.query('alter table audit_events_away rename to audit_events');
    }
    expect(await tags()).toBe(before);
    expect((await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug: 'blue', color: '' })).status).toBe(
      200,
    );
  });
});

describe('a change and its event', () => {
  it('commit together', async () => {
    const [tagsBefore, eventsBefore] = [await tags(), await events('create-tag')];
    await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug: 'green', color: '' });
    expect([await tags(), await events('create-tag')]).toEqual([tagsBefore + 1, eventsBefore + 1]);
    const again = await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug: 'green', color: '' });
    expect(again.status).toBe(400);
    expect([await tags(), await events('create-tag')]).toEqual([tagsBefore + 1, eventsBefore + 1]);
  });
});
