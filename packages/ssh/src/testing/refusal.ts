import { SshError } from '../error.ts';

/** The code of the error for rejected input; `undefined` if it is accepted. Other exceptions are rethrown. */
export function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof SshError) return error.code;
    throw error;
  }
}
