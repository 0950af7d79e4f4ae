/**
 * Input that is refused: no such thing, malformed, or against a rule. `code` names the rule and is stable, `message` says
 * what is wrong with the input. Anything else that is thrown is a bug.
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
