import { makeUser, type MakeIdentity } from '@coffer/domain/testing';
import { expect } from 'vitest';
import type { Answer, Caller, TestServer } from './test-server.ts';

export interface Ref {
  readonly id: string;
}
export interface Person extends Ref {
  readonly username: string;
}
export type Method = Parameters<Caller>[0];

/** A list of statuses has one order: `200,200,400`. */
export const statuses = (answers: readonly Answer[]): string =>
  answers
    .map(({ status }) => String(status))
    .toSorted()
    .join();

/** A request that must succeed: its body. */
export async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  expect({ status, body: status === 200 ? '' : body }).toEqual({ status: 200, body: '' });
  return body;
}

/** A request that must be refused, with a message that contains this. */
export async function expectRefused(answer: Promise<Answer>, status = 403, message = ''): Promise<void> {
  const { status: found, body } = await answer;
  expect({ found, message: body.message }).toMatchObject({ found: status });
  expect(body.message).toContain(message);
}

/** Expects the same 404 for two paths. */
export async function same(
  call: Caller,
  method: Method,
  theirs: string,
  unknown: string,
  body?: object,
): Promise<void> {
  const [a, b] = [await call(method, theirs, body), await call(method, unknown, body)];
  expect([method, theirs, a.status]).toEqual([method, theirs, 404]);
  expect({ ...a.body, reqId: '' }).toEqual({ ...b.body, reqId: '' });
}

/** Everything that is done to groups and their members. */
export const GROUP_ACTIONS = [
  'read',
  'create',
  'edit',
  'delete',
  'add-members',
  'remove-members',
  'add-identities',
  'remove-identities',
];

/** How somebody is refused who would give more than they hold. */
export const BOUNDARY = { status: 403, body: { error: 'PermissionBoundaryError' } };

export const groupUrl = ({ id }: Ref, rest = '') => `/api/v1/groups/${id}${rest}`;
export const userUrl = (group: Ref, { username }: Pick<Person, 'username'>) => groupUrl(group, `/users/${username}`);
export const identityUrl = (group: Ref, { id }: Ref) => groupUrl(group, `/machine-identities/${id}`);
export const projectUrl = (project: Ref, group: Ref) => `/api/v1/projects/${project.id}/memberships/groups/${group.id}`;

const memberUrl = (group: Ref, one: Ref | Person) =>
  'username' in one ? userUrl(group, one) : identityUrl(group, one);

export interface MadeGroup extends Ref {
  readonly name: string;
  readonly slug: string;
}

/** Groups, roles and people of the organization of a server, made by its administrator. */
export class Groups {
  readonly #server: () => TestServer;
  #count = 0;

  constructor(server: () => TestServer) {
    this.#server = server;
  }

  unique(name: string): string {
    return `${name} ${++this.#count}`;
  }

  async person(organizationId = this.#server().organizationId) {
    const user = await makeUser(this.#server().coffer, { organizationId });
    return { ...user, username: user.email, call: this.#server().as(user.token) };
  }

  make(make: { name?: string; slug?: string; role?: string } = {}): Promise<MadeGroup> {
    return this.#admin('POST', '/api/v1/groups', { name: this.unique('Group'), ...make });
  }

  /** A project, and a group with a person and a machine identity in it, which is not in the project. */
  async filled() {
    const server = this.#server();
    const [project, group] = [await server.project(), await this.make()];
    const [ann, machine] = [await this.person(), await server.identity()];
    for (const one of [ann, machine]) await this.putIn(group, one);
    return { project, group, ann, machine };
  }

  putIn(group: Ref, one: Ref | Person): Promise<Answer['body']> {
    return this.#admin('POST', memberUrl(group, one));
  }

  takeOut(group: Ref, one: Ref | Person): Promise<Answer['body']> {
    return this.#admin('DELETE', memberUrl(group, one));
  }

  letInto(project: Ref, group: Ref, body: object): Promise<{ groupMembership: Ref & { groupId: string } }> {
    return this.#admin('POST', projectUrl(project, group), body);
  }

  /** A machine identity with these rights in the organization. */
  holder(...organizationRules: NonNullable<MakeIdentity['organizationRules']>) {
    return this.#server().identity({ organizationRules });
  }

  async organizationRole(...permissions: object[]): Promise<Ref & { slug: string }> {
    const slug = `role-${++this.#count}`;
    return (await this.#admin('POST', '/api/v1/organization/roles', { slug, name: 'Custom', permissions })).role;
  }

  /** The slug of a new role of a project. */
  async projectRole(project: Ref, ...permissions: object[]): Promise<string> {
    const slug = `role-${++this.#count}`;
    await this.#admin('POST', `/api/v1/projects/${project.id}/roles`, { slug, name: slug, permissions });
    return slug;
  }

  /** Callers with invalid tokens: an expired and a revoked one. */
  async ended(): Promise<Caller[]> {
    const test = this.#server();
    const make = { name: 'gone', organizationId: test.organizationId, role: 'admin' };
    const { id } = (await this.#admin('POST', '/api/v1/identities', make)).identity;
    const auth = '/api/v1/auth/token-auth';
    await this.#admin('POST', `${auth}/identities/${id}`, { accessTokenTTL: 600, accessTokenMaxTTL: 600 });
    const revoked = await this.#admin('POST', `${auth}/identities/${id}/tokens`, {});
    await this.#admin('POST', `${auth}/tokens/${revoked.tokenData.id}/revoke`);
    const expired = await this.#admin('POST', `${auth}/identities/${id}/tokens`, {});
    await ok(test.as(expired.accessToken)('GET', '/api/v1/groups'));
    test.advance(601_000);
    return [test.as(expired.accessToken), test.as(revoked.accessToken)];
  }

  #admin(method: Method, url: string, body?: object): Promise<Answer['body']> {
    return ok(this.#server().admin(method, url, body));
  }
}
