/**
 * Rejected input: malformed, or violating a rule. `code` is the stable name of the rule, `message` describes the fault.
 * Any other exception is a bug.
 */
export class SshError extends Error {
  override readonly name = 'SshError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
