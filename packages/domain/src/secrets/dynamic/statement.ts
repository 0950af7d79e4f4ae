import { badRequest, type DomainError } from '../../kernel/index.ts';

/** The fault of a field with owners' statements, commands or LDIFs. */
export type Refuse = (why: string) => DomainError;

export const refuseIn =
  (field: string): Refuse =>
  (why) =>
    badRequest('dynamic_secret.statement', `${field}: ${why}`, { field });
