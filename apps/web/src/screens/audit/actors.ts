import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { nameOf } from '../access/person.ts';
import type { Actor } from './filter-form.tsx';

const byName = (one: Actor, other: Actor) => one.name.localeCompare(other.name);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Who has acted in a project of late. */
export function useActorsOfProject(projectId: string): readonly Actor[] {
  const { data } = useQuery({
    ...ask('auditLog', 'actors', { workspaceId: projectId }),
    enabled: projectId !== '',
  });
  return (data?.actors ?? [])
    .map(({ metadata }) => ({
      id: [metadata['userId'], metadata['identityId'], metadata['serviceId']].map(text).find(Boolean) ?? '',
      name: [metadata['name'], metadata['username'], metadata['email']].map(text).find(Boolean) ?? '',
    }))
    .filter(({ id, name }) => id !== '' && name !== '')
    .toSorted(byName);
}

/** The members and machine identities of the organization, as far as the user may list them. */
export function useActorsOfOrganization(isAsked: boolean): readonly Actor[] {
  const organizationId = useOrganizationId();
  const people = useQuery({ ...ask('organizationMembers', 'list', { organizationId }), enabled: isAsked });
  const machines = useQuery({ ...ask('identities', 'list', { orgId: organizationId }), enabled: isAsked });
  return [
    ...(people.data?.users ?? []).map(({ user }) => ({ id: user.id, name: nameOf(user) })),
    ...(machines.data?.identities ?? []).map(({ identity }) => ({ id: identity.id, name: identity.name })),
  ].toSorted(byName);
}
