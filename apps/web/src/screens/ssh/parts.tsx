import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { choicePart, choicesPart } from '../../ui/schema-form/choice-part.tsx';
import { nameOf } from '../access/person.ts';

const useAuthorityOptions = () =>
  useQuery(ask('sshAuthorities', 'list', { projectId: useProjectId() })).data?.cas.map(
    ({ id, friendlyName, status }) => ({
      value: id,
      label: status === 'active' ? friendlyName : `${friendlyName} (disabled)`,
    }),
  );

const DEFAULT = 'None: that of its host groups, or the default of the project';

/** Which authority signs what a host accepts, and its own certificates. */
const authorityParts = {
  userSshCaId: choicePart({ label: 'User authority', useOptions: useAuthorityOptions, hint: DEFAULT }),
  hostSshCaId: choicePart({ label: 'Host authority', useOptions: useAuthorityOptions, hint: DEFAULT }),
};

/** Who is named in login mappings: members and groups of the project. */
const PRINCIPALS = 'loginMappings.*.allowedPrincipals';
const principalParts = {
  [`${PRINCIPALS}.usernames`]: choicesPart({
    label: 'Users',
    useOptions: () =>
      useQuery(ask('projectMembers', 'list', { projectId: useProjectId() })).data?.memberships.map(({ user }) => ({
        value: user.username,
        label: nameOf(user) === user.username ? user.username : `${nameOf(user)} (${user.username})`,
      })),
    none: 'The project has no members that you may read.',
  }),
  [`${PRINCIPALS}.groups`]: choicesPart({
    label: 'Groups',
    useOptions: () =>
      useQuery(ask('projectGroups', 'list', { projectId: useProjectId() })).data?.groupMemberships.map(({ group }) => ({
        value: group.slug,
        label: group.name,
      })),
    none: 'The project has no groups that you may read.',
  }),
};

/** The fields of hosts and host groups that name something else. */
export const hostParts = { ...authorityParts, ...principalParts };

export const authorityPart = choicePart({
  label: 'Authority',
  useOptions: useAuthorityOptions,
  none: 'There is none: create an SSH authority first.',
  isNeeded: true,
});

export const defaultParts = {
  defaultUserSshCaId: choicePart({ label: 'Default user authority', useOptions: useAuthorityOptions }),
  defaultHostSshCaId: choicePart({ label: 'Default host authority', useOptions: useAuthorityOptions }),
};

export const templatePart = choicePart({
  label: 'Template',
  useOptions: () =>
    useQuery(ask('sshTemplates', 'list', { projectId: useProjectId() }))
      .data?.certificateTemplates.filter(({ status }) => status === 'active')
      .map(({ id, name }) => ({ value: id, label: name })),
  none: 'There is none: create an SSH certificate template first.',
  isNeeded: true,
});

/** The name of an authority, with the way to it. */
export function AuthorityLink({ id }: { readonly id: string | null }) {
  const projectId = useProjectId();
  const { data } = useQuery(ask('sshAuthorities', 'list', { projectId }));
  if (id === null) return 'None';
  return (
    <Link to="/projects/$projectId/ssh/authorities/$id" params={{ projectId, id }}>
      {data?.cas.find((one) => one.id === id)?.friendlyName ?? id}
    </Link>
  );
}
