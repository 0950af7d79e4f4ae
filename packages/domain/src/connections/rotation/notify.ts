import { type Transaction } from '../../kernel/index.ts';
import type { RotationRow } from './find.ts';

/** Placeholder until the notification is written. */
export async function notifyOfFailure(_tx: Transaction, _row: RotationRow, _message: string): Promise<void> {}
