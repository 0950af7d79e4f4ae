import type { CofferClient } from '@coffer/client';
import { again } from '../../again.ts';
import { ask, askHidden, choose } from '../../ask.ts';
import { failure, usage } from '../../exit.ts';
import { clientFor } from '../../client.ts';
import type { Invocation } from '../../table/command.ts';
import { RefreshCookie } from '../../vault/user-session.ts';
import type { loginFlags } from './flags.ts';
import { codeFromBrowser } from './browser.ts';
import type { LoggedIn } from './logged-in.ts';

type Login = Invocation<typeof loginFlags>;

/** Logs a user in: by the browser at a terminal, by e-mail address and password where these are given or wanted. */
export const userToken = (login: Login, domain: string, client: CofferClient): Promise<LoggedIn> =>
  usesBrowser(login) ? byBrowser(login, domain, client) : byPassword(login, domain);

const usesBrowser = ({ flags, io }: Login): boolean =>
  flags.browser || (io.isInteractive && !flags.interactive && !flags.email && !flags.password);

/** The organization is that of the browser. @throws CommandError if another one was named. */
async function byBrowser({ flags, io }: Login, domain: string, client: CofferClient): Promise<LoggedIn> {
  if (flags['organization-id'] || flags['organization-slug'])
    throw usage(
      'The organization is chosen in the browser: leave out --organization-id and --organization-slug, or pass --email',
    );
  const exchanged = await client.commandLine.exchange.mutate(await codeFromBrowser(io, domain));
  const { token, refreshToken, email, organizationId, organizationName } = exchanged;
  return { token, refreshToken, kind: 'user', name: email, organizationId, organization: organizationName };
}

/** Selects the organization that is wanted. */
async function byPassword({ flags, io }: Login, domain: string): Promise<LoggedIn> {
  const email =
    flags.email ?? (await ask(io, 'E-mail address: ', 'pass --email, --browser, or --method for a machine identity'));
  const password = flags.password ?? (await askHidden(io, 'Password: ', 'set COFFER_PASSWORD'));
  const cookie = new RefreshCookie();
  const client = clientFor(io, domain, { fetch: cookie.fetch });
  const { accessToken } = await again(() => client.sessions.logIn.mutate({ email, password }));
  const user = clientFor(io, domain, { token: accessToken });
  const { organizations } = await user.organizations.list.query();
  const wanted = organizations.filter(
    ({ id, slug }) =>
      (!flags['organization-id'] || id === flags['organization-id']) &&
      (!flags['organization-slug'] || slug === flags['organization-slug']),
  );
  if (!wanted.length)
    throw failure(
      organizations.length ? 'You are not in this organization' : 'You are in no organization',
      organizations.length ? `Yours are: ${organizations.map(({ slug }) => slug).join(', ')}` : undefined,
    );
  const { id, name } =
    wanted.length === 1
      ? wanted[0]!
      : await choose(io, 'Organization', wanted, (one) => `${one.name} (${one.slug})`, 'pass --organization-slug');
  const select = () => user.sessions.selectOrganization.mutate({ organizationId: id, userAgent: 'cli' });
  const { token } = await again(select);
  return {
    token,
    refreshToken: cookie.token,
    kind: 'user',
    name: email,
    organizationId: id,
    organization: name,
  };
}
