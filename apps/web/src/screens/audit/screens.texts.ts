export const texts = {
  auditLog: 'Audit log',
};
