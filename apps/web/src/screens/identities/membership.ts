import type { Outputs } from '@coffer/client';

/** A machine identity with its role in the organization. */
export type Membership = Outputs['identities']['get']['identity'];
