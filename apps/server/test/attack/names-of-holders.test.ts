import { makeUser } from '@coffer/domain/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { approvalTests, type Approvals, type Member } from '../harness/approvals.ts';
import { groupUrl, identityUrl, ok, statuses, type MadeGroup } from '../harness/groups.ts';
import type { Answer, Caller, TestServer } from '../harness/test-server.ts';

/**
 * Groups are granted rights by name, and machines name projects by slug: whoever changes these names chooses who is
 * meant.
 */

let test: TestServer;
let of: Approvals;
let ann: Member;
const groups = approvalTests(async (project) => {
  [test, of, ann] = [project.test, project, await project.member()];
});

const beyond = { status: 403, body: { error: 'PermissionBoundaryError' } };
const denied = { status: 403, body: { error: 'PermissionDenied' } };
const MANAGE = { subject: 'groups', action: ['read', 'create', 'edit', 'add-identities'] };
const DAY = 24 * 3_600_000;

describe('attack: the name of a group that is granted rights by name', () => {
  let mallory: { id: string; call: Caller };
  beforeEach(async () => {
    mallory = await groups.holder(MANAGE);
  });
  const own = async (body: object): Promise<MadeGroup> => {
    const group = await ok(mallory.call('POST', '/api/v1/groups', body));
    await ok(mallory.call('POST', identityUrl(group, mallory)));
    return group;
  };
  const unique = (name: string) => groups.unique(name).replace(' ', '-');

  it.each(['organization', 'project'])('cannot be released by callers with fewer rights in the %s', async (place) => {
    const slug = unique('sre-team');
    const group = await groups.make({ name: slug, slug, ...(place === 'organization' && { role: 'admin' }) });
    if (place === 'project') await groups.letInto(of.project, group, { role: 'admin' });
    for (const change of [{ name: unique('old') }, { slug: unique('sre-old') }, { name: 'x', slug: unique('sre-old') }])
      for (const ref of [group.id, slug])
        expect(await mallory.call('PATCH', `/api/v1/groups/${ref}`, change)).toMatchObject(beyond);
    const trpc = await mallory.call('POST', '/api/trpc/groups.update', { id: group.id, name: unique('old') });
    expect(trpc.status).toBe(403);
    expect(await ok(test.admin('GET', groupUrl(group)))).toMatchObject({ name: slug, slug });
    // Sending the current name is not a change, and a group without rights can have any name.
    await ok(mallory.call('PATCH', groupUrl(group), { name: slug, slug }));
    await ok(mallory.call('PATCH', groupUrl(await own({ name: unique('mine') })), { name: unique('other') }));
  });

  it('cannot be the slug of another group, nor its slug the name of another', async () => {
    const [name, slug] = [unique('Operations'), unique('ops-team')];
    const group = await groups.make({ name, slug });
    const taken = { status: 400, body: { message: expect.stringContaining('choose another') as string } };
    const lower = unique('lower');
    await groups.make({ name: lower, slug: unique('other-slug') });
    const mine = await own({ name: unique('harmless'), slug: unique('harmless') });
    for (const names of [{ name: slug }, { slug: lower }, { name: slug, slug: lower }]) {
      expect(await mallory.call('POST', '/api/v1/groups', { name: unique('x'), ...names })).toMatchObject(taken);
      expect(await mallory.call('PATCH', groupUrl(mine), names)).toMatchObject(taken);
    }
    const url = `/api/v1/projects/${of.project.id}/memberships/groups/${slug}`;
    expect((await ok(test.admin('POST', url, { role: 'admin' }))).groupMembership.groupId).toBe(group.id);
  });

  it('cannot be assigned both ways concurrently', async () => {
    const names = Array.from({ length: 4 }, () => unique('twice'));
    const attempts = names.flatMap((name) => [
      mallory.call('POST', '/api/v1/groups', { name, slug: unique('slug-of') }),
      mallory.call('POST', '/api/v1/groups', { name: unique('Name'), slug: name }),
    ]);
    const answers = await Promise.all(attempts);
    const made = names.map((_, index) => statuses(answers.slice(index * 2, index * 2 + 2)));
    expect(made).toEqual(names.map(() => '200,400'));
  });

  it('is ambiguous if two groups of an earlier release have it', async () => {
    const ref = unique('both-ways');
    const [one, two] = [await groups.make({ name: ref }), await groups.make()];
    await test.coffer.pool.query('update groups set slug = $2 where id = $1', [two.id, ref]);
    const url = (group: string) => `/api/v1/projects/${of.project.id}/memberships/groups/${group}`;
    const answer = await test.admin('POST', url(ref), { role: 'admin' });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('use the ID') as string } });
    await ok(test.admin('POST', url(one.id), { role: 'admin' }));
  });
});

describe('attack: the slug of a project that machines read by slug', () => {
  let developer: Caller;
  beforeEach(async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    const add = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${of.project.id}/memberships`, add));
    developer = test.as(user.token);
  });
  const other = () => `elsewhere-${crypto.randomUUID().slice(0, 8)}`;
  const ways: Record<string, (call: Caller, slug: string) => Promise<Answer>> = {
    projects: (call, slug) => call('PATCH', `/api/v1/projects/${of.project.id}`, { slug, name: 'New' }),
    workspace: (call, slug) => call('PATCH', `/api/v1/workspace/${of.project.id}`, { slug }),
    trpc: (call, slug) => call('POST', '/api/trpc/projects.update', { projectId: of.project.id, slug }),
  };
  const make = (call: Caller, slug: string) => call('POST', '/api/v1/projects', { projectName: 'b', slug });
  const slug = () => of.project.slug.slice(0, 36);
  /** The slugs of test projects are longer than new ones may be. */
  const shorten = () => ok(test.admin('PATCH', `/api/v1/projects/${of.project.id}`, { slug: slug() }));

  it.each(Object.keys(ways))('is not changed by a developer: %s', async (way) => {
    expect((await ways[way]!(developer, other())).status).toBe(403);
    const { project } = await ok(test.admin('GET', `/api/v1/projects/${of.project.id}`));
    expect(project).toMatchObject({ slug: of.project.slug, name: of.project.slug });
    // Other settings are, and what was read may be sent back.
    await ok(developer('PATCH', `/api/v1/projects/${of.project.id}`, { name: 'New', slug: project.slug }));
    await ok(developer('PATCH', `/api/v2/workspace/${project.slug}`, { slug: other(), description: 'd' }));
    expect((await ok(test.admin('GET', `/api/v1/projects/${of.project.id}`))).project.slug).toBe(project.slug);
  });

  it.each(Object.keys(ways))('is not changed by an administrator past a change policy: %s', async (way) => {
    await of.policy([ann]);
    const mallory = await of.member('admin');
    expect((await ways[way]!(mallory.call, other())).status).toBe(400);
    expect((await ok(test.admin('GET', `/api/v1/projects/${of.project.id}`))).project.slug).toBe(of.project.slug);
  });

  it('is reserved for thirty days after the project has changed it', async () => {
    await shorten();
    await ok(test.admin('PATCH', `/api/v1/projects/${of.project.id}`, { slug: other() }));
    const refused = { status: 400, body: { message: expect.stringContaining('reserved') as string } };
    expect(await make(developer, slug())).toMatchObject(refused);
    const { project } = await ok(make(developer, other()));
    expect(await developer('PATCH', `/api/v1/projects/${project.id}`, { slug: slug() })).toMatchObject(refused);
    // The project that had it gets it back.
    await shorten();
    await ok(test.admin('PATCH', `/api/v1/projects/${of.project.id}`, { slug: other() }));
    test.advance(30 * DAY);
    const later = test.as((await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' })).token);
    await ok(make(later, slug()));
  });

  it('is reserved after the project was deleted, except for administrators of the organization', async () => {
    await shorten();
    await ok(test.admin('DELETE', `/api/v1/projects/${of.project.id}`));
    expect((await make(developer, slug())).status).toBe(400);
    await ok(make(test.admin, slug()));
  });

  it('is explained in the error: it needs more than the settings', async () => {
    expect(await ways['workspace']!(developer, other())).toMatchObject(denied);
  });
});
