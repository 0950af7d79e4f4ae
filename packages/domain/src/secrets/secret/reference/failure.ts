import { denied } from '../../../access/index.ts';
import { badRequest, type Ability, type DomainError } from '../../../kernel/index.ts';
import { coveredPath } from '../../coverage/index.ts';
import { secretPermissions, type SecretReferenceError } from '../secret.ts';
import type { Target } from './reference.ts';

/** Why a reference cannot be resolved. `unavailable` does not disclose whether the secret exists. */
export type Failure = SecretReferenceError['code'];

const MESSAGES: Readonly<Record<Failure, string>> = {
  unavailable: 'The secret does not exist, or you may not read its value',
  missing: 'The secret does not exist',
  circular: 'This reference leads back to a secret that contains it (cycle)',
  'too-deep': 'The maximum depth of nested references is ten',
  'too-many': 'The response would contain too many references',
  'too-large': 'The value or the response would be too large',
};

/** `reference` as written in the value of `holder`. */
export const failureOf = (code: Failure, reference: string, holder: Target): SecretReferenceError => ({
  code,
  reference,
  message: MESSAGES[code],
  environment: holder.environment,
  secretPath: coveredPath(holder.path),
  secretKey: holder.key,
});

/**
 * The error for a value that is useless without one of its references: 403 for an unreadable one, 400
 * `secret.too_many_references` if they exceed a limit; none if only missing, circular and too deep ones are unresolved.
 */
export function refusalFor(ability: Ability, errors: readonly SecretReferenceError[]): DomainError | undefined {
  const failed = errors.find(({ code }) => code === 'unavailable');
  if (!failed) return refusalOfSize(errors);
  const { reference, secretKey, message } = failed;
  return denied(ability, secretPermissions.readValue, undefined, {
    message: `${reference} in ${secretKey} cannot be resolved. ${message}`,
  });
}

function refusalOfSize(errors: readonly SecretReferenceError[]): DomainError | undefined {
  const failed = errors.find(({ code }) => code === 'too-many' || code === 'too-large');
  if (!failed) return undefined;
  const { reference, secretKey, message } = failed;
  return badRequest('secret.too_many_references', `${reference} in ${secretKey} is not resolved. ${message}`);
}
