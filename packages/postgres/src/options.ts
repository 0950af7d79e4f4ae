export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, details?: object) => void;

export interface EmbeddedPostgresOptions {
  /** Holds everything; made (0700) when it is not there. The cluster lies in `postgres` below it. */
  directory: string;
  /** PostgreSQL settings on top of ours, such as `{ shared_buffers: '256MB' }`. */
  settings?: Record<string, string>;
  /** Hears what happens: starts, restarts, leftovers. Silent by default. */
  log?: Log;
}

export interface EmbeddedPostgres {
  /**
   * Of the owner, who makes tables and roles: `postgres://coffer:…@127.0.0.1:port/coffer`; stays the same when the server
   * process has to be restarted
   */
  readonly url: string;
  /** The same database for a role that logs in and owns nothing; its password is new at each start. */
  readonly servingUrl: string;
  /** The current process id of the postmaster; after a restart another one. */
  readonly pid: number;
  /** Ends the server in order and gives the directory free. May be called at any time, more than once. */
  stop(): Promise<void>;
}
