/**
 * Rejected input: missing, malformed, or violating a rule. `code` is the stable name of the rule, `message` describes
 * the fault. Any other exception is a bug.
 */
export class X509Error extends Error {
  override readonly name = 'X509Error';
  readonly code: string;
  readonly details: unknown;

  constructor(code: string, message: string, details?: unknown) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
