import type { OutboundConnect, PooledClient } from '../../kernel/index.ts';
import type { Dialect } from './statement.ts';

/** Where a database is, and who manages its logins. */
export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** PEM of the only root to trust; then there is no connection without TLS. */
  readonly ca?: string | null | undefined;
}

/** A connection of the one who manages logins. What the database says against something is thrown as `rejectedBy`. */
export interface SqlSession {
  /** Runs statements: all of them or none, where the database can. */
  run(statements: string): Promise<void>;
  /** Whether there is a login of this name that can log in. */
  canLogIn(username: string): Promise<boolean>;
  /** Ends what is open under this name, as far as the one who manages logins may. */
  endSessions(username: string): Promise<void>;
}

/** What is different between databases. */
export interface SqlClient {
  readonly dialect: Dialect;
  /** The names of logins that it takes. */
  readonly username: { readonly maxLength: number; readonly alphabet: RegExp };
  /** How `{{expiration}}` is written. */
  expiration(time: Date): string;
  open(server: SqlServer, connect: OutboundConnect): Promise<PooledClient<SqlSession>>;
}
