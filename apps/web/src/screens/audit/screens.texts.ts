export const texts = {
  auditLog: 'Audit log',
  organizationLog: 'Organization log',
};
