import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineUpdate, Id, Timestamps, Uuid } from '../../kernel/schema.ts';

export const sshConfigPermissions = projectPermissions('settings');

/** What SSH hosts of a project have unless they, or their groups, have their own. */
export const SshConfig = z.object({
  id: Uuid.describe('That of the project'),
  ...Timestamps.shape,
  projectId: Uuid,
  defaultUserSshCaId: Uuid.nullable(),
  defaultHostSshCaId: Uuid.nullable(),
});
export type SshConfig = z.output<typeof SshConfig>;

export const SshConfigRef = z.object({ projectId: Id });
export type SshConfigRef = z.output<typeof SshConfigRef>;

export const UpdateSshConfig = SshConfigRef.extend({
  defaultUserSshCaId: Id.optional(),
  defaultHostSshCaId: Id.optional(),
});
export type UpdateSshConfig = z.output<typeof UpdateSshConfig>;

export const sshConfigUpdated = defineUpdate(
  'ssh_config.updated',
  'update-project-ssh-config',
  z.object({ defaultUserSshCaId: z.string().nullable(), defaultHostSshCaId: z.string().nullable() }),
);
