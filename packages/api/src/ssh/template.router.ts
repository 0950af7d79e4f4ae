import {
  CreateSshTemplate,
  createSshTemplate,
  deleteSshTemplate,
  getSshTemplate,
  Id,
  listSshTemplates,
  SshTemplate,
  sshTemplatePermissions,
  SshTemplateRef,
  UpdateSshTemplate,
  updateSshTemplate,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = sshTemplatePermissions;
const ONE = '/api/v1/ssh/certificate-templates/{certificateTemplateId}';

export const sshTemplateRouter = router({
  create: procedure
    .meta(rest('POST', '/api/v1/ssh/certificate-templates', create, 'Create an SSH certificate template'))
    .input(CreateSshTemplate)
    .output(SshTemplate)
    .mutation(({ ctx, input }) => createSshTemplate(ctx, input)),
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/workspace/{projectId}/ssh-certificate-templates',
        read,
        'List the SSH certificate templates of a project',
      ),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ certificateTemplates: z.array(SshTemplate) }))
    .query(async ({ ctx, input }) => ({ certificateTemplates: await listSshTemplates(ctx, input) })),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read an SSH certificate template'))
    .input(SshTemplateRef)
    .output(SshTemplate)
    .query(({ ctx, input }) => getSshTemplate(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update an SSH certificate template'))
    .input(UpdateSshTemplate)
    .output(SshTemplate)
    .mutation(({ ctx, input }) => updateSshTemplate(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete an SSH certificate template'))
    .input(SshTemplateRef)
    .output(SshTemplate)
    .mutation(({ ctx, input }) => deleteSshTemplate(ctx, input)),
});
