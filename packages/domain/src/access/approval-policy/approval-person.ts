import { z } from 'zod';
import { Uuid } from '../../kernel/schema.ts';

/** The visible fields of a requester or reviewer. */
export const ApprovalPerson = z.object({
  userId: Uuid,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
});
export type ApprovalPerson = z.output<typeof ApprovalPerson>;
