export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, details?: object) => void;

export interface EmbeddedPostgresOptions {
  /** The directory for everything; created (0700) if it does not exist. The cluster is in `postgres` below it. */
  directory: string;
  /** PostgreSQL settings on top of ours, such as `{ shared_buffers: '256MB' }`. */
  settings?: Record<string, string>;
  /** Called on events: starts, restarts, leftovers. Default: none. */
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
  /** The current process ID of the postmaster; it changes with a restart. */
  readonly pid: number;
  /** Stops the server and releases the directory. May be called at any time, repeatedly. */
  stop(): Promise<void>;
}
