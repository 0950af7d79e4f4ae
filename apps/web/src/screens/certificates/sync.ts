import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';

export type PkiSync = Outputs['pkiSyncs']['listAll']['pkiSyncs'][number];
export type Destination = PkiSync['destination'];

export const useDestinations = () =>
  useQuery({ ...ask('pkiSyncs', 'options', {}), select: ({ pkiSyncOptions }) => pkiSyncOptions });

export const refOf = ({ id, destination }: PkiSync) => ({ pkiSyncId: id, destination });

export const SYNC = '/projects/$projectId/certificates/syncs/$destination/$pkiSyncId';
