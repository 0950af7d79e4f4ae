// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, PasswordRequirements, UnixLinuxLocalAccountRotation, UpdateSecretRotationFields } from './shared.ts';

export type UnixLinuxLocalAccountMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export type UnixLinuxLocalAccountParametersInput = {
  username: string;
  passwordRequirements?: PasswordRequirements;
  /** Who sets the password: the login of the connection, or the account itself (default: `'login-as-root'`) */
  rotationMethod?: 'login-as-root' | 'login-as-target';
  /** Whether the login of the connection sets it with sudo (default: `false`) */ useSudo?: boolean;
};

export interface UnixLinuxLocalAccountRotationsApi {
  /**
   * Create a rotation of Unix/Linux Local Account, and its first credential.
   * `POST /api/v2/secret-rotations/unix-linux-local-account`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & {
      parameters: UnixLinuxLocalAccountParametersInput;
      secretsMapping: UnixLinuxLocalAccountMapping;
      /** Used once, and not returned */ temporaryParameters?: { password?: string };
    },
    { /** A rotation of Unix/Linux Local Account */ secretRotation: UnixLinuxLocalAccountRotation }
  >;
  /**
   * Update a rotation of Unix/Linux Local Account; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/unix-linux-local-account/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */
      parameters?: UnixLinuxLocalAccountParametersInput;
      /** Renames the secrets */ secretsMapping?: UnixLinuxLocalAccountMapping;
    },
    { /** A rotation of Unix/Linux Local Account */ secretRotation: UnixLinuxLocalAccountRotation }
  >;
}
