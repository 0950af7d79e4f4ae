import { m0001Ground } from './0001-ground.ts';
import { m0002People } from './0002-people.ts';
import { m0003Secrets } from './0003-secrets.ts';
import { m0004Access } from './0004-access.ts';
import { m0005ServiceTokens } from './0005-service-tokens.ts';
import { m0006ProjectTemplates } from './0006-project-templates.ts';
import { m0007ProjectIdentities } from './0007-project-identities.ts';
import { m0008PasswordResets } from './0008-password-resets.ts';

/** In the order in which they run. */
export const migrations = [
  m0001Ground,
  m0002People,
  m0003Secrets,
  m0004Access,
  m0005ServiceTokens,
  m0006ProjectTemplates,
  m0007ProjectIdentities,
  m0008PasswordResets,
];
