export const texts = {
  secretsCertificatesAndKeys: 'Secrets, certificates and keys belong to projects.',
  newProject: 'New project',
  youMayCreateProject: 'You are in no project: create one, or ask an administrator of an existing one to add you.',
  youAreInNoProject: 'You are in no project: ask an administrator to add you to one.',
  itGetsEnvironmentsDevelopment: 'It gets the environments Development, Staging and Production.',
};
