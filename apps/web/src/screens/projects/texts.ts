export const texts = {
  secretsCertificatesAndKeys: 'Secrets, certificates and keys belong to projects.',
  newProject: 'New project',
  thereIsNoProject: 'There is no project yet: create the first one.',
  youAreInNoProject: 'You are in no project: ask an administrator to add you to one.',
  itGetsEnvironmentsDevelopment: 'It gets the environments Development, Staging and Production.',
};
