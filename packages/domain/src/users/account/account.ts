import { z } from 'zod';
import { defineEvent } from '../../kernel/schema.ts';
import { FirstName, GivenPassword, LastName, NewPassword } from '../user/user.ts';

export const RenameMe = z.object({ firstName: FirstName, lastName: LastName });
export type RenameMe = z.output<typeof RenameMe>;

export const ChangePassword = z.object({ oldPassword: GivenPassword, newPassword: NewPassword });
export type ChangePassword = z.output<typeof ChangePassword>;

export const DeleteMe = z.object({
  password: GivenPassword.optional().describe('Required: the current password, in the body'),
});
export type DeleteMe = z.output<typeof DeleteMe>;

const UserEvent = z.object({ userId: z.string() });
export const userRenamed = defineEvent('user.renamed', 'update-user', UserEvent);
export const passwordChanged = defineEvent('user.password_changed', 'change-user-password', UserEvent);
export const userDeleted = defineEvent(
  'user.deleted',
  'delete-user',
  z.object({ userId: z.string(), username: z.string() }),
);
