import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { distinct, shortId } from '../../ui/short-id.ts';
import { wholeNameOf } from '../access/person.ts';
import { actorId, actorMark, actorName } from './entry.ts';
import type { Actor } from './filter-form.tsx';

const byName = (one: Actor, other: Actor) => one.name.localeCompare(other.name);

/** Who has acted in a project of late. */
export function useActorsOfProject(projectId: string): readonly Actor[] {
  const { data } = useQuery({
    ...ask('auditLog', 'actors', { workspaceId: projectId }),
    enabled: projectId !== '',
  });
  return (data?.actors ?? [])
    .flatMap((actor) => {
      const id = actorId({ actor });
      return id ? [{ id, name: distinct(actorName({ actor }), actorMark({ actor })) }] : [];
    })
    .toSorted(byName);
}

/** The members and machine identities of the organization, as far as the user may list them. */
export function useActorsOfOrganization(isAsked: boolean): readonly Actor[] {
  const organizationId = useOrganizationId();
  const people = useQuery({ ...ask('organizationMembers', 'list', { organizationId }), enabled: isAsked });
  const machines = useQuery({ ...ask('identities', 'list', { orgId: organizationId }), enabled: isAsked });
  return [
    ...(people.data?.users ?? []).map(({ user }) => ({ id: user.id, name: wholeNameOf(user) })),
    ...(machines.data?.identities ?? []).map(({ identity }) => ({
      id: identity.id,
      name: distinct(identity.name, shortId(identity.id)),
    })),
  ].toSorted(byName);
}
