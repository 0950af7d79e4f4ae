import {
  getSshConfig,
  SshConfig,
  sshConfigPermissions,
  SshConfigRef,
  updateSshConfig,
  UpdateSshConfig,
} from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';

const PATH = '/api/v1/workspace/{projectId}/ssh-config';
const aliases = ['/api/v1/projects/{projectId}/ssh-config'] as const;

export const sshConfigRouter = router({
  get: procedure
    .meta(rest('GET', PATH, sshConfigPermissions.read, 'Read the SSH settings of a project', { aliases }))
    .input(SshConfigRef)
    .output(SshConfig)
    .query(({ ctx, input }) => getSshConfig(ctx, input)),
  update: procedure
    .meta(
      rest('PATCH', PATH, sshConfigPermissions.edit, 'Update the SSH settings of a project', {
        description: 'Another authority also needs the permission to edit it, and the hosts that accept it then.',
        aliases,
      }),
    )
    .input(UpdateSshConfig)
    .output(SshConfig)
    .mutation(({ ctx, input }) => updateSshConfig(ctx, input)),
});
