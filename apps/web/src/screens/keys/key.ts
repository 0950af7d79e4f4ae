import type { Outputs } from '@coffer/client';

export type Key = Outputs['kmsKeys']['get']['key'];
