import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { State } from '../../ui/detail.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type SecretRotation = Outputs['secretRotations']['listAll']['secretRotations'][number];
export type RotationType = SecretRotation['type'];
export type RotationOption = Outputs['secretRotations']['options']['secretRotationOptions'][number];

export const useRotationTypes = () =>
  useQuery({ ...ask('secretRotations', 'options', {}), select: ({ secretRotationOptions }) => secretRotationOptions });

export const refOf = ({ id, type }: SecretRotation) => ({ rotationId: id, rotationType: type });

export const rotationState = (rotation: SecretRotation): State =>
  rotation.rotationStatus === 'failed'
    ? { kind: 'bad', text: words.failed, at: rotation.lastRotationAttemptedAt, why: rotation.lastRotationMessage }
    : { kind: 'good', text: texts.rotated, at: rotation.lastRotatedAt };
