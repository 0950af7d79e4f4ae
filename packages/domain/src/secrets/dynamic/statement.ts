import { badRequest, type DomainError } from '../../kernel/index.ts';

/** The fault of a field with owners' statements, commands or LDIFs. */
export const refuseIn =
  (field: string) =>
  (why: string): DomainError =>
    badRequest('dynamic_secret.statement', `${field}: ${why}`, { field });

/** A session at a target where logins are made by statements that the owner writes. */
interface LoginSession<Statement> {
  run(statement: Statement): Promise<unknown>;
  /** @throws DomainError 400 if the managing account cannot tell: none that it sees is not none. */
  canLogIn(username: string): Promise<boolean>;
  endSessions(username: string): Promise<void>;
}

/** A statement of the owner, and the login that it is about; `title` is what error messages call it: `the login`. */
interface LoginStatement<Statement> {
  readonly statement: Statement;
  readonly username: string;
  readonly title: string;
}

/** Runs the creationStatement. @throws DomainError 400 `dynamic_secret.no_login` if the login does not exist afterwards */
async function createLogin<Statement>(
  session: LoginSession<Statement>,
  { statement, username, title }: LoginStatement<Statement>,
): Promise<void> {
  await session.run(statement);
  if (!(await session.canLogIn(username)))
    throw badRequest('dynamic_secret.no_login', `The creationStatement did not create ${title} named {{username}}`);
}

/** The lease of a new login that the creationStatement has created, with this password in it. @throws as `createLogin` */
export async function leaseLogin<Statement>(
  login: LoginStatement<Statement> & { readonly password: string },
  inSession: (work: (session: LoginSession<Statement>) => Promise<void>) => Promise<void>,
): Promise<{ DB_USERNAME: string; DB_PASSWORD: string }> {
  await inSession((session) => createLogin(session, login));
  return { DB_USERNAME: login.username, DB_PASSWORD: login.password };
}

/**
 * Runs the revocationStatement, and ends the sessions of the login. The login was made under exactly this name: without it
 * nothing is left, whatever the target says against the statement.
 *
 * @throws DomainError 400 if the login still exists: `dynamic_secret.login_left`, or the target's error.
 */
export async function deleteLogin<Statement>(
  session: LoginSession<Statement>,
  { statement, username, title }: LoginStatement<Statement>,
): Promise<void> {
  let failure: unknown = badRequest('dynamic_secret.login_left', `The revocationStatement did not delete ${title}`);
  await session.run(statement).catch((error: unknown) => (failure = error));
  if (await session.canLogIn(username)) throw failure;
  await session.endSessions(username);
}
