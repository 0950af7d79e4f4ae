import { makeIdentity } from '@coffer/domain/testing';
import type { TestServer } from '../test-server.ts';
import type { GrantingWorld } from './world.ts';

/** Duration of the right that a planted fault makes permanent; milliseconds. */
export const SHORT = 10_000;

/**
 * An actor who may read all of the first project's secrets for ten seconds, another one likewise, and one who may
 * permanently.
 */
export async function plantShortRight(
  test: TestServer,
  { organizationId, projectIds: [projectId], masters: [master] }: GrantingWorld,
): Promise<{ holder: { id: string }; other: string; machine: string }> {
  const rules = [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }];
  const make = (its: typeof rules) => makeIdentity(test.coffer, { organizationId, projectId: projectId!, rules: its });
  const [holder, other, machine] = [await make([]), await make([]), await make(rules)];
  for (const { id } of [holder, other]) {
    const { status, body } = await master!.call('POST', '/api/v2/identity-project-additional-privilege', {
      projectId,
      identityId: id,
      slug: 'short',
      permissions: rules,
      type: {
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: `${SHORT}ms`,
        temporaryAccessStartTime: test.coffer.now().toISOString(),
      },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  return { holder, other: other.id, machine: machine.id };
}
