import { X509Error } from '../error.ts';

/** The code of the error by which input is refused; `undefined` where it is not. Whatever else is thrown is thrown on. */
export function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof X509Error) return error.code;
    throw error;
  }
}
