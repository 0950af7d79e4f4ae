export * from './accept.ts';
export * from './invitation.ts';
export * from './invite.ts';
export { invitationMail } from './mail.ts';
