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

/** A project with the environments dev, staging and prod, and a user with a role in it. */
export async function projectOf(
  world: ConsoleWorld,
  role: 'admin' | 'member' | 'viewer' | 'no-access' = 'admin',
): Promise<{ id: string; email: string }> {
  const project = await makeProject(world.coffer, world.organizationId, world.adminIdentity.actor);
  const { email } = await person(world, 'member');
  const added = await world.admin('POST', `/api/v1/projects/${project.id}/memberships`, {
    emails: [email],
    roleSlugs: [role],
  });
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  return { id: project.id, email };
}
