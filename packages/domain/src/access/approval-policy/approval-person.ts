import { z } from 'zod';
import { UserNames, Uuid } from '../../kernel/schema.ts';

/** The visible fields of a requester or reviewer. */
export const ApprovalPerson = z.object({ userId: Uuid, ...UserNames.shape });
export type ApprovalPerson = z.output<typeof ApprovalPerson>;
