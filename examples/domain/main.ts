// Coffer without HTTP: a service that imports what Coffer knows and does, and calls its operations on the database
// itself. Rules, encryption and the audit log are those of the server, which may run on the same database meanwhile.
//
//   node examples/domain/main.ts
//
// DATABASE_URL and COFFER_ROOT_KEY are those of the server; COFFER_CLIENT_ID and COFFER_CLIENT_SECRET are what
// examples/http/quickstart.sh ends with: here, too, somebody acts.
import {
  authenticate,
  createOutbound,
  CreateProject,
  createProject,
  CreateSecrets,
  createSecrets,
  DomainError,
  ListSecrets,
  listSecrets,
  logIn,
  openCoffer,
  parseRootKey,
  ReadSecret,
  readSecret,
  universalAuth,
} from '@coffer/domain';

const { DATABASE_URL, COFFER_ROOT_KEY, COFFER_CLIENT_ID, COFFER_CLIENT_SECRET } = process.env;
if (!DATABASE_URL || !COFFER_ROOT_KEY || !COFFER_CLIENT_ID || !COFFER_CLIENT_SECRET) {
  throw new Error('Set DATABASE_URL, COFFER_ROOT_KEY, COFFER_CLIENT_ID and COFFER_CLIENT_SECRET');
}
