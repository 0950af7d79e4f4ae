// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, LdapPasswordRotation, PasswordRequirements, UpdateSecretRotationFields } from './shared.ts';

export type LdapPasswordMapping = {
  /** The name of the secret with the dn */ dn: string;
  /** The name of the secret with the password */ password: string;
};

export type LdapPasswordParametersInput = {
  dn: string;
  passwordRequirements?: PasswordRequirements;
  /** Who sets the password: the entry of the connection, or the entry itself (default: `'connection-principal'`) */
  rotationMethod?: 'connection-principal' | 'target-principal';
};

export interface LdapPasswordRotationsApi {
  /**
   * Create a rotation of LDAP Password, and its first credential.
   * `POST /api/v2/secret-rotations/ldap-password`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & {
      parameters: LdapPasswordParametersInput;
      secretsMapping: LdapPasswordMapping;
      /** Used once, and not returned */ temporaryParameters?: { password?: string };
    },
    { /** A rotation of LDAP Password */ secretRotation: LdapPasswordRotation }
  >;
  /**
   * Update a rotation of LDAP Password; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/ldap-password/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: LdapPasswordParametersInput;
      /** Renames the secrets */ secretsMapping?: LdapPasswordMapping;
    },
    { /** A rotation of LDAP Password */ secretRotation: LdapPasswordRotation }
  >;
}
