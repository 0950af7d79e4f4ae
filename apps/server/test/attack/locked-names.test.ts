import { setTimeout as sleep } from 'node:timers/promises';
import { makeUser } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer } from '../harness/test-server.ts';

describe('attack: a member who asks for access', () => {
  it('waits for nobody else who holds the names without changing them', async () => {
    const test = await testServer();
    const { id: projectId } = await test.project();
    const { project } = await ok(test.admin('GET', `/api/v1/projects/${projectId}`));
    const [asking, approving] = await Promise.all(
      ['asking', 'approving'].map(async (name) => {
        const email = `${name}-${projectId}@example.com`;
        const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
        const membership = { emails: [email], roleSlugs: ['no-access'] };
        await ok(test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, membership));
        return user;
      }),
    );
    const approvers = [{ type: 'user', id: approving!.id }];
    const policy = { projectSlug: project.slug, environment: 'dev', secretPath: '/', approvers };
    await ok(test.admin('POST', '/api/v1/access-approvals/policies', policy));
    const conditions = { environment: 'dev', secretPath: '/' };
    const permissions = [{ subject: 'secrets', action: ['readValue'], conditions }];
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 17))', [projectId]);
      const url = `/api/v1/access-approvals/requests?projectSlug=${project.slug}`;
      const { status } = await test.as(asking!.token)('POST', url, { permissions, isTemporary: false });
      expect(status).toBe(200);
    } finally {
      await client.query('rollback');
      client.release();
      await test.close();
    }
  });
});

describe('attack: a member who changes a name to which thousands of values refer, again and again', () => {
  const LOCK_TIMEOUT = 500;

  /** The answer to a change of a tag beside a transaction that has the names of its project for so long. */
  async function besides(held: number): Promise<Answer> {
    const other = await testServer({ lockTimeout: LOCK_TIMEOUT });
    const { id } = await other.project();
    const tags = `/api/v1/projects/${id}/tags`;
    const { tag } = await ok(other.admin('POST', tags, { slug: 'red', color: '' }));
    const client = await other.owner.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 17))', [id]);
      const asked = other.admin('PATCH', `${tags}/${tag.id}`, { slug: 'blue' });
      await Promise.race([sleep(held), asked]);
      await client.query('rollback');
      return await asked;
    } finally {
      client.release();
      await other.close();
    }
  }

  it('lets others change names, who wait for longer than for a lock', async () => {
    expect((await besides(1.5 * LOCK_TIMEOUT)).status).toBe(200);
  });

  it('makes nobody wait without an end', async () => {
    expect(await besides(60_000)).toMatchObject({ status: 503 });
  });
});
