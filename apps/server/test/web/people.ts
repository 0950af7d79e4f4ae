import { makeProject, makeUser } from '@coffer/domain/testing';
import { PASSWORD, type ConsoleWorld } from './harness.ts';

let made = 0;

/** A user who can sign in, with a role in the organization. */
export async function person(
  world: ConsoleWorld,
  role: 'admin' | 'member' | 'no-access' = 'member',
): Promise<{ id: string; email: string; token: string }> {
  const email = `person${++made}@example.com`;
  const { id, token } = await makeUser(world.coffer, {
    email,
    password: PASSWORD,
    organizationId: world.organizationId,
    role,
  });
  return { id, email, token };
}

/** Built in, or the slug of a role of the project. */
type ProjectRole = 'admin' | 'member' | 'viewer' | 'no-access' | (string & {});

/** The address of a new user with a role in a project. */
export async function member(world: ConsoleWorld, projectId: string, role: ProjectRole): Promise<string> {
  const { email } = await person(world);
  const added = await world.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
    emails: [email],
    roleSlugs: [role],
  });
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  return email;
}

/** A project with the environments dev, staging and prod, and a user with a role in it. */
export async function projectOf(
  world: ConsoleWorld,
  role: ProjectRole = 'admin',
): Promise<{ id: string; email: string }> {
  const { id } = await makeProject(world.coffer, world.organizationId, world.adminIdentity.actor);
  return { id, email: await member(world, id, role) };
}
