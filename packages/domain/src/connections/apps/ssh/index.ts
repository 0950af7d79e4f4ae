export { ssh, type SshAccess } from './ssh.ts';
