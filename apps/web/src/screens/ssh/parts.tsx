import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { choicePart, choicesPart } from '../../ui/schema-form/choice-part.tsx';
import { distinct } from '../../ui/short-id.ts';
import { nameOf } from '../access/person.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const useAuthorityOptions = () =>
  useQuery(ask('sshAuthorities', 'list', { projectId: useProjectId() })).data?.cas.map(
    ({ id, friendlyName, status }) => ({
      value: id,
      label: status === 'active' ? friendlyName : texts.nameDisabled(friendlyName),
    }),
  );

const DEFAULT = texts.noneOfItsOwn;

/** Which authority signs what a host accepts, and its own certificates. */
const authorityParts = {
  userSshCaId: choicePart({ label: texts.userAuthority, useOptions: useAuthorityOptions, hint: DEFAULT }),
  hostSshCaId: choicePart({ label: texts.hostAuthority, useOptions: useAuthorityOptions, hint: DEFAULT }),
};

/** Who is named in login mappings: members and groups of the project. */
const PRINCIPALS = 'loginMappings.*.allowedPrincipals';
const principalParts = {
  [`${PRINCIPALS}.usernames`]: choicesPart({
    label: texts.users,
    useOptions: () =>
      useQuery(ask('projectMembers', 'list', { projectId: useProjectId() })).data?.memberships.map(({ user }) => ({
        value: user.username,
        label: distinct(nameOf(user), nameOf(user) === user.username ? undefined : user.username),
      })),
    none: texts.projectHasNoMembers,
  }),
  [`${PRINCIPALS}.groups`]: choicesPart({
    label: words.groups,
    useOptions: () =>
      useQuery(ask('projectGroups', 'list', { projectId: useProjectId() })).data?.groupMemberships.map(({ group }) => ({
        value: group.slug,
        label: group.name,
      })),
    none: texts.projectHasNoGroups,
  }),
};

/** The fields of hosts and host groups that name something else. */
export const hostParts = { ...authorityParts, ...principalParts };

export const authorityPart = choicePart({
  label: words.authority,
  useOptions: useAuthorityOptions,
  none: texts.noAuthority,
  isNeeded: true,
});

export const defaultParts = {
  defaultUserSshCaId: choicePart({ label: texts.defaultUserAuthority, useOptions: useAuthorityOptions }),
  defaultHostSshCaId: choicePart({ label: texts.defaultHostAuthority, useOptions: useAuthorityOptions }),
};

export const templatePart = choicePart({
  label: words.template,
  useOptions: () =>
    useQuery(ask('sshTemplates', 'list', { projectId: useProjectId() }))
      .data?.certificateTemplates.filter(({ status }) => status === 'active')
      .map(({ id, name }) => ({ value: id, label: name })),
  none: texts.noTemplate,
  isNeeded: true,
});

/** The name of an authority, with the way to it. */
export function AuthorityLink({ id }: { readonly id: string | null }) {
  const projectId = useProjectId();
  const { data } = useQuery(ask('sshAuthorities', 'list', { projectId }));
  if (id === null) return '–';
  return (
    <Link to="/projects/$projectId/ssh/authorities/$id" params={{ projectId, id }}>
      {data?.cas.find((one) => one.id === id)?.friendlyName ?? id}
    </Link>
  );
}
