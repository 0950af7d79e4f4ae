import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { State } from '../../ui/detail.tsx';

export type SecretRotation = Outputs['secretRotations']['listAll']['secretRotations'][number];
export type RotationType = SecretRotation['type'];
export type RotationOption = Outputs['secretRotations']['options']['secretRotationOptions'][number];

export const useRotationTypes = () =>
  useQuery({ ...ask('secretRotations', 'options', {}), select: ({ secretRotationOptions }) => secretRotationOptions });

export const refOf = ({ id, type }: SecretRotation) => ({ rotationId: id, rotationType: type });

export const rotationState = (rotation: SecretRotation): State =>
  rotation.rotationStatus === 'failed'
    ? { kind: 'bad', text: 'Failed', at: rotation.lastRotationAttemptedAt, why: rotation.lastRotationMessage }
    : { kind: 'good', text: 'Rotated', at: rotation.lastRotatedAt };
