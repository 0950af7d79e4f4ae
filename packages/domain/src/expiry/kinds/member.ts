import { privilegePermissions } from '../../access/privilege/index.ts';
import { actorIdOf, type Permission } from '../../kernel/index.ts';
import {
  groupMemberPermissions,
  identityMemberPermissions,
  projectMemberPermissions,
} from '../../projects/member/index.ts';
import { defineEnds, type Board } from '../kind.ts';

interface Holder {
  readonly membershipId: string;
  readonly userId: string | null;
  readonly identityId: string | null;
  readonly groupId: string | null;
}

const HOLDERS = `left join users u on u.id = m.user_id left join identities i on i.id = m.identity_id
  left join groups g on g.id = m.group_id`;

const held = {
  of: 'coalesce(u.username, i.name, g.name)',
  columns: `m.id as "membershipId", m.user_id as "userId", m.identity_id as "identityId", m.group_id as "groupId"`,
  details: ({ membershipId, userId, identityId }: Holder) => ({
    membershipId,
    holder: userId !== null ? 'user' : identityId !== null ? 'identity' : 'group',
  }),
};

type Reading = Readonly<Record<'user' | 'identity', Permission>> & { readonly group?: Permission };

/** What members have: everybody sees their own, as in their effective permissions. */
const mayReadOf =
  ({ user, identity, group }: Reading) =>
  ({ ctx, ability, projectId }: Board) => {
    const own = actorIdOf(ctx.actor);
    return ({ userId, identityId }: Holder): boolean => {
      if (userId !== null) return userId === own || ability.can(user, { projectId });
      if (identityId !== null) return identityId === own || ability.can(identity, { projectId, identityId });
      return group !== undefined && ability.can(group, { projectId });
    };
  };

/** Roles in a project that are given for a time. */
export const roles = defineEnds<Holder>({
  ...held,
  kind: 'role',
  from: `membership_roles r join memberships m on m.id = r.membership_id ${HOLDERS}
    left join roles c on c.id = r.custom_role_id`,
  where: `m.organization_id = board.organization_id and m.project_id = board.project_id and r.is_temporary`,
  id: 'r.id',
  endsAt: 'r.temporary_access_end_time',
  name: 'coalesce(c.name, r.role)',
  mayRead: mayReadOf({
    user: projectMemberPermissions.read,
    identity: identityMemberPermissions.read,
    group: groupMemberPermissions.read,
  }),
});

/** Additional privileges that are given for a time. */
export const privileges = defineEnds<Holder>({
  ...held,
  kind: 'privilege',
  from: `additional_privileges p join memberships m on m.id = p.membership_id ${HOLDERS}`,
  where: `p.organization_id = board.organization_id and p.project_id = board.project_id and p.is_temporary`,
  id: 'p.id',
  endsAt: 'p.temporary_access_end_time',
  name: 'p.slug',
  mayRead: mayReadOf({ user: privilegePermissions.user.read, identity: privilegePermissions.identity.read }),
});
