import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const path = (id = '') => `/api/v1/organization/${test.organizationId}/incidentContactOrg${id && `/${id}`}`;

describe('incident contacts', () => {
  it('are added, listed and removed', async () => {
    const { body } = await test.admin('POST', path(), { email: 'Ops@Example.com' });
    const contact = {
      id: expect.any(String),
      email: 'ops@example.com',
      orgId: test.organizationId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    expect(body).toEqual({ incidentContactsOrg: contact });
    expect((await test.admin('GET', path())).body).toEqual({ incidentContactsOrg: [contact] });
    expect((await test.admin('POST', path(), { email: 'ops@example.com' })).status).toBe(400);
    const { id } = body.incidentContactsOrg;
    expect((await test.admin('DELETE', path(id))).body).toEqual({ incidentContactsOrg: contact });
    expect((await test.admin('DELETE', path(id))).status).toBe(404);
    expect((await test.admin('GET', path())).body).toEqual({ incidentContactsOrg: [] });
  });

  it('need the permission, and are refused to members of other organizations', async () => {
    const { body } = await test.admin('POST', path(), { email: 'night@example.com' });
    const { id } = body.incidentContactsOrg;
    const { call: reader } = await test.identity({ organizationRole: 'member' });
    expect((await reader('GET', path())).status).toBe(200);
    expect((await reader('POST', path(), { email: 'x@example.com' })).status).toBe(403);
    expect((await reader('DELETE', path(id))).status).toBe(403);
    const { call: outsider } = await test.identity();
    expect((await outsider('GET', path())).status).toBe(403);
    const foreign = await test.foreign();
    const there = `/api/v1/organization/${foreign.organizationId}/incidentContactOrg`;
    const unknown = await foreign.call('DELETE', `${there}/no-uuid`);
    const known = await foreign.call('DELETE', `${there}/${id}`);
    expect({ status: known.status, ...known.body, reqId: '' }).toEqual({ ...unknown.body, status: 404, reqId: '' });
    expect((await foreign.call('POST', path(), { email: 'x@example.com' })).status).toBe(404);
    expect((await test.as()('GET', path())).status).toBe(401);
    expect((await test.admin('POST', path(), { email: 'nobody' })).status).toBe(422);
  });
});
