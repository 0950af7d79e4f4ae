/**
 * - `in_use`: another process owns the directory, or a server that we did not start runs on its cluster
 * - `unwritable`: the directory cannot be created, written, locked or accessed by the server's user
 * - `no_space`: the disk is full
 * - `unsupported_platform`: the PostgreSQL package has no programs for this platform
 * - `version_mismatch`: the cluster has another major version of PostgreSQL
 * - `port_taken`: no free port on loopback was found
 * - `start_failed`: PostgreSQL refused to start; the message contains its own
 */
export type EmbeddedPostgresErrorCode =
  | 'in_use'
  | 'unwritable'
  | 'no_space'
  | 'unsupported_platform'
  | 'version_mismatch'
  | 'port_taken'
  | 'start_failed';

/** An error with a `code` for programs and a `message` for operators that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Converts a failed file operation into one message for the operator. Own errors pass through. */
export function explainFileError(error: unknown, path: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new EmbeddedPostgresError(
        'unwritable',
        `A file lies where the database directory ${path} should be: move it away, or choose another directory`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedPostgresError(
        'unwritable',
        `The database directory ${path} cannot be written by user ${process.getuid?.() ?? 'unknown'}: change its owner or choose another directory`,
        { cause: error },
      );
    case 'EROFS':
      return new EmbeddedPostgresError(
        'unwritable',
        `The database directory ${path} is on a read-only file system: choose another directory`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpace(path, error);
    default:
      return new EmbeddedPostgresError('unwritable', `The database directory ${path} cannot be used: ${message}`, {
        cause: error,
      });
  }
}

export function noSpace(path: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'no_space',
    `The disk that holds ${path} is full: free some space (a new database needs 100 MB) and start again`,
    { cause },
  );
}
