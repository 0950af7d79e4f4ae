import {
  addHostToGroup,
  createSshHostGroup,
  CreateSshHostGroup,
  deleteSshHostGroup,
  getSshHostGroup,
  Id,
  ListedSshHostGroup,
  listHostsOfGroup,
  listSshHostGroups,
  ListSshHostsOfGroup,
  removeHostFromGroup,
  SshHost,
  SshHostGroup,
  sshHostGroupPermissions,
  SshHostGroupRef,
  SshHostInGroupRef,
  SshHostsOfGroup,
  updateSshHostGroup,
  UpdateSshHostGroup,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = sshHostGroupPermissions;
const ALL = '/api/v1/ssh/host-groups';
const ONE = `${ALL}/{sshHostGroupId}` as const;
const EDITS_HOSTS = 'Needs the permission to edit every host on which somebody may log in by this, or no longer may.';

export const sshHostGroupRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v2/workspace/{projectId}/ssh-host-groups', read, 'List the SSH host groups of a project', {
        aliases: ['/api/v1/projects/{projectId}/ssh-host-groups'],
      }),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ groups: z.array(ListedSshHostGroup) }))
    .query(async ({ ctx, input }) => ({ groups: await listSshHostGroups(ctx, input) })),
  create: procedure
    .meta(rest('POST', ALL, create, 'Create an SSH host group'))
    .input(CreateSshHostGroup)
    .output(SshHostGroup)
    .mutation(({ ctx, input }) => createSshHostGroup(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read an SSH host group'))
    .input(SshHostGroupRef)
    .output(SshHostGroup)
    .query(({ ctx, input }) => getSshHostGroup(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update an SSH host group', { description: EDITS_HOSTS }))
    .input(UpdateSshHostGroup)
    .output(SshHostGroup)
    .mutation(({ ctx, input }) => updateSshHostGroup(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete an SSH host group; its hosts stay', { description: EDITS_HOSTS }))
    .input(SshHostGroupRef)
    .output(SshHostGroup)
    .mutation(({ ctx, input }) => deleteSshHostGroup(ctx, input)),
  listHosts: procedure
    .meta(rest('GET', `${ONE}/hosts`, read, 'List the hosts of an SSH host group'))
    .input(ListSshHostsOfGroup)
    .output(SshHostsOfGroup)
    .query(({ ctx, input }) => listHostsOfGroup(ctx, input)),
  addHost: procedure
    .meta(rest('POST', `${ONE}/hosts/{hostId}`, edit, 'Add a host to an SSH host group', { description: EDITS_HOSTS }))
    .input(SshHostInGroupRef)
    .output(SshHost)
    .mutation(({ ctx, input }) => addHostToGroup(ctx, input)),
  removeHost: procedure
    .meta(
      rest('DELETE', `${ONE}/hosts/{hostId}`, edit, 'Remove a host from an SSH host group', {
        description: EDITS_HOSTS,
      }),
    )
    .input(SshHostInGroupRef)
    .output(SshHost)
    .mutation(({ ctx, input }) => removeHostFromGroup(ctx, input)),
});
