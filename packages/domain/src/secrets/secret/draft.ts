import type { SecretAttributes } from '../coverage/index.ts';
import type { Referrer } from './reference/store.ts';
import type { SecretRow, SecretText, Tag } from './row.ts';

/** A secret as it will be written as its next version. */
export interface Draft extends SecretAttributes {
  readonly id: string;
  readonly folderId: string;
  readonly environment: string;
  readonly path: string;
  readonly userId: string | null;
  readonly key: string;
  readonly version: number;
  readonly text: SecretText;
  readonly tags: readonly Tag[];
  /** When its first version was written; `null` for a new secret. */
  readonly createdAt: Date | null;
  /** The version that it replaces, with the rotation that writes its values; absent for a new secret. */
  readonly before?: (NonNullable<Referrer['before']> & Pick<SecretRow, 'rotationId'>) | undefined;
  /** Only its references are rewritten, because their targets have moved: its meaning is unchanged. */
  readonly isFollowing?: true;
}
