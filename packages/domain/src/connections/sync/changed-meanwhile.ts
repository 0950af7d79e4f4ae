import { doAgain, DomainError, type Again } from '../../kernel/index.ts';

/** Others write into the folder of a sync, change rights, and make policies. */
const CHANGED_MEANWHILE = new Set(['secret.exists', 'secret_sync.source_changed', 'access.rights_changed']);
const AGAIN: Again = {
  attempts: 5,
  passes: (error) => error instanceof DomainError && CHANGED_MEANWHILE.has(error.code),
};

/** Begins work again, which has changed nothing yet, where what it has read is another now. @throws as the work. */
export const untilUnchanged = <T>(work: () => Promise<T>): Promise<T> => doAgain(AGAIN, work);
