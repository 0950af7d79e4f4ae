/** A message to one person, ready to be sent. */
export interface Mail {
  /** The same each time that this message is sent: those who get it twice can tell. */
  readonly id?: string;
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands a message to the mail server; resolves once that has taken it. Jobs send by `deliver`. */
export type SendMail = (mail: Mail) => Promise<void>;
