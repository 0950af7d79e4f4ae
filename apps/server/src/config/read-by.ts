import { DomainError } from '@coffer/domain/offline';
import { z } from 'zod';

/** Text parsed by the domain; its error is the fault. */
export const readBy = <Value>(read: (text: string) => Value) =>
  z.string().transform((text, ctx): Value => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      ctx.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
