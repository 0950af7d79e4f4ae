import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, slug, Uuid } from '../../kernel/schema.ts';
import { LoginMapping, LoginMappings, PrincipalMode } from '../login/login.ts';

export const sshHostGroupPermissions = projectPermissions('ssh-host-groups');

const GroupName = slug(1, 64)
  .describe('Unique in the project')
  .meta({ examples: ['databases'] });
const INHERITED = 'null: each host has its own, or the default of the project';

/** Hosts with the same login mappings. */
export const SshHostGroup = z.object({
  id: Uuid,
  projectId: Uuid,
  name: z.string().meta({ examples: ['databases'] }),
  principalMode: PrincipalMode.nullable().describe('Of its hosts, unless they have their own'),
  userSshCaId: Uuid.nullable().describe('The authority of user certificates for its hosts, unless they have their own'),
  loginMappings: z.array(LoginMapping).describe('They hold on all hosts of the group'),
});
export type SshHostGroup = z.output<typeof SshHostGroup>;

/** With the number of its hosts that the caller may read. */
export const ListedSshHostGroup = SshHostGroup.extend({ hostCount: z.int() });
export type ListedSshHostGroup = z.output<typeof ListedSshHostGroup>;

export const CreateSshHostGroup = z.object({
  projectId: Id,
  name: GroupName,
  loginMappings: LoginMappings.default([]),
  principalMode: PrincipalMode.nullish(),
  userSshCaId: Id.nullish(),
});
export type CreateSshHostGroup = z.output<typeof CreateSshHostGroup>;

export const SshHostGroupRef = z.object({ sshHostGroupId: Id });
export type SshHostGroupRef = z.output<typeof SshHostGroupRef>;

export const UpdateSshHostGroup = SshHostGroupRef.extend({
  name: GroupName.optional(),
  loginMappings: LoginMappings.optional(),
  principalMode: PrincipalMode.nullish().describe(INHERITED),
  userSshCaId: Id.nullish().describe(INHERITED),
});
export type UpdateSshHostGroup = z.output<typeof UpdateSshHostGroup>;

export const SshHostInGroupRef = SshHostGroupRef.extend({ hostId: Id });
export type SshHostInGroupRef = z.output<typeof SshHostInGroupRef>;

export const ListSshHostsOfGroup = SshHostGroupRef.extend({
  filter: z.enum(['group-members', 'non-group-members']).optional().describe('Default: all hosts of the project'),
});
export type ListSshHostsOfGroup = z.output<typeof ListSshHostsOfGroup>;

export const SshHostOfGroup = z.object({
  id: Uuid,
  hostname: z.string(),
  alias: z.string().nullable(),
  isPartOfGroup: z.boolean(),
  joinedGroupAt: Instant.nullable(),
});
export type SshHostOfGroup = z.output<typeof SshHostOfGroup>;

export const SshHostsOfGroup = z.object({ hosts: z.array(SshHostOfGroup), totalCount: z.int() });
export type SshHostsOfGroup = z.output<typeof SshHostsOfGroup>;

const named = z.object({ sshHostGroupId: z.string(), name: z.string() });
const settings = {
  principalMode: PrincipalMode.nullable(),
  userSshCaId: z.string().nullable(),
  /** `loginUser: user or group`, as far as the change gives them. */
  loginMappings: z.array(z.string()).optional(),
};
export const sshHostGroupCreated = defineEvent(
  'ssh_host_group.created',
  'create-ssh-host-group',
  named.extend(settings),
);
export const sshHostGroupUpdated = defineUpdate(
  'ssh_host_group.updated',
  'update-ssh-host-group',
  named.extend(settings),
);
export const sshHostGroupDeleted = defineEvent('ssh_host_group.deleted', 'delete-ssh-host-group', named);
const membership = named.extend({ sshHostId: z.string(), hostname: z.string() });
export const sshHostAddedToGroup = defineEvent('ssh_host_group.host_added', 'ssh-host-group-add-host', membership);
export const sshHostRemovedFromGroup = defineEvent(
  'ssh_host_group.host_removed',
  'ssh-host-group-remove-host',
  membership,
);
