import { DomainError } from '../../../kernel/errors.ts';

/** The code of the 400 with which something is refused; `undefined` where it is not. Whatever else it throws is thrown. */
export function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'bad_request') return error.code;
    throw error;
  }
}
