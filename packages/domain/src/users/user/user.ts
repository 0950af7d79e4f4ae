import { z } from 'zod';
import {
  DEFAULT_SETTINGS,
  Email,
  Instant,
  SHORTEST_PASSWORD,
  text,
  Timestamps,
  UserNames,
  Uuid,
} from '../../kernel/schema.ts';
import type { UserEntity } from './user.entity.ts';

/** A new password. One that is only verified may be shorter. */
export const NewPassword = z
  .string()
  .min(SHORTEST_PASSWORD)
  .max(1024)
  .describe(
    `At least ${DEFAULT_SETTINGS.minPasswordLength} characters, where the operator sets no other minimum, and no common password`,
  );
export const GivenPassword = z.string().min(1).max(1024);

export const FirstName = text(255).trim().min(1);
export const LastName = text(255).trim();

/** Whom a password belongs to, as they type it. */
export const Credentials = z.object({ email: Email, password: GivenPassword });
export type Credentials = z.output<typeof Credentials>;

/** A person, as the person itself sees it. */
export const User = z.object({
  id: Uuid,
  ...UserNames.shape,
  authMethods: z.array(z.string()).describe('How the user can log in'),
  superAdmin: z.boolean().describe('Whether the user administers the instance'),
  isAccepted: z.boolean().describe('false until an invited user completes the account'),
  isEmailVerified: z.boolean(),
  isGhost: z.boolean(),
  isMfaEnabled: z.boolean(),
  mfaMethods: z.array(z.string()).nullable(),
  selectedMfaMethod: z.string().nullable(),
  consecutiveFailedMfaAttempts: z.int(),
  consecutiveFailedPasswordAttempts: z.int(),
  isLocked: z.boolean().describe('true while logins from unknown devices are locked out after failed attempts'),
  temporaryLockDateEnd: Instant.nullable(),
  devices: z.unknown().nullable(),
  ...Timestamps.shape,
});
export type User = z.output<typeof User>;

/** The subject for counting failed logins of a user. */
export interface PasswordLock {
  readonly failures: number;
  readonly lockedUntil: Date | null;
}

const NO_LOCK: PasswordLock = { failures: 0, lockedUntil: null };

export const toUser = (user: UserEntity, { failures, lockedUntil } = NO_LOCK): User => ({
  id: user.id,
  username: user.username,
  email: user.email ?? null,
  firstName: user.firstName ?? null,
  lastName: user.lastName ?? null,
  authMethods: ['email'],
  superAdmin: user.isSuperAdmin,
  isAccepted: user.isAccepted,
  isEmailVerified: user.isEmailVerified,
  isGhost: false,
  isMfaEnabled: false,
  mfaMethods: null,
  selectedMfaMethod: null,
  consecutiveFailedMfaAttempts: 0,
  consecutiveFailedPasswordAttempts: failures,
  isLocked: lockedUntil !== null,
  temporaryLockDateEnd: lockedUntil,
  devices: null,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

/** A person as others see it. */
export const Person = z.object({
  id: Uuid,
  ...UserNames.shape,
  publicKey: z.string().nullable().describe('Always null: keys stay on the server'),
  isEmailVerified: z.boolean(),
});
export type Person = z.output<typeof Person>;

export const toPerson = (user: UserEntity): Person => ({
  id: user.id,
  username: user.username,
  email: user.email ?? null,
  firstName: user.firstName ?? null,
  lastName: user.lastName ?? null,
  publicKey: null,
  isEmailVerified: user.isEmailVerified,
});
