/** A message to one recipient, ready to be sent. */
export interface Mail {
  /** The message ID, equal for all attempts, so that recipients can recognize duplicates. */
  readonly id?: string;
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands a message to the mail server; resolves once that has taken it. Jobs send by `deliver`. */
export type SendMail = (mail: Mail) => Promise<void>;
