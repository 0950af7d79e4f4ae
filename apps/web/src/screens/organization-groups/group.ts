import type { Outputs } from '@coffer/client';

export type Group = Outputs['groups']['list'][number];
