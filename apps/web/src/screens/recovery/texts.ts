export const texts = {
  forgottenPassword: 'Forgotten password',
  sendLink: 'Send the link',
  linkByEMail: 'A link by e-mail lets you choose a new password. That ends all your sessions and API keys.',
  backToSignIn: 'Back to the sign-in',
  newPassword: 'New password',
  allYourSessionsEnd: 'All your sessions end, and your API keys are revoked.',
  setPasswordAndSign: 'Set the password and sign in',
};
