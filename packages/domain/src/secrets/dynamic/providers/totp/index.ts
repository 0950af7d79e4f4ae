export { totp } from './totp.ts';
