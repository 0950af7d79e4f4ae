export * from './access-request.ts';
export { accessApprovalMail } from './mail.ts';
export { requestPrivilege } from './ask.ts';
export { deleteAccessPolicy, reviewAccessRequest } from './decide.ts';
export { countAccessRequests, listAccessRequests } from './read.ts';
