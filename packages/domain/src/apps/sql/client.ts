import type { LoginIo } from '../../family/index.ts';
import type { PooledClient } from '../../kernel/index.ts';
import type { Dialect } from './statement.ts';

/** Where a database is, and who manages its logins. */
export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** PEM of the only trusted root; then TLS is required. */
  readonly ca?: string | null | undefined;
  /** Default: with TLS if the server offers it with a publicly trusted certificate, and without it if not. */
  readonly tls?: 'required' | 'none' | undefined;
}

/** Whether a connection without TLS is refused. */
export const requiresTls = ({ ca, tls }: SqlServer): boolean => tls === 'required' || Boolean(ca);

/** A connection of the account that manages logins. Errors of the database are thrown as `rejectedBy`. */
export interface SqlSession {
  /** Runs statements: all of them or none, where the database can. */
  run(statements: string): Promise<void>;
  /**
   * Whether a login with this name exists and can log in.
   *
   * @throws DomainError 400 if the managing account cannot tell: none that it sees is not none.
   */
  canLogIn(username: string): Promise<boolean>;
  /** Ends the sessions of this name, if the managing account may do that. */
  endSessions(username: string): Promise<void>;
}

/** What the connections of libraries have in common. */
export interface SqlConnection {
  readonly isOpen: boolean;
  /** Why there was no answer. */
  readonly failure: Error;
  /** Resets the session after owners' statements. */
  reset(): Promise<void>;
  close(): void;
}

/** A session on a connection that is kept between calls. */
export const pooled = (connection: SqlConnection, client: SqlSession): PooledClient<SqlSession> => ({
  client,
  isOpen: () => connection.isOpen,
  reset: () => connection.reset(),
  close: () => connection.close(),
});

/** The differences between databases. */
export interface SqlClient {
  readonly dialect: Dialect;
  /** The permitted names of logins. */
  readonly username: { readonly maxLength: number; readonly alphabet: RegExp };
  /** How `{{expiration}}` is written. */
  expiration(time: Date): string;
  open(server: SqlServer, io: LoginIo): Promise<PooledClient<SqlSession>>;
}
