import {
  createSshAuthority,
  CreateSshAuthority,
  deleteSshAuthority,
  getSshAuthority,
  getSshPublicKeys,
  getSshRevocationList,
  Id,
  listSshAuthorities,
  listTemplatesOfSshAuthority,
  ListedSshAuthority,
  rotateSshAuthority,
  RotateSshAuthority,
  SshAuthority,
  sshAuthorityPermissions,
  SshAuthorityRef,
  SshTemplate,
  sshTemplatePermissions,
  updateSshAuthority,
  UpdateSshAuthority,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = sshAuthorityPermissions;
const ALL = '/api/v1/ssh/ca';
const ONE = '/api/v1/ssh/ca/{sshCaId}';
const TEXT = 'text/plain; charset=utf-8';
const KRL = 'application/octet-stream';
/** Seconds of caching; a revocation is in the list within a second. */
const CACHED = 'public, max-age=30';

const Answer = z.object({ ca: SshAuthority });

export const sshAuthorityRouter = router({
  create: procedure
    .meta(
      rest('POST', ALL, create, 'Create an SSH certificate authority', {
        description: 'Its key is generated, or imported with `privateKey`.',
      }),
    )
    .input(CreateSshAuthority)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ ca: await createSshAuthority(ctx, input) })),
  list: procedure
    .meta(
      rest('GET', '/api/v2/workspace/{projectId}/ssh-cas', read, 'List the SSH certificate authorities of a project'),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ cas: z.array(ListedSshAuthority) }))
    .query(async ({ ctx, input }) => ({ cas: await listSshAuthorities(ctx, input) })),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read an SSH certificate authority'))
    .input(SshAuthorityRef)
    .output(Answer)
    .query(async ({ ctx, input }) => ({ ca: await getSshAuthority(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update an SSH certificate authority: rename, disable or enable it'))
    .input(UpdateSshAuthority)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ ca: await updateSshAuthority(ctx, input) })),
  delete: procedure
    .meta(
      rest('DELETE', ONE, remove, 'Delete an SSH certificate authority', {
        description: 'Its revocation list stays, and revokes everything that its keys have signed.',
      }),
    )
    .input(SshAuthorityRef)
    .output(z.object({ ca: ListedSshAuthority }))
    .mutation(async ({ ctx, input }) => ({ ca: await deleteSshAuthority(ctx, input) })),
  rotate: procedure
    .meta(
      rest('POST', `${ONE}/rotate`, edit, 'Rotate the key of an SSH certificate authority', {
        description: 'Both keys are published and trusted during the overlap.',
      }),
    )
    .input(RotateSshAuthority)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ ca: await rotateSshAuthority(ctx, input) })),
  templates: procedure
    .meta(
      rest(
        'GET',
        `${ONE}/certificate-templates`,
        sshTemplatePermissions.read,
        'List the certificate templates of an SSH certificate authority',
      ),
    )
    .input(SshAuthorityRef)
    .output(z.object({ certificateTemplates: z.array(SshTemplate) }))
    .query(async ({ ctx, input }) => ({ certificateTemplates: await listTemplatesOfSshAuthority(ctx, input) })),
  publicKey: procedure
    .meta(
      rest('GET', `${ONE}/public-key`, 'public', 'Download the public keys of an SSH certificate authority', {
        description: 'One line for each trusted key: during a rotation two. For `TrustedUserCAKeys` and `known_hosts`.',
        answers: [TEXT],
      }),
    )
    .input(SshAuthorityRef)
    .output(Raw)
    .query(async ({ ctx, input }) => {
      const { text, etag } = await getSshPublicKeys(ctx, input);
      return new RawAnswer(TEXT, text, { etag, 'cache-control': CACHED });
    }),
  revocationList: procedure
    .meta(
      rest('GET', `${ONE}/krl`, 'public', 'Download the revocation list of an SSH certificate authority', {
        description: 'In the form of OpenSSH (KRL), for `RevokedKeys`.',
        answers: [KRL],
      }),
    )
    .input(SshAuthorityRef)
    .output(Raw)
    .query(async ({ ctx, input }) => {
      const { body, etag } = await getSshRevocationList(ctx, input);
      return new RawAnswer(KRL, body, { etag, 'cache-control': CACHED });
    }),
});
