export { administratorsMail } from './administrators-mail.ts';
export * from './ask.ts';
export * from './enter.ts';
export * from './group-member.service.ts';
export * from './identity-member.service.ts';
export * from './mail.ts';
export * from './member.ts';
export * from './own-access.ts';
export * from './user-member.service.ts';
