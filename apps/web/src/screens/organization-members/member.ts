import type { Outputs } from '@coffer/client';

export type Member = Outputs['organizationMembers']['list']['users'][number];
