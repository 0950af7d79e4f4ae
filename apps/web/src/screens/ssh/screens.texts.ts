export const texts = {
  ssh: 'SSH',
  sshHost: 'SSH host',
  sshHostGroups: 'SSH host groups',
  whoMayLogInBySsh: 'Who may log in by SSH',
  sshCertificates: 'SSH certificates',
  sshCertificate: 'SSH certificate',
  sshCertificateTemplates: 'SSH certificate templates',
  sshAuthorities: 'SSH authorities',
};
