export { readHostKey, readUserKey } from './key.ts';
export { openSsh, type SshServer, type SshSession } from './session.ts';
