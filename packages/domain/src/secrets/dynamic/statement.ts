import { badRequest, type DomainError } from '../../kernel/index.ts';

/** Says what is wrong with a field in which owners write statements, commands or LDIFs. */
export type Refuse = (why: string) => DomainError;

export const refuseIn =
  (field: string): Refuse =>
  (why) =>
    badRequest('dynamic_secret.statement', `${field}: ${why}`, { field });
