/** A fault of a template. Its message says where, and holds no value. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** Begins at 1; absent until it is known. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Adds the line to a fault that has none. Other errors stay as they are. */
export const atLine = (error: unknown, line: number): unknown =>
  error instanceof TemplateError && error.line === undefined ? new TemplateError(error.message, line) : error;
