import { endedSshLogins, endSshLogins } from '@coffer/domain';
import { makeUser, type MadeUser } from '@coffer/domain/testing';
import { nameOf, ok } from './certificates.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const HOSTS = '/api/v1/ssh/hosts';
export const HOST_GROUPS = '/api/v1/ssh/host-groups';

export const hostUrl = ({ id }: { id: string }, rest = ''): string => `${HOSTS}/${id}${rest}`;
export const groupUrl = ({ id }: { id: string }, rest = ''): string => `${HOST_GROUPS}/${id}${rest}`;

export interface Person extends MadeUser {
  readonly call: Caller;
}

/** `mapping('deploy', { users: [ann] })` */
export const mapping = (
  loginUser: string,
  { users = [], groups = [] }: { users?: readonly Pick<MadeUser, 'email'>[]; groups?: readonly { slug: string }[] },
) => ({
  loginUser,
  allowedPrincipals: { usernames: users.map(({ email }) => email), groups: groups.map(({ slug }) => slug) },
});

/** Makes SSH hosts, host groups, and those who log in, in one project. */
export class SshHosts {
  readonly test: TestServer;
  readonly projectId: string;

  constructor(test: TestServer, projectId: string) {
    this.test = test;
    this.projectId = projectId;
  }

  static async in(test: TestServer): Promise<SshHosts> {
    return new SshHosts(test, (await test.project()).id);
  }

  /** A user without any role in the organization; in the project unless `isOutside`. */
  async person({ isOutside = false } = {}): Promise<Person> {
    const user = await makeUser(this.test.coffer, { organizationId: this.test.organizationId });
    if (!isOutside) await this.add(user);
    return { ...user, call: this.test.as(user.token) };
  }

  async add({ email }: MadeUser): Promise<void> {
    const roleSlugs = ['no-access'];
    ok(
      await this.test.admin('POST', `/api/v1/projects/${this.projectId}/memberships`, {
        usernames: [email],
        emails: [],
        roleSlugs,
      }),
    );
  }

  async remove({ email }: MadeUser): Promise<void> {
    const path = `/api/v1/projects/${this.projectId}/memberships`;
    ok(await this.test.admin('DELETE', path, { usernames: [email], emails: [] }));
  }

  /** A group of the organization that is a member of the project. */
  async group(...members: readonly MadeUser[]): Promise<{ id: string; slug: string }> {
    const group = ok(await this.test.admin('POST', '/api/v1/groups', { name: nameOf('team') }));
    for (const { email } of members) ok(await this.test.admin('POST', `/api/v1/groups/${group.id}/users/${email}`));
    const path = `/api/v1/projects/${this.projectId}/memberships/groups/${group.id}`;
    ok(await this.test.admin('POST', path, { role: 'no-access' }));
    return group;
  }

  wanted(more: object = {}) {
    return { projectId: this.projectId, hostname: `${nameOf('host')}.example.com`, ...more };
  }

  async host(more: object = {}): Promise<Answer['body']> {
    return ok(await this.test.admin('POST', HOSTS, this.wanted(more)));
  }

  async hostGroup(more: object = {}): Promise<Answer['body']> {
    const { projectId } = this;
    return ok(await this.test.admin('POST', HOST_GROUPS, { projectId, name: nameOf('host-group'), ...more }));
  }

  async join(host: { id: string }, group: { id: string }): Promise<void> {
    ok(await this.test.admin('POST', groupUrl(group, `/hosts/${host.id}`)));
  }

  /** Somebody with these rules in the project. */
  who(...rules: object[]) {
    return this.test.identity({ projectId: this.projectId, rules: rules as never });
  }
}

/** A rule on hosts, for some names. */
export const onHosts = (action: string | string[], hostname?: string) => ({
  subject: 'ssh-hosts',
  action,
  ...(hostname && { conditions: { hostname: { $glob: hostname } } }),
});
/** A rule on host groups. */
export const onHostGroups = (action: string | string[]) => ({ subject: 'ssh-host-groups', action });

export const issueUserCert = (call: Caller, host: { id: string }, loginUser: string): Promise<Answer> =>
  call('POST', hostUrl(host, '/issue-user-cert'), { loginUser });

/** Runs the jobs that revoke certificates of logins that have ended, those of one organization. */
export async function endLogins({ coffer }: TestServer, organizationId: string): Promise<void> {
  const platform = coffer.contextFor({ type: 'platform', organizationId: undefined });
  await endedSshLogins.run(platform, {}, {} as never);
  const { rows } = await coffer.pool.query<{ payload: { organizationId: string } }>(
    `select payload from graphile_worker._private_jobs where key = $1`,
    [`ssh-logins:${organizationId}`],
  );
  for (const { payload } of rows) await endSshLogins.run(platform, payload, {} as never);
}
