import {
  getSshCertificate,
  IssueSshCredentials,
  issueSshCredentials,
  ListSshCertificates,
  listSshCertificates,
  revokeSshCertificate,
  SignedSshKey,
  SignSshKey,
  signSshKey,
  SshCertificate,
  sshCertificatePermissions,
  SshCertificateRef,
  SshCredentials,
  WholeSshCertificate,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, delete: remove } = sshCertificatePermissions;
const ONE = '/api/v1/ssh/certificates/{serialNumber}';

export const sshCertificateRouter = router({
  issue: procedure
    .meta(
      rest('POST', '/api/v1/ssh/certificates/issue', create, 'Issue SSH credentials', {
        description: 'A new key and its certificate, by a template. The private key is not stored.',
      }),
    )
    .input(IssueSshCredentials)
    .output(SshCredentials)
    .mutation(({ ctx, input }) => issueSshCredentials(ctx, input)),
  sign: procedure
    .meta(
      rest('POST', '/api/v1/ssh/certificates/sign', create, 'Sign an SSH public key', {
        description: 'A certificate for a key of the caller, by a template.',
      }),
    )
    .input(SignSshKey)
    .output(SignedSshKey)
    .mutation(({ ctx, input }) => signSshKey(ctx, input)),
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/workspace/{projectId}/ssh-certificates',
        read,
        'List the SSH certificates of a project, newest first',
      ),
    )
    .input(ListSshCertificates)
    .output(z.object({ certificates: z.array(SshCertificate), totalCount: z.int() }))
    .query(({ ctx, input }) => listSshCertificates(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read an SSH certificate'))
    .input(SshCertificateRef)
    .output(z.object({ certificate: WholeSshCertificate }))
    .query(async ({ ctx, input }) => ({ certificate: await getSshCertificate(ctx, input) })),
  revoke: procedure
    .meta(
      rest('POST', `${ONE}/revoke`, remove, 'Revoke an SSH certificate', {
        description: 'The revocation list of its authority has it within a second.',
      }),
    )
    .input(SshCertificateRef)
    .output(z.object({ certificate: SshCertificate }))
    .mutation(async ({ ctx, input }) => ({ certificate: await revokeSshCertificate(ctx, input) })),
});
