import type { Rule } from '@coffer/domain';
import { makeIdentity, makeUser } from '@coffer/domain/testing';
import type { Operation } from '@coffer/api';
import { ok } from './groups.ts';
import type { World } from './matrix-world.ts';
import type { Caller, TestServer } from './test-server.ts';

/** A machine identity and a person with the same rights. */
export interface LimitedMembers {
  readonly machine: Caller;
  readonly person: Caller;
}

interface Limits {
  /** The name of their roles. */
  readonly slug: string;
  readonly organization: readonly Rule[];
  readonly projectId: string;
  readonly project: readonly Rule[];
}

/** Two new members of the organization of a world, and of one of its projects, who have these rules and no others. */
export async function makeLimitedMembers(
  test: TestServer,
  { organizationId, machine: admin }: World,
  { slug, organization, projectId, project }: Limits,
): Promise<LimitedMembers> {
  const named = { slug, name: slug };
  await ok(admin('POST', '/api/v1/organization/roles', { ...named, permissions: organization }));
  await ok(admin('POST', `/api/v1/projects/${projectId}/roles`, { ...named, permissions: project }));
  const places = { organizationId, organizationRole: slug, projectId, projectRole: slug };
  const machine = await makeIdentity(test.coffer, places);
  const person = await makeUser(test.coffer, { organizationId, role: slug });
  const member = { usernames: [person.email], emails: [], roleSlugs: [slug] };
  await ok(admin('POST', `/api/v1/projects/${projectId}/memberships`, member));
  return { machine: test.as(machine.token), person: test.as(person.token) };
}

/** All rights to all subjects but some, of which `left` may be what is left. */
export const allBut = (
  subjects: Readonly<Record<string, { readonly actions: readonly string[] }>>,
  without: readonly string[],
  left: (actions: readonly string[]) => readonly string[] = () => [],
): Rule[] =>
  Object.entries(subjects).flatMap(([subject, { actions }]) => {
    const action = without.includes(subject) ? left(actions) : actions.filter((one) => one !== LEGACY[subject]);
    return action.length > 0 ? { subject, action: [...action] } : [];
  });

/** Actions that exclude others in a rule. */
const LEGACY: Readonly<Record<string, string>> = { secrets: 'read' };

/** Whoever of both an operation is for. */
export const callerOf = ({ machine, person }: LimitedMembers, { meta }: Operation): Caller =>
  !meta.rest?.actors || meta.rest.actors.includes('identity') ? machine : person;
