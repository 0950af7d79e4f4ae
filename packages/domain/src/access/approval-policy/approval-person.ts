import { z } from 'zod';
import { Uuid } from '../../kernel/schema.ts';

/** What is visible of an actor that requests or decides. */
export const ApprovalPerson = z.object({
  userId: Uuid,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
});
export type ApprovalPerson = z.output<typeof ApprovalPerson>;
