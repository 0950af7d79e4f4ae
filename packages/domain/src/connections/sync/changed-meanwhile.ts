import { DomainError } from '../../kernel/index.ts';

/** Others write into the folder of a sync, change rights, and make policies. */
const CHANGED_MEANWHILE = new Set(['secret.exists', 'secret_sync.source_changed', 'access.rights_changed']);
const ATTEMPTS = 5;

/** Begins work again, which has changed nothing yet, where what it has read is another now. @throws as the work. */
export async function untilUnchanged<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError) || !CHANGED_MEANWHILE.has(error.code) || attempt === ATTEMPTS) throw error;
    }
  }
}
