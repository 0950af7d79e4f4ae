import {
  createSshHost,
  CreateSshHost,
  deleteSshHost,
  getHostCaPublicKeys,
  getSshHost,
  getSshHostCertificate,
  getUserCaPublicKeys,
  Id,
  issueSshHostCertificate,
  IssueSshHostCertificate,
  issueSshUserCertificate,
  IssueSshUserCertificate,
  listOwnSshHosts,
  listSshHosts,
  listSshLogins,
  SignedSshKey,
  SshCredentials,
  SshHost,
  sshHostPermissions,
  SshHostRef,
  SshLoginReport,
  SshLoginsQuery,
  updateSshHost,
  UpdateSshHost,
  type PublicText,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove, 'issue-host-cert': issueHostCert } = sshHostPermissions;
const ALL = '/api/v1/ssh/hosts';
const ONE = `${ALL}/{sshHostId}` as const;

const TEXT = 'text/plain; charset=utf-8';
const AGE = 60;

/** A text that everybody may read, which changes seldom. */
const asAnswer = ({ text, etag }: PublicText): RawAnswer =>
  new RawAnswer(TEXT, text, { etag, 'cache-control': `public, max-age=${AGE}` });

export const sshHostRouter = router({
  listOwn: procedure
    .meta(
      rest('GET', ALL, 'member', 'List the SSH hosts that the caller may log in to', {
        description: 'In all projects of the organization. The login mappings are those about the caller.',
      }),
    )
    .input(z.object({}))
    .output(z.array(SshHost))
    .query(({ ctx }) => listOwnSshHosts(ctx)),
  list: procedure
    .meta(
      rest('GET', '/api/v2/workspace/{projectId}/ssh-hosts', read, 'List the SSH hosts of a project', {
        aliases: ['/api/v1/projects/{projectId}/ssh-hosts'],
      }),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ hosts: z.array(SshHost) }))
    .query(async ({ ctx, input }) => ({ hosts: await listSshHosts(ctx, input) })),
  create: procedure
    .meta(
      rest('POST', ALL, create, 'Create an SSH host', {
        description: 'Login mappings need the permission to edit every host that their certificates open.',
      }),
    )
    .input(CreateSshHost)
    .output(SshHost)
    .mutation(({ ctx, input }) => createSshHost(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read an SSH host'))
    .input(SshHostRef)
    .output(SshHost)
    .query(({ ctx, input }) => getSshHost(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update an SSH host'))
    .input(UpdateSshHost)
    .output(SshHost)
    .mutation(({ ctx, input }) => updateSshHost(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete an SSH host and its login mappings'))
    .input(SshHostRef)
    .output(SshHost)
    .mutation(({ ctx, input }) => deleteSshHost(ctx, input)),
  issueUserCert: procedure
    .meta(
      rest('POST', `${ONE}/issue-user-cert`, 'member', 'Issue an SSH user certificate for a host, with a new key', {
        description: 'Needs a login mapping of the host or one of its groups, and no other permission.',
      }),
    )
    .input(IssueSshUserCertificate)
    .output(SshCredentials)
    .mutation(({ ctx, input }) => issueSshUserCertificate(ctx, input)),
  issueHostCert: procedure
    .meta(
      rest('POST', `${ONE}/issue-host-cert`, issueHostCert, 'Issue an SSH host certificate for a key of the host', {
        description: 'It is renewed automatically for the same key and hostname, unless `autoRenewal` is false.',
      }),
    )
    .input(IssueSshHostCertificate)
    .output(SignedSshKey)
    .mutation(({ ctx, input }) => issueSshHostCertificate(ctx, input)),
  hostCertificate: procedure
    .meta(
      rest('GET', `${ONE}/host-certificate`, 'public', 'Read the newest valid certificate of an SSH host, as text', {
        answers: [TEXT],
      }),
    )
    .input(SshHostRef)
    .output(Raw)
    .query(async ({ ctx, input }) => asAnswer(await getSshHostCertificate(ctx, input))),
  userCaPublicKey: procedure
    .meta(
      rest('GET', `${ONE}/user-ca-public-key`, 'public', 'Read the user authority of an SSH host, as public keys', {
        answers: [TEXT],
        description: 'For `TrustedUserCAKeys`. One key on each line; two while the authority is rotated.',
      }),
    )
    .input(SshHostRef)
    .output(Raw)
    .query(async ({ ctx, input }) => asAnswer(await getUserCaPublicKeys(ctx, input))),
  hostCaPublicKey: procedure
    .meta(
      rest('GET', `${ONE}/host-ca-public-key`, 'public', 'Read the host authority of an SSH host, as public keys', {
        answers: [TEXT],
        description: 'For `@cert-authority` in `known_hosts`. One key on each line.',
      }),
    )
    .input(SshHostRef)
    .output(Raw)
    .query(async ({ ctx, input }) => asAnswer(await getHostCaPublicKeys(ctx, input))),
  logins: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/access/ssh-logins', read, 'List who may log in on SSH hosts, and why', {
        description:
          'On one host, of one user or machine identity, or all. Counts every host that the certificates open. Actors that the caller may not read are counted, not named.',
      }),
    )
    .input(SshLoginsQuery)
    .output(SshLoginReport)
    .query(({ ctx, input }) => listSshLogins(ctx, input)),
});
