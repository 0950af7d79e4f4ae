export const texts = {
  whatEndsWhen: 'What ends when',
  credentialsThatEnd: 'Credentials that end',
};
