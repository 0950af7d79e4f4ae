import { badRequest, type DomainError } from '../../kernel/index.ts';
import { MAX_VALUE } from './secret.ts';

/** The maximum of the stored values that one change reads, in MiB: those that it moves, copies or rewrites. */
const MAX_READ = 64;
/** The same where its answer has them, too: in JSON a text can have several bytes for one. */
const MAX_ANSWERED = 32;

const MIB = 1024 * 1024;

/**
 * The SQL of the value of a locked secret `s`; `null` where the values of all `of` (a condition on `secrets z`) have more
 * bytes than one change reads. Their sizes are known without reading them.
 */
export const valueWithin = (of: string): string =>
  `case when (select coalesce(sum(octet_length(z.value)), 0) from secrets z where ${of}) <= ${MAX_READ * MIB}
   then s.value end as value`;

interface Limit {
  /** Whether the answer has the values. */
  readonly isAnswered?: boolean;
  /** Which secrets they are, and what to do if there are too many. */
  readonly which?: string;
  readonly todo?: string;
}

/**
 * Checks rows whose values were read by `valueWithin`.
 *
 * @throws DomainError 400 `secret.values_too_large`.
 */
export function requireWithin(
  rows: readonly { readonly value: Buffer | null }[],
  { isAnswered = false, which = 'These secrets', todo = 'select fewer at a time' }: Limit = {},
): void {
  const most = isAnswered ? MAX_ANSWERED : MAX_READ;
  const size = rows.reduce((sum, { value }) => sum + (value?.length ?? Infinity), 0);
  if (size > most * MIB)
    throw badRequest('secret.values_too_large', `${which} have more than ${most} MiB of values: ${todo}`);
}

/**
 * What references may add to the values that one change rewrites: each stays as short as a value may be, or as it was, and all
 * together as what one change reads.
 */
export class RewriteLimit {
  #room = MAX_READ * MIB;

  /** The rewritten value, or `undefined` if it is too long. `rewrite` is given its maximum length. */
  within(value: string, rewrite: (most: number) => string | undefined): string | undefined {
    const rewritten = rewrite(Math.min(this.#room, Math.max(MAX_VALUE, value.length)));
    if (rewritten !== undefined) this.#room -= rewritten.length;
    return rewritten;
  }
}

export const rewrittenTooLong = (): DomainError =>
  badRequest(
    'secret.values_too_large',
    `References to other names would make a value longer than ${MAX_VALUE} characters, or all of them longer than ${MAX_READ} MiB: use shorter names, or remove some of these references first`,
  );
