export { sshKeygen, atSshWork, type SshWorkplace } from './tools.ts';
