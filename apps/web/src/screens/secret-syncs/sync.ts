import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';

export type SecretSync = Outputs['secretSyncs']['listAll']['secretSyncs'][number];
export type Destination = SecretSync['destination'];

export const useDestinations = () =>
  useQuery({ ...ask('secretSyncs', 'options', {}), select: ({ secretSyncOptions }) => secretSyncOptions });

export const refOf = ({ id, destination }: SecretSync) => ({ syncId: id, destination });
