/** Exit codes. A program under `coffer run` has its own. */
export const EXIT = { done: 0, failure: 1, usage: 2, notLoggedIn: 3, denied: 4, unreachable: 5 } as const;

/** Ends the command with a message for people and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(message: string, exitCode: number = EXIT.failure, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export const failure = (message: string, hint?: string): CommandError => new CommandError(message, EXIT.failure, hint);
export const usage = (message: string, hint?: string): CommandError => new CommandError(message, EXIT.usage, hint);
export const notLoggedIn = (message: string, hint?: string): CommandError =>
  new CommandError(message, EXIT.notLoggedIn, hint);
