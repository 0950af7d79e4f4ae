export const texts = {
  inbox: 'Inbox',
  changeRequest: 'Change request',
  access: 'Access',
  whoCanAccess: 'Who can access',
  effectivePermissions: 'Effective permissions',
  roles: 'Roles',
  role: 'Role',
  people: 'People',
  groups: 'Groups',
  machineIdentities: 'Machine identities',
  machineIdentity: 'Machine identity',
  serviceTokens: 'Service tokens',
};
