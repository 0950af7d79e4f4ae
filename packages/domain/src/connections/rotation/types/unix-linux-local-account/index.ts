export { unixLinuxLocalAccount } from './unix-linux-local-account.ts';
