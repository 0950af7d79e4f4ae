export { endResets } from './link.ts';
export { passwordResetMail } from './mail.ts';
export * from './recovery.service.ts';
export * from './recovery.ts';
