import { z } from 'zod';
import { SeenActor } from '../../access-insight/effective-access/insight.ts';
import { count, defineEvent, Id, Uuid } from '../../kernel/schema.ts';
import { LoginUser } from '../login/login.ts';

const NamedHost = z.object({ id: Uuid, hostname: z.string() });

export const SshLoginsQuery = z.object({
  projectId: Id,
  sshHostId: Id.optional().describe('Who may log in on this host'),
  userId: Id.optional().describe('Where this user may log in'),
  identityId: Id.optional().describe('Where this machine identity may log in'),
  loginUser: LoginUser.optional(),
  offset: count(0, 1_000_000).default(0).describe('Number of items to skip'),
  limit: count(1, 1000).default(100).describe('Maximum number of items'),
});
export type SshLoginsQuery = z.output<typeof SshLoginsQuery>;

/** Why somebody may log in. */
const LoginGrant = z.object({
  hostGroup: z.object({ id: Uuid, name: z.string() }).nullable().describe('null: by a mapping of the host itself'),
  isByGroup: z.boolean().describe('Whether a group is mapped'),
  group: z
    .object({ id: Uuid, name: z.string(), slug: z.string() })
    .nullable()
    .describe('The group that is mapped; only for callers who may read groups'),
});

/** Somebody who may log in on a host as one of its users. */
export const SshLogin = z.object({
  host: NamedHost,
  loginUser: z.string(),
  actor: SeenActor,
  grants: z.array(LoginGrant).describe('The login mappings that hold on this host'),
  otherHosts: z
    .array(NamedHost)
    .describe(
      'Without a mapping on this host: hosts with one, whose certificates open this host, too, since both have the principal mode `login-user` and the same user authority. At most 10, of those that the caller may read',
    ),
});
export type SshLogin = z.output<typeof SshLogin>;

/** Who may log in where, as which user, and why. */
export const SshLoginReport = z.object({
  logins: z.array(SshLogin),
  totalCount: z.int().describe('Number of logins that the caller may see'),
  hiddenCount: z.int().describe('Number of logins of actors that the caller may not see'),
});
export type SshLoginReport = z.output<typeof SshLoginReport>;

export const sshAccessViewed = defineEvent(
  'ssh_access.viewed',
  'view-ssh-access',
  z.object({ sshHostId: z.string().nullable(), actorId: z.string().nullable(), loginUser: z.string().nullable() }),
);
